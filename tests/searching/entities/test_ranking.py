"""Fits of rankings and confidences, held to what they must find."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from anagnosis.errors import InputError
from anagnosis.evaluation.probabilities.newton import logistic
from anagnosis.searching.entities import ranking
from anagnosis.searching.entities.features import FEATURES


def test_the_weights_by_hand_are_of_features() -> None:
    assert set(ranking.BY_HAND) <= set(FEATURES)
    row = np.zeros((1, len(FEATURES)))
    row[0, FEATURES.index("near")] = 0.5
    assert ranking.scores(row) == pytest.approx(0.5 * ranking.BY_HAND["near"])


def test_a_conditional_logit_finds_the_weights_that_made_the_answers() -> None:
    draw, truth = np.random.default_rng(3), np.array([2.0, -1.0, 0.0])
    rows = [draw.normal(size=(8, 3)) for _ in range(600)]
    right = [np.eye(8)[draw.choice(8, p=ranking.softmax(own @ truth))] for own in rows]
    found = ranking.conditional_logit(rows, right, ridge=0.01)
    assert found == pytest.approx(truth, abs=0.25)


def test_its_loss_is_lowest_there() -> None:
    draw = np.random.default_rng(5)
    rows = [draw.normal(size=(4, 2)) for _ in range(30)]
    right = [np.full(4, 0.25) if n % 2 else np.eye(4)[0] for n in range(30)]
    found = ranking.conditional_logit(rows, right)

    def loss(weights: np.ndarray) -> float:
        values = [own @ weights for own in rows]
        told = sum(np.logaddexp.reduce(own) - target @ own for own, target in zip(values, right, strict=True))
        return float(told + weights @ weights / 2)

    for step in ([0.01, 0], [-0.01, 0], [0, 0.01], [0, -0.01]):
        assert loss(found) < loss(found + np.array(step))


def test_a_logistic_confidence_says_how_often() -> None:
    draw = np.random.default_rng(7)
    sign = draw.normal(size=4000)
    rows = np.stack([np.ones(4000), sign], axis=1)
    right = (draw.random(4000) < 1 / (1 + np.exp(-(sign - 1)))).astype(float)
    sure = ranking.judged(rows, logistic(rows, right, ranking.RIDGE).tolist())
    assert sure.mean() == pytest.approx(right.mean(), abs=0.01)
    for low, high in ((0, 0.2), (0.2, 0.4), (0.4, 1)):
        own = (sure >= low) & (sure < high)
        assert right[own].mean() == pytest.approx(sure[own].mean(), abs=0.05)


def test_all_names_alike_and_one_name_have_confidences() -> None:
    for values in ([0.0], [1.0, 1.0, 1.0], [800.0, -800.0]):
        rows = ranking.signs(np.array(values), [0.0] * len(values))
        assert np.isfinite(rows).all()


def test_a_file_that_is_none_of_ours_is_one_line(tmp_path: Path) -> None:
    assert ranking.fitted_of(tmp_path, ["x"]) is None
    (tmp_path / ranking.FILE).write_text("{")
    with pytest.raises(InputError, match="anagnosis calibrate"):
        ranking.fitted_of(tmp_path, ["x"])
