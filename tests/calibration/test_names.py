"""Confidences of names: as often right as they say, and finite whatever the scores."""

from __future__ import annotations

import numpy as np
import pytest

from anagnosis.calibration.names import confidence_rows, confidences, fitted_confidence


def test_a_logistic_confidence_says_how_often() -> None:
    draw = np.random.default_rng(7)
    sign = draw.normal(size=4000)
    rows = np.stack([np.ones(4000), sign], axis=1)
    right = (draw.random(4000) < 1 / (1 + np.exp(-(sign - 1)))).astype(float)
    sure = confidences(rows, fitted_confidence(rows, right.tolist()))
    assert sure.mean() == pytest.approx(right.mean(), abs=0.01)
    for low, high in ((0, 0.2), (0.2, 0.4), (0.4, 1)):
        own = (sure >= low) & (sure < high)
        assert right[own].mean() == pytest.approx(sure[own].mean(), abs=0.05)


def test_all_names_alike_and_one_name_have_confidences() -> None:
    for values in ([0.0], [1.0, 1.0, 1.0], [800.0, -800.0]):
        rows = confidence_rows(np.array(values), [0.0] * len(values))
        assert np.isfinite(rows).all()
