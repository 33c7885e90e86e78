"""The ranking of names, by weights set by hand or fitted by `anagnosis calibrate`.

The score of a name is the weighted sum of its features (features.py); for the best names we add the weighted natural
logarithm of a cloze reader's probability. Weights are set by hand (BY_HAND), or fitted by a conditional logit on
questions with known answers: among the names of a question a right one should have the highest score. Confidences are
fitted on other questions (calibration/names.py).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from anagnosis.array_types import Floats
from anagnosis.calibration.names import NameParameters
from anagnosis.calibration.parameters import other_version, read
from anagnosis.searching.entities.features import FEATURES

# design/search.md has the alternatives that we tried, with their results.
BY_HAND = {
    "sentences": 0.5, "papers": 0.5, "best overlap": 2.0, "rank": 0.5, "near": 3.0, "near sum": 1.5, "whole": 1.0,
    "rarity": 1.0, "fits": 2.0, "holds head": 1.0, "beside head": 0.7, "asked": -2.0, "defined": 0.3, "listed": 0.2,
    "nested": -2.0,
}  # fmt: skip
SHARE, UNSEEN = "share", "unseen"  # a reader's columns: log probability; 1 if it did not see the name
READING = {SHARE: 0.3, UNSEEN: -1.0}
LOWEST = -8.0  # lower bound of log probabilities


def fitted_of(folder: Path, digests: Sequence[str]) -> NameParameters | None:
    """The fit of a run folder, None without one. InputError: it belongs to other weights or features."""
    parameters = read(folder, NameParameters, digests)
    if parameters is not None and not set(parameters.features) <= set(FEATURES):
        raise other_version(folder, NameParameters)
    return parameters


def scores(rows: Floats, weights: Mapping[str, float] = BY_HAND) -> Floats:
    """float64 [names]. rows: float64 [names, FEATURES]."""
    return rows @ np.array([weights.get(name, 0.0) for name in FEATURES])


def reading(shares: Sequence[float | None]) -> Floats:
    """float64 [names, 2]: SHARE and UNSEEN of each. shares: log probabilities, None where a name was not seen."""
    return np.array([(0.0, 1.0) if one is None else (max(one, LOWEST), 0.0) for one in shares]).reshape(-1, 2)
