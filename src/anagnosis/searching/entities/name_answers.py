"""Names that answer a question of one thing or of several, from the passages that fit it best."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

import msgspec

from anagnosis.calibration.held_out import HeldOut
from anagnosis.searching.sentences.sentences import Evidence

if TYPE_CHECKING:
    from anagnosis.searching.index.index import Index
    from anagnosis.searching.sentences.sentences import Found


class ExactAnswer(msgspec.Struct, frozen=True):
    """text: as it stands in a paper. names: others for the same. evidence: the best sentence with it.

    concepts: `type/identifier` of what papers mark it as, the commonest first; none where none marks it.
    """

    text: str
    names: tuple[str, ...]
    confidence: float
    evidence: Evidence
    concepts: tuple[str, ...] = ()


class Exact(msgspec.Struct, frozen=True):
    """answers: best first. reader: what judged; held_out: what it reaches on questions that it was not fitted on.

    calibrated: whether confidences were fitted to be probabilities.
    """

    answers: tuple[ExactAnswer, ...]
    reader: str
    held_out: HeldOut
    calibrated: bool


class ExactReader(Protocol):
    """What gives names. held_out: None where nobody has measured it; then it gives none."""

    @property
    def held_out(self) -> HeldOut | None: ...

    def answer(self, index: Index, question: str, kind: str, found: Sequence[Found]) -> Exact | None:
        """kind: factoid or list. None where nothing that could be a name stands in the passages."""
        ...
