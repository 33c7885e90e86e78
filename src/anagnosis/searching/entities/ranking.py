"""How names are ranked: by weights set by hand, or as `anagnosis calibrate` has fitted them.

The score of a name is a sum of its features (features.py) by weights, and of the best ones the natural logarithm
of what a cloze reader gives it, by a weight. Weights are set by hand (BY_HAND), or fitted on questions with known
answers by a conditional logit: of all names of a question a right one should have the highest score. How sure one can
be of each is fitted on other questions (calibration/names.py).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from anagnosis.array_types import Floats
from anagnosis.calibration.names import NameParameters
from anagnosis.calibration.parameters import other_version, read
from anagnosis.searching.entities.features import FEATURES

# What was tried and what it is worth: design/search.md.
BY_HAND = {
    "sentences": 0.5, "papers": 0.5, "best overlap": 2.0, "rank": 0.5, "near": 3.0, "near sum": 1.5, "whole": 1.0,
    "rarity": 1.0, "fits": 2.0, "holds head": 1.0, "beside head": 0.7, "asked": -2.0, "defined": 0.3, "listed": 0.2,
    "nested": -2.0,
}  # fmt: skip
SHARE, UNSEEN = "share", "unseen"  # what a reader adds: log probability, and whether it saw the name
READING = {SHARE: 0.3, UNSEEN: -1.0}
LOWEST = -8.0  # log probability; what is less likely counts as this


def fitted_of(folder: Path, digests: Sequence[str]) -> NameParameters | None:
    """The fit for a run folder, None where there is none. Refused (InputError): that of other weights or features."""
    found = read(folder, NameParameters, digests)
    if found is not None and not set(found.features) <= set(FEATURES):
        raise other_version(folder, NameParameters)
    return found


def scores(rows: Floats, weights: Mapping[str, float] = BY_HAND) -> Floats:
    """float64 [names]. rows: float64 [names, FEATURES]."""
    return rows @ np.array([weights.get(name, 0.0) for name in FEATURES])


def reading(shares: Sequence[float | None]) -> Floats:
    """float64 [names, 2]: SHARE and UNSEEN of each. shares: log probabilities, None where a name was not seen."""
    return np.array([(0.0, 1.0) if one is None else (max(one, LOWEST), 0.0) for one in shares]).reshape(-1, 2)
