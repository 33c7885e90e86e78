"""How sure one can be of each name that a reader of cloze questions gives: answers.json in its folder.

A confidence is a logistic function of what CONFIDENCE names, fitted on questions with known answers
(searching/fit/name_fitting.py). The file has the weights by which names are ranked, too
(searching/entities/ranking.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from anagnosis.array_types import Floats
from anagnosis.calibration.newton import logistic, sigmoid, softmax
from anagnosis.calibration.parameters import FolderParameters
from anagnosis.folder_names import ANSWERS

CONFIDENCE = ("one", "log odds", "place", "overlap")
RIDGE = 1.0


class NameParameters(FolderParameters, frozen=True):
    """What was fitted for a reader.

    features: name → weight. reading: weights of what the reader adds. confidence: kind
    of question → weights of CONFIDENCE. enough: the confidence from which on a name belongs to a list. dataset: whose
    questions; ranked, judged: how many of them the ranking and the confidence were fitted on.
    """

    file: ClassVar[str] = ANSWERS
    remedy: ClassVar[str] = "make it anew with `anagnosis calibrate`"

    features: dict[str, float]
    reading: dict[str, float]
    confidence: dict[str, tuple[float, ...]]
    enough: float
    dataset: str
    ranked: int
    judged: int


def fitted_confidence(rows: Floats, right: Sequence[bool]) -> tuple[float, ...]:
    """Weights of CONFIDENCE. rows: float64 [names, CONFIDENCE]. right: whether each name is an answer."""
    return tuple(map(float, logistic(rows, np.array(right, np.float64), RIDGE)))


def confidences(rows: Floats, weights: Sequence[float]) -> Floats:
    """float64 [names]. rows: float64 [names, CONFIDENCE]."""
    return sigmoid(rows @ np.array(weights))


def confidence_rows(ranked: Floats, overlaps: Sequence[float]) -> Floats:
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
