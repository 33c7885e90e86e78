"""What a loader mended and what it refused, counted by name.

The names are documented in docs/receipts.md; the first hundred refusals keep their place.
"""

from __future__ import annotations

from collections import Counter

KEPT_REFUSALS = 100


class Repairs:
    """counts: what was mended or seen, by name. refused: documents refused. refusals: the first (where, why)."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.refused = 0
        self.refusals: list[tuple[str, str]] = []

    def count(self, name: str, n: int = 1) -> None:
        """Count `n` more under `name`; nothing is noted for none."""
        if n:
            self.counts[name] += n

    def refuse(self, where: str, why: str) -> None:
        """A document (or what should have been one) that cannot be read."""
        self.refused += 1
        if len(self.refusals) < KEPT_REFUSALS:
            self.refusals.append((where, why))

    def note(self, where: str, why: str) -> None:
        """Keep the place of a line that was left out of a document that stays."""
        if len(self.refusals) < KEPT_REFUSALS:
            self.refusals.append((where, why))
