"""Topics by two-proportion z-tests, against statsmodels."""

from __future__ import annotations

from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportions_ztest

from anagnosis.evaluation.over_represented import over_represented

HERE = {"Humans": 95, "Prospective Studies": 20, "Mice": 2, "Rare": 1}
THERE = {"Humans": 600, "Prospective Studies": 40, "Mice": 300, "Only there": 7}


def test_the_tests_are_those_of_statsmodels() -> None:
    found = over_represented(HERE, 100, THERE, 1000)
    names = [
        "Humans",
        "Prospective Studies",
        "Mice",
    ]  # of the others fewer than five are expected among a hundred
    tests = [proportions_ztest([HERE.get(n, 0), THERE.get(n, 0)], [100, 1000]) for n in names]
    corrected = dict(zip(names, multipletests([p for _, p in tests], method="holm")[1], strict=True))
    values = dict(zip(names, tests, strict=True))
    expected = {n for n in names if corrected[n] < 0.05 and values[n][0] > 0}
    assert {topic.name for topic in found} == expected == {"Humans", "Prospective Studies"}
    for topic in found:
        assert abs(topic.z - values[topic.name][0]) < 1e-9
        assert abs(topic.p - values[topic.name][1]) < 1e-12
        assert abs(topic.holm - corrected[topic.name]) < 1e-12
    assert [topic.z for topic in found] == sorted((topic.z for topic in found), reverse=True)


def test_what_all_have_is_no_topic_of_either() -> None:
    assert over_represented({"Humans": 5}, 5, {"Humans": 9}, 9) == []
