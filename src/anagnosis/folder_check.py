"""The result of a check of a dataset or an index."""

from __future__ import annotations

from dataclasses import dataclass, field

SHOWN = 100


@dataclass(slots=True)
class FolderCheck:
    """files: number verified. problems: the first hundred, as "place: what is wrong". counts: all, by name."""

    files: int = 0
    counts: dict[str, int] = field(default_factory=dict[str, int])
    problems: list[str] = field(default_factory=list[str])

    def add(self, name: str, place: str, what: str) -> None:
        """Count a problem."""
        self.counts[name] = self.counts.get(name, 0) + 1
        if len(self.problems) < SHOWN:
            self.problems.append(f"{place}: {what}")

    @property
    def sound(self) -> bool:
        """Whether there is no problem."""
        return not self.counts
