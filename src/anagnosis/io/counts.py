"""What occurred or did not fit: counted by name, with the first places of each name. Nothing is skipped silently.

counts.add("repeated_id", "train 12345:0: the id stands twice")
"""

from __future__ import annotations

from dataclasses import dataclass, field

MOST = 100  # places of a name


@dataclass(slots=True)
class Counts:
    """counts: by name. places: name → the first hundred different ones, each on one line."""

    counts: dict[str, int] = field(default_factory=dict[str, int])
    places: dict[str, list[str]] = field(default_factory=dict[str, list[str]])

    def add(self, name: str, place: str = "", count: int = 1) -> None:
        """Count `count` more, of which `place` is one; "" for none."""
        self.counts[name] = self.counts.get(name, 0) + count
        places = self.places.setdefault(name, [])
        if place and len(places) < MOST and (line := " ".join(place.split())) not in places:
            places.append(line)

    def merge(self, other: Counts) -> None:
        """Add what another one has."""
        for name, count in other.counts.items():
            self.add(name, count=count)
            for place in other.places[name]:
                self.add(name, place, 0)

    @property
    def problems(self) -> list[str]:
        """All places, by name."""
        return [place for places in self.places.values() for place in places]

    @property
    def sound(self) -> bool:
        """Whether nothing was counted."""
        return not self.counts
