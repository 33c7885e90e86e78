"""What a reader's score of a sentence is worth over a collection: a probability, of three features.

A reader of sentences was shown papers that are about the question; most that a search brings are not. So beside its
log-odds count how well the passage fits: the best overlap of words that a sentence of it has, and its rank. The
logistic function of the three is fitted on questions that were asked of an index (searching/fit/collection_fitting.py),
and kept in over_collection.json of the run folder, or of the folder of several runs, whose mean it is for.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

import msgspec
import numpy as np

from anagnosis.array_types import Floats
from anagnosis.errors import InputError
from anagnosis.evaluation.calibration.highlight_thresholds import Thresholds
from anagnosis.evaluation.calibration.newton import sigmoid
from anagnosis.evaluation.calibration.scaling import Platt, log_odds
from anagnosis.io.folders import OVER_COLLECTION
from anagnosis.training.calibration.parameters import Parameters, forget, read, read_unbound

FEATURES = ("odds", "overlap", "rank")


class MeasuredError(msgspec.Struct, frozen=True):
    """The calibration error of marked sentences, on questions that the fit did not see.

    error: binned; by_chance: what a perfect forecaster would have.
    """

    error: float
    by_chance: float


class OverCollection(Parameters, frozen=True):
    """What was fitted.

    runs: SHA-256 of each run's weights. platts: slope and intercept that each run had then. weights: of FEATURES and 1.
    thresholds: with what they were worth. read: passages that were read of each question. questions, sentences: that
    it was fitted on. gold: sentences that hold the answer. absent: questions whose documents are not in the index, and
    left_out those that the runs were trained on, which were not asked. documents: of the index. ranking: by which it
    was asked.
    """

    file: ClassVar[str] = OVER_COLLECTION
    remedy: ClassVar[str] = "make it anew with `anagnosis calibrate RUN DATASET --index INDEX`"

    format: int
    runs: tuple[str, ...]
    platts: tuple[tuple[float, float], ...]
    weights: dict[str, float]
    thresholds: Thresholds = msgspec.field(name="marks")
    error: MeasuredError
    dataset: str
    split: str
    read: int
    questions: int
    sentences: int
    gold: int = msgspec.field(name="held")
    absent: int
    left_out: int
    documents: int
    ranking: str

    @property
    def digests(self) -> tuple[str, ...]:
        return self.runs

    def probabilities(self, rows: Floats) -> Floats:
        """float64 [n]. rows: as `features` gives them."""
        return probabilities(rows, [*(self.weights[name] for name in FEATURES), self.weights["1"]])


def features(scores: Sequence[float], best: Sequence[float], ranks: Sequence[int]) -> Floats:
    """float64 [n, 4]: of each sentence FEATURES and 1. scores: probabilities above 0, as a reader gives them.

    best: of its passage the best overlap. ranks: its passage's, from 0.
    """
    return np.column_stack([log_odds(np.log(scores)), best, np.log1p(ranks), np.ones(len(scores))])


def probabilities(rows: Floats, weights: Sequence[float]) -> Floats:
    """float64 [n]: the logistic function of rows · weights."""
    return sigmoid(rows @ np.array(weights))


def read_over_collection(
    folder: Path, digests: Sequence[str], platts: Sequence[Platt]
) -> OverCollection | None:
    """The fit for the runs of a folder, None where there is none. Refused (InputError): that of other runs."""
    found = read(folder, OverCollection, digests)
    if found is not None and found.platts != as_pairs(platts):
        where = str(folder / found.file)
        raise InputError("was fitted before the runs were calibrated anew", where, found.remedy)
    return found


def forget_stale(folder: Path, platts: Sequence[Platt]) -> bool:
    """Remove a fit of runs that had other parameters then; whether there was one."""
    found = read_unbound(folder, OverCollection)
    if found is None or found.platts == as_pairs(platts):
        return False
    forget(folder, found.file)
    return True


def as_pairs(platts: Sequence[Platt]) -> tuple[tuple[float, float], ...]:
    """As they are kept."""
    return tuple((platt.slope, platt.intercept) for platt in platts)
