"""How names are ranked, and how sure one can be of each: by hand, or as `anagnosis calibrate` has fitted it.

The score of a name is a sum of its features (features.py) by weights, and of the best ones the natural logarithm
of what a cloze reader gives it, by a weight. Weights are set by hand (BY_HAND), or fitted on questions with known
answers by a conditional logit: of all names of a question a right one should have the highest score. A confidence is
then fitted on other questions: a logistic function of what CONFIDENCE names.

What is fitted lies beside the reader's weights (answers.json) and is for those alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec
import numpy as np
import numpy.typing as npt

from anagnosis.errors import InputError
from anagnosis.evaluation.probabilities.newton import lowest, sigmoid
from anagnosis.folder_names import ANSWERS as FILE
from anagnosis.searching.entities.features import FEATURES
from anagnosis.training.runs.fitted import read_fitted

Floats = npt.NDArray[np.float64]

FORMAT = 1
AGAIN = "make it anew with `anagnosis calibrate`"
# What was tried and what it is worth: design/search.md.
BY_HAND = {
    "sentences": 0.5, "papers": 0.5, "best overlap": 2.0, "rank": 0.5, "near": 3.0, "near sum": 1.5, "whole": 1.0,
    "rarity": 1.0, "fits": 2.0, "holds head": 1.0, "beside head": 0.7, "asked": -2.0, "defined": 0.3, "listed": 0.2,
    "nested": -2.0,
}  # fmt: skip
SHARE, UNSEEN = "share", "unseen"  # what a reader adds: log probability, and whether it saw the name
READING = {SHARE: 0.3, UNSEEN: -1.0}
LOWEST = -8.0  # log probability; what is less likely counts as this
CONFIDENCE = ("one", "log odds", "place", "overlap")
RIDGE = 1.0


class Fitted(msgspec.Struct, frozen=True):
    """What was fitted for a reader.

    weights: SHA-256 of each run's. features: name → weight. reading: of SHARE and UNSEEN. confidence: kind of question
    → weights of CONFIDENCE. enough: the confidence from which on a name belongs to a list. dataset: whose questions;
    ranked, judged: how many of them the ranking and the confidence were fitted on.
    """

    format: int
    weights: tuple[str, ...]
    features: dict[str, float]
    reading: dict[str, float]
    confidence: dict[str, tuple[float, ...]]
    enough: float
    dataset: str
    ranked: int
    judged: int


def fitted_of(folder: Path, weights: Sequence[str]) -> Fitted | None:
    """What was fitted for a run folder, None where nothing was; what is of other weights or another form is refused."""
    path = folder / FILE
    found = read_fitted(folder, FILE, Fitted, AGAIN)
    if found is None:
        return None
    if found.format != FORMAT or not set(found.features) <= set(FEATURES):
        raise InputError("was made by another version", str(path), AGAIN)
    if found.weights != tuple(weights):
        raise InputError("was fitted for other weights", str(path), AGAIN)
    return found


def scores(rows: Floats, weights: Mapping[str, float] = BY_HAND) -> Floats:
    """float64 [names]. rows: float64 [names, FEATURES]."""
    return rows @ np.array([weights.get(name, 0.0) for name in FEATURES])


def reading(shares: Sequence[float | None]) -> Floats:
    """float64 [names, 2]: SHARE and UNSEEN of each. shares: log probabilities, None where a name was not seen."""
    return np.array([(0.0, 1.0) if one is None else (max(one, LOWEST), 0.0) for one in shares]).reshape(-1, 2)


def judged(rows: Floats, weights: Sequence[float]) -> Floats:
    """float64 [names]: confidences. rows: as `signs` gives them."""
    return sigmoid(rows @ np.array(weights))


def signs(ranked: Floats, overlaps: Sequence[float]) -> Floats:
    """float64 [names, CONFIDENCE] of names in the order of their rank.

    ranked: float64 [names], falling scores. overlaps: of each name's best sentence with the question.
    """
    share = np.clip(softmax(ranked), 1e-6, 1 - 1e-6)
    return np.stack(
        [
            np.ones(len(ranked)),
            np.log(share / (1 - share)),
            np.log1p(np.arange(len(ranked))),
            np.array(overlaps, np.float64),
        ],
        axis=1,
    )


def softmax(values: Floats) -> Floats:
    """float64 [n], summing to 1."""
    found = np.exp(values - values.max())
    return found / found.sum()


def conditional_logit(rows: Sequence[Floats], right: Sequence[Floats], ridge: float = RIDGE) -> Floats:
    """float64 [features]: weights w that make the right names of each question likely under softmax(rows @ w).

    rows: float64 [names, features] of each question. right: float64 [names], shares that sum to 1: a question without a
    right name says nothing and is to be left out. ridge: of w²/2 in the loss, which is convex.
    """

    def at(weights: Floats) -> tuple[float, Floats, Floats]:
        loss, slope = ridge * float(weights @ weights) / 2, ridge * weights
        bend = ridge * np.eye(len(weights))
        for own, target in zip(rows, right, strict=True):
            values = own @ weights
            share = softmax(values)
            mean = share @ own
            loss += float(np.logaddexp.reduce(values) - target @ values)
            slope = slope + mean - target @ own
            bend += (own * share[:, None]).T @ own - np.outer(mean, mean)
        return loss, slope, bend

    return lowest(at, np.zeros(rows[0].shape[1]))
