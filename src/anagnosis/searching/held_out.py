"""What a reader of answers reaches on questions that it was not trained on: held_out.json in its folder.

`anagnosis calibrate` measures it, and no answer is shown without it. It holds for the weights whose digests it names.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from anagnosis.errors import InputError
from anagnosis.folder_names import HELD_OUT as FILE
from anagnosis.training.runs.fitted import read_fitted, write_fitted

FORMAT = 1
AGAIN = "measure again with `anagnosis calibrate`"
MACRO_F1, MRR = "macro-F1", "MRR"
TEST, DEV, NEWEST = "test", "dev", "newest"
# Which questions of a dataset it was measured on.
_QUESTIONS = {
    TEST: "test questions of {}, none of which it was trained on",
    DEV: "development questions of {}, on which its training was judged",
    NEWEST: "newest questions of one name of {}, each asked of a collection of all their snippets",
}


class HeldOut(msgspec.Struct, frozen=True):
    """weights: SHA-256 of each run's. measure: MACRO_F1 or MRR. low, high: its 95 % interval, by question.

    baseline: what always giving the commonest answer reaches; None where there is no such answer. questions: of
    `dataset`; part: TEST, DEV or NEWEST.
    """

    format: int
    weights: tuple[str, ...]
    measure: str
    value: float
    low: float
    high: float
    baseline: float | None
    questions: int
    dataset: str
    part: str

    @property
    def says(self) -> str:
        """The figure with its interval, its baseline and its questions, as one phrase."""
        always = "" if self.baseline is None else f" (always the commonest answer: {self.baseline:.2f})"
        on = _QUESTIONS[self.part].format(self.dataset)
        return f"{self.measure} {self.value:.2f} [{self.low:.2f}, {self.high:.2f}]{always} on {self.questions:,} {on}"


def write(folder: Path, found: HeldOut) -> None:
    """Keep it in a run folder, or in that of several runs."""
    write_fitted(folder, FILE, found)


def held_out_of(folder: Path, weights: Sequence[str]) -> HeldOut | None:
    """What was measured for a run folder; None where nothing was. That of other weights is refused (InputError)."""
    path = folder / FILE
    found = read_fitted(folder, FILE, HeldOut, AGAIN)
    if found is None:
        return None
    if found.format != FORMAT or found.part not in _QUESTIONS:
        raise InputError("was made by another version", str(path), AGAIN)
    if found.weights != tuple(weights):
        raise InputError("was measured for other weights", str(path), AGAIN)
    return found
