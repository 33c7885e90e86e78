"""What a check of one of our folders verified, and what it found wrong: the same for a dataset and for an index."""

from __future__ import annotations

from dataclasses import dataclass, field

SHOWN = 100


@dataclass(slots=True)
class FolderCheck:
    """files: that were verified. problems: the first hundred, each "place: what is wrong". counts: all, by name."""

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
        """Whether nothing is wrong."""
        return not self.counts
