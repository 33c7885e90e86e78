"""Calibration parameters of a run: calibration.json beside its weights.

A reader of decisions has a temperature (decisions.py), a reader of sentences a slope, an intercept and thresholds
(sentences.py).
"""

from __future__ import annotations

from typing import ClassVar

import msgspec

from anagnosis.evaluation.calibration.scaling import Platt
from anagnosis.evaluation.calibration.thresholds import Thresholds
from anagnosis.io.folder_names import CALIBRATION
from anagnosis.training.calibration.parameters import Parameters, read
from anagnosis.training.runs.run import Run


class SentenceFit(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """slope, intercept: of the log-odds. weak, fair, strong: probabilities. sentences: that it was fitted on.

    error: the binned calibration error on questions that it was not fitted on; debiased: the true one, low, high: its
    95 % interval, p: of perfect calibration. thresholds: what the three are worth on those. left_out: questions that
    the run was trained on.
    """

    slope: float
    intercept: float
    weak: float
    fair: float
    strong: float
    error: float
    low: float
    high: float
    sentences: int
    thresholds: Thresholds = msgspec.field(name="marks")
    left_out: int = 0
    debiased: float
    p: float

    @property
    def platt(self) -> Platt:
        return Platt(self.slope, self.intercept)

    @property
    def is_identity(self) -> bool:
        """Whether no fit was better than the reader's probabilities as it gives them."""
        return self.platt == Platt()


class RunParameters(Parameters, frozen=True, omit_defaults=True):
    """weights: SHA-256 of those that it is for. dataset, split: whose questions it was fitted on; questions: how many.

    before, after: mean loss of the right answers on them. temperature: of decisions. sentences: of readers of
    sentences.
    """

    file: ClassVar[str] = CALIBRATION
    remedy: ClassVar[str] = "make it anew with `anagnosis calibrate RUN DATASET`"

    weights: str
    dataset: str
    split: str
    questions: int
    before: float
    after: float
    temperature: float | None = None
    sentences: SentenceFit | None = None

    @property
    def digests(self) -> tuple[str, ...]:
        return (self.weights,)


def parameters_of(run: Run) -> RunParameters | None:
    """The parameters of a run, None where nothing was fitted. Refused (InputError): parameters for other weights."""
    return read(run.folder, RunParameters, run.digests)
