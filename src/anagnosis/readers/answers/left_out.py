"""Questions that no reader of exact answers can be trained on, counted by reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from anagnosis.datasets.kinds.question import EXACT_TYPES, Asked
from anagnosis.progress import tell


@dataclass(slots=True)
class LeftOut:
    """questions: all so far. reasons: number of questions by reason; a reader may add reasons of its own."""

    questions: int = 0
    reasons: Counter[str] = field(default_factory=Counter[str])

    def add(self, asked: Asked, reason: str | None = None, types: Sequence[str] = EXACT_TYPES) -> None:
        """Count a question. reason: the reader's, if the question itself has none. types: that the reader answers."""
        self.questions += 1
        if why := asked.left_out(types) or reason:
            self.reasons[why] += 1

    def report(self, part: str) -> None:
        """Report one line, if questions were left out. part: the split's name."""
        if not self.reasons:
            return
        counts = ", ".join(f"{count:,} {reason}" for reason, count in self.reasons.most_common())
        tell(
            f"{part}: {self.reasons.total():,} of {self.questions:,} questions cannot train this reader: {counts}"
        )
