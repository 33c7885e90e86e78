"""What a reader's score of a sentence is worth over a collection: a probability, of three clues.

A reader of sentences was shown papers that are about the question; most that a search brings are not. So beside its
log-odds count how well the passage fits: the best overlap of words that a sentence of it has, and its rank. The
logistic function of the three is fitted on questions that were asked of an index (`collection_fitting.py`), and kept in
over_collection.json of the run folder, or of the folder of several runs, whose mean it is for.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec
import numpy as np
import numpy.typing as npt

from anagnosis.errors import InputError
from anagnosis.evaluation.probabilities.newton import sigmoid
from anagnosis.evaluation.probabilities.platt import Platt, log_odds
from anagnosis.folder_names import OVER_COLLECTION as FILE
from anagnosis.training.runs.fitted import forget, read_fitted
from anagnosis.training.sentence_calibrating import MeasuredMarks

FORMAT = 1
AGAIN = "make it anew with `anagnosis calibrate … --index INDEX_FOLDER`"
CLUES = ("odds", "overlap", "rank")

Floats = npt.NDArray[np.float64]


class MeasuredError(msgspec.Struct, frozen=True):
    """The calibration error of marked sentences, on questions that the fit did not see.

    error: binned; by_chance: what a perfect forecaster would have. debiased: the true one, low, high: its 95 %
    interval, p: of perfect calibration. Of an older fit debiased and p are None, and low and high are percentiles of
    answers drawn anew.
    """

    error: float
    low: float
    high: float
    by_chance: float
    debiased: float | None = None
    p: float | None = None


class OverCollection(msgspec.Struct, frozen=True):
    """What was fitted.

    runs: SHA-256 of each run's weights. platts: slope and intercept that each run had then. weights: of CLUES and 1.
    marks: with what they were worth. read: passages that were read of each question. questions, sentences: that it was
    fitted on. held: sentences that hold the answer. absent: questions whose documents are not in the index, and
    left_out those that the runs were trained on, which were not asked. documents: of the index. ranking: by
    which it was asked.
    """

    format: int
    runs: tuple[str, ...]
    platts: tuple[tuple[float, float], ...]
    weights: dict[str, float]
    marks: MeasuredMarks
    error: MeasuredError
    dataset: str
    split: str
    read: int
    questions: int
    sentences: int
    held: int
    absent: int
    left_out: int
    documents: int
    ranking: str

    def probabilities(self, clues: Floats) -> Floats:
        """float64 [n]. clues: as `clues` gives them."""
        return probabilities(clues, [*(self.weights[name] for name in CLUES), self.weights["1"]])


def clues(scores: Sequence[float], best: Sequence[float], ranks: Sequence[int]) -> Floats:
    """float64 [n, 4]: of each sentence CLUES and 1. scores: probabilities above 0, as a reader gives them.

    best: of its passage the best overlap. ranks: its passage's, from 0.
    """
    return np.column_stack([log_odds(np.log(scores)), best, np.log1p(ranks), np.ones(len(scores))])


def probabilities(rows: Floats, weights: Sequence[float]) -> Floats:
    """float64 [n]: the logistic function of rows · weights."""
    return sigmoid(rows @ np.array(weights))


def kept_in(folder: Path, runs: Sequence[str], platts: Sequence[Platt]) -> OverCollection | None:
    """What was fitted for the runs of a folder, None where nothing was. What is of others is refused (InputError)."""
    path = folder / FILE
    found = read_fitted(folder, FILE, OverCollection, AGAIN)
    if found is None:
        return None
    if found.format != FORMAT or set(found.weights) != {*CLUES, "1"}:
        raise InputError("was made by another version", str(path), AGAIN)
    if found.runs != tuple(runs):
        raise InputError("was fitted for other weights", str(path), AGAIN)
    if found.platts != as_pairs(platts):
        raise InputError("was fitted before the runs were calibrated anew", str(path), AGAIN)
    return found


def forget_stale(folder: Path, platts: Sequence[Platt]) -> bool:
    """Remove what was fitted when the runs said something else; whether there was such a thing."""
    found = read_fitted(folder, FILE, OverCollection, AGAIN)
    if found is None or found.platts == as_pairs(platts):
        return False
    forget(folder, FILE)
    return True


def as_pairs(platts: Sequence[Platt]) -> tuple[tuple[float, float], ...]:
    """As they are kept."""
    return tuple((one.slope, one.intercept) for one in platts)
