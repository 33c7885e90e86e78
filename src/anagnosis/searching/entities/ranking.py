"""A fitted reader of names: weights of the ranking and of the confidence, the threshold, its figures, in one file.

    FOLDER/names.json

The score of a name is the weighted sum of its features (features.py), by a conditional logit on questions with known
answers: among the names of a question a right one should have the highest score. The confidence is a logistic function
of confidence.py's features. searching/fit/name_fitting.py makes the file; it is checked when it is loaded.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path

import msgspec
import numpy as np

from anagnosis.array_types import Floats
from anagnosis.errors import InputError
from anagnosis.evaluation.calibration.newton import sigmoid
from anagnosis.io.checksums import read_checked_json, write_checked_json
from anagnosis.searching.entities.confidence import CONFIDENCE
from anagnosis.searching.entities.features import FEATURES
from anagnosis.searching.records.names import NameFigures

FILE = "names.json"
FORMAT = 1
REMEDY = "make it again with `anagnosis readers make --data DATA --out READERS --replace`"
# For the choice of the names whose features are fitted; design/answers.md has the alternatives that we tried.
BY_HAND = {
    "sentences": 0.5, "papers": 0.5, "best overlap": 2.0, "rank": 0.5, "near": 3.0, "near sum": 1.5, "whole": 1.0,
    "rarity": 1.0, "fits": 2.0, "holds head": 1.0, "beside head": 0.7, "asked": -2.0, "defined": 0.3, "listed": 0.2,
    "nested": -2.0,
}  # fmt: skip


class NameWeights(msgspec.Struct, frozen=True):
    """features, confidence: weights by name. least: the least confidence of a name that is shown.

    data, sha256, questions: what it was fitted on.
    """

    format: int
    features: dict[str, float]
    confidence: dict[str, float]
    least: float
    data: str
    sha256: str
    questions: int
    figures: NameFigures


def scores(rows: Floats, weights: Mapping[str, float] = BY_HAND) -> Floats:
    """float64 [names]. rows: float64 [names, FEATURES]."""
    return rows @ np.array([weights.get(name, 0.0) for name in FEATURES])


def confidences(rows: Floats, weights: Mapping[str, float]) -> Floats:
    """float64 [names]. rows: float64 [names, CONFIDENCE]."""
    return sigmoid(rows @ np.array([weights.get(name, 0.0) for name in CONFIDENCE]))


def load_name_weights(folder: Path) -> NameWeights:
    """Load and check a folder's reader. InputError: it is damaged, or another version made it."""
    fitted = read_checked_json(folder / FILE, NameWeights, REMEDY)
    same = fitted.features.keys() <= set(FEATURES) and fitted.confidence.keys() <= set(CONFIDENCE)
    if fitted.format != FORMAT or not same:
        raise InputError("was made by another version", str(folder / FILE), REMEDY)
    values = (*fitted.features.values(), *fitted.confidence.values(), fitted.least)
    if not all(map(math.isfinite, values)) or not 0 <= fitted.least <= 1:
        raise InputError("has weights that are no numbers", str(folder / FILE), REMEDY)
    return fitted


def store_name_weights(folder: Path, fitted: NameWeights) -> None:
    """Write a fitted reader into its folder."""
    folder.mkdir(parents=True, exist_ok=True)
    write_checked_json(folder / FILE, fitted)
