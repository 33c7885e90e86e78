"""What is promised of runs that are to come, beside runs that are drawn: the test finds it so often."""

from __future__ import annotations

import numpy as np
import pytest
from tests.rows import each_row

from anagnosis.evaluation.differences import over_runs_power
from anagnosis.evaluation.differences.over_runs import over_runs
from anagnosis.evaluation.differences.over_runs_power import ExpectedRuns


@each_row("fixed", [False, True])
@each_row(("runs", "power"), [(2, 0.8), (3, 0.8), (3, 0.5), (5, 0.9), (12, 0.8)])
def test_the_test_finds_the_difference_as_often_as_is_said(runs: int, power: float, fixed: bool) -> None:
    alone, questions = 0.0006, 0.0004 if fixed else 0.0
    expected = ExpectedRuns(runs, 0.0016, alone, questions, 200, fixed)
    difference = expected.detectable(power=power)
    dice = np.random.default_rng(7)
    sides = 1 if fixed else 2
    covariance = np.zeros((runs * sides + fixed, runs * sides + fixed))
    for side in range(sides):
        own = slice(side * runs, (side + 1) * runs)
        covariance[own, own] = 0.0002 * (1 - np.eye(runs)) + np.eye(runs) * (alone + 0.0002)
    if fixed:
        covariance[runs, runs] = questions - 0.0002
    else:
        covariance[:runs, runs:] = covariance[runs:, :runs] = 0.0002  # which two groups share, so that c is 0
    found = 0
    for _ in range(1000):
        shared = questions**0.5 * dice.standard_normal()
        first = difference + shared + 0.04 * dice.standard_normal(runs)
        second = np.zeros(1) if fixed else 0.04 * dice.standard_normal(runs)
        test = over_runs(first, second, covariance, 200, fixed=(False, fixed))
        assert test is not None
        found += test.p <= 0.05 and first.mean() > second.mean()
    assert found / 1000 == pytest.approx(power, abs=0.035)


def test_more_quantiles_move_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = [ExpectedRuns(runs, 0.002, 0.001, 0.0, 100) for runs in (3, 5, 20)]
    before = [own.detectable() for own in expected]
    monkeypatch.setattr(over_runs_power, "_QUANTILES", 240)
    assert [own.detectable() for own in expected] == pytest.approx(before, abs=0.003)


def test_runs_that_neither_scatter_nor_depend_on_questions_show_everything() -> None:
    assert ExpectedRuns(3, 0.0, 0.0, 0.0, 100).detectable() == 0.0


def test_runs_that_do_not_scatter_leave_it_to_the_questions() -> None:
    found = ExpectedRuns(3, 0.0, 0.0, 0.0009, 10_000, fixed=True).detectable()
    assert found == pytest.approx(0.03 * (1.96 + 0.8416), rel=0.01)
