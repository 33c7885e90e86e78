"""What `anagnosis calibrate` fitted on a finished run, in its run.json.

A reader of decisions has a temperature (decisions.py), a reader of sentences a slope, an intercept and thresholds
(sentences.py).
"""

from __future__ import annotations

import msgspec

from anagnosis.evaluation.calibration.highlight_thresholds import Thresholds
from anagnosis.evaluation.calibration.scaling import Platt


class SentenceFit(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """slope, intercept: of the log-odds. sentences: that it was fitted on.

    error: the binned calibration error on questions that it was not fitted on; by_chance: that of a perfect forecaster.
    thresholds: chosen on those, with what they are worth there. left_out: questions that the run was trained on.
    """

    slope: float
    intercept: float
    error: float
    by_chance: float
    sentences: int
    thresholds: Thresholds
    left_out: int = 0

    @property
    def platt(self) -> Platt:
        return Platt(self.slope, self.intercept)

    @property
    def is_identity(self) -> bool:
        """Whether no fit was better than the reader's probabilities as it gives them."""
        return self.platt == Platt()


class RunParameters(msgspec.Struct, frozen=True, omit_defaults=True):
    """dataset, split: whose questions it was fitted on; questions: how many.

    before, after: mean loss of the right answers on them. temperature: of decisions. sentences: of readers of
    sentences.
    """

    dataset: str
    split: str
    questions: int
    before: float
    after: float
    temperature: float | None = None
    sentences: SentenceFit | None = None
