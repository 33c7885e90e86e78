"""Figures of a reader of answers on questions that it was not trained on: held_out.json in its folder.

`anagnosis calibrate` measures it, and no answer is shown without it. It holds for the weights whose digests it names.
"""

from __future__ import annotations

from typing import ClassVar

from anagnosis.calibration.parameters import FORMAT, FolderParameters
from anagnosis.folder_names import HELD_OUT

MRR = "MRR"
NEWEST = "newest"
# Which questions of a dataset it was measured on.
_QUESTIONS = {
    NEWEST: "newest questions of one name of {}, each asked of a collection of all their snippets",
}


class HeldOut(FolderParameters, frozen=True):
    """measure: MRR. low, high: its 95 % interval, by question.

    baseline: what always giving the commonest answer reaches; None where there is no such answer. questions: of
    `dataset`; part: NEWEST.
    """

    file: ClassVar[str] = HELD_OUT
    remedy: ClassVar[str] = "measure again with `anagnosis calibrate`"

    measure: str
    value: float
    low: float
    high: float
    baseline: float | None
    questions: int
    dataset: str
    part: str

    @property
    def is_current(self) -> bool:
        return self.format == FORMAT and self.part in _QUESTIONS

    @property
    def says(self) -> str:
        """The figure with its interval, its baseline and its questions, as one phrase."""
        always = "" if self.baseline is None else f" (always the commonest answer: {self.baseline:.2f})"
        on = _QUESTIONS[self.part].format(self.dataset)
        return f"{self.measure} {self.value:.2f} [{self.low:.2f}, {self.high:.2f}]{always} on {self.questions:,} {on}"
