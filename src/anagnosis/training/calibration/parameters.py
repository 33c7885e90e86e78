"""What `anagnosis calibrate` fitted on a finished run: calibration.json beside its weights.

A reader of decisions has a temperature (decisions.py), a reader of sentences a slope, an intercept and thresholds
(sentences.py). The record names the weights that it was fitted for, by SHA-256.
"""

from __future__ import annotations

import msgspec

from anagnosis.errors import InputError
from anagnosis.evaluation.calibration.highlight_thresholds import Thresholds
from anagnosis.evaluation.calibration.scaling import Platt
from anagnosis.io.decoding import read_json
from anagnosis.io.folders import CALIBRATION
from anagnosis.training.runs.run import Run

_REMEDY = "make it anew with `anagnosis calibrate RUN DATASET`"


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
    """weights: SHA-256 of those that it is for. dataset, split: whose questions it was fitted on; questions: how many.

    before, after: mean loss of the right answers on them. temperature: of decisions. sentences: of readers of
    sentences.
    """

    weights: str
    dataset: str
    split: str
    questions: int
    before: float
    after: float
    temperature: float | None = None
    sentences: SentenceFit | None = None


def parameters_of(run: Run) -> RunParameters | None:
    """The parameters of a run, None where nothing was fitted. Refused (InputError): parameters for other weights."""
    path = run.folder / CALIBRATION
    if not path.exists():
        return None
    found = read_json(path, RunParameters, _REMEDY)
    if found.weights != run.facts.weights:
        raise InputError("was fitted for other weights", str(path), _REMEDY)
    return found
