"""Pairs chosen by a ranking: which are shown, and that all are corrected for."""

from __future__ import annotations

import numpy as np
import pytest
from statsmodels.stats.multitest import multipletests

from anagnosis.evaluation.differences.ranked_pairs import corrected, every_pair, shown


def test_a_ranking_shows_the_next_best_and_the_first() -> None:
    assert shown(4) == [(0, 1), (0, 2), (0, 3), (1, 2), (2, 3)]
    assert shown(2) == [(0, 1)]
    assert [len(shown(k)) for k in range(2, 21)] == [2 * k - 3 for k in range(2, 21)]


@pytest.mark.parametrize("systems", [2, 3, 7, 20])
def test_every_pair_is_tested_once_and_corrected_for(systems: int) -> None:
    p_values = np.random.default_rng(systems).random((systems, systems)) ** 3
    every = {places: float(p_values[places]) for places in every_pair(systems)}
    assert len(every) == systems * (systems - 1) // 2
    assert set(shown(systems)) <= set(every)
    expected = multipletests([*every.values()], method="holm")[1]
    assert [*corrected(every).values()] == pytest.approx(expected.tolist())
