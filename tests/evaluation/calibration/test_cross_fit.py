"""Cross-fitting: no row is judged by a fit that saw its question."""

from __future__ import annotations

import numpy as np

from anagnosis.array_types import Floats, Longs
from anagnosis.evaluation.calibration.scaling import FOLDS, Model, cross_fitted, folds_by_question


def test_every_row_is_judged_by_a_fit_on_all_other_folds_and_on_them_alone() -> None:
    question = np.repeat(np.arange(12), 3)
    folds = folds_by_question(question)
    seen: list[set[int]] = []

    def fit(rows: Longs) -> Model:
        learned = set(rows.tolist())
        seen.append(learned)

        def judge(others: Longs) -> Floats:
            assert learned.isdisjoint(others.tolist())
            assert learned | set(others.tolist()) == set(range(len(folds)))
            assert not set(question[rows].tolist()) & set(question[others].tolist())
            return others.astype(np.float64)

        return judge

    assert cross_fitted(folds, fit).tolist() == list(range(len(folds)))
    assert len(seen) == FOLDS


def test_folds_are_of_like_size_and_always_the_same() -> None:
    folds = folds_by_question(np.arange(12))
    assert sorted(np.bincount(folds).tolist()) == [2, 2, 2, 3, 3]
    assert (folds == folds_by_question(np.arange(12))).all()
