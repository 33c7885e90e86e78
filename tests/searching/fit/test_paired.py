"""Intervals of paired differences, and questions, not answers, are what is drawn anew."""

from __future__ import annotations

import pytest

from anagnosis.searching.fit.paired import difference


def test_the_interval_holds_the_mean_difference_and_knows_pairs() -> None:
    there = [0.0, 1.0] * 50
    low, high = difference([1.0] * 100, there)
    assert low < 0.5 < high
    assert (low, high) == pytest.approx((0.4, 0.6), abs=0.02)  # ± 1.96 · .5 / √100
    assert difference([one + 0.25 for one in there], there) == pytest.approx((0.25, 0.25))
    assert difference(there, [1.0] * 100) == pytest.approx((-high, -low), abs=0.03)
