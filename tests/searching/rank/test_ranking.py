"""Two rankings in one, by hand."""

from __future__ import annotations

import pytest

from anagnosis.searching.rank.ranking import weighted


def test_a_weighted_sum_is_of_shares_of_the_best() -> None:
    found = weighted({"a": 8.0, "b": 2.0}, {"b": 0.5, "c": 0.2, "d": -0.5})
    assert found == pytest.approx(
        {
            "a": 0.7 * 0.5 / 1.5 + 0.3,  # no vector: as the worst that has one
            "b": 0.7 + 0.3 * 0.25,
            "c": 0.7 * 1.2 / 1.5,
            "d": 0.7 * 0.5 / 1.5,
        }
    )


def test_one_ranking_alone_keeps_its_order() -> None:
    assert weighted({}, {"a": 0.9, "b": 0.1})["a"] == pytest.approx(0.7)
    words = weighted({"a": 3.0, "b": 1.0}, {})
    assert words["a"] > words["b"]
    assert weighted({}, {}) == {}
    assert weighted({"a": 0.0}, {"a": -1.0}) == {"a": 0.0}
