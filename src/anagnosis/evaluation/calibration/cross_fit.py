"""Cross-fitting: what a fit is worth on questions that it did not see.

Questions are drawn into FOLDS parts; each part is judged by what was fitted on the others.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from anagnosis.array_types import Floats, Longs

FOLDS = 5

Model = Callable[[Longs], Floats]


def folds_by_question(question: Longs) -> Longs:
    """int64 [n]: the fold of each row, the same for all rows of a question. question: int64 [n], from 0."""
    drawn = np.random.default_rng(0).permutation(int(question.max()) + 1) % FOLDS
    return drawn[question]


def cross_fitted(folds: Longs, fit: Callable[[Longs], Model]) -> Floats:
    """float64 [n]: of each row what a model says that was fitted on the other folds.

    folds: int64 [n]. fit: from the numbers of rows to learn from, a function from numbers of other rows to float64.
    """
    values = np.empty(len(folds))
    for fold in np.unique(folds):
        inside = np.flatnonzero(folds == fold)
        values[inside] = fit(np.flatnonzero(folds != fold))(inside)
    return values
