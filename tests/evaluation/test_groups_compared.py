"""Groups of people beside groups and systems: on what every group was asked, and whom a verdict holds for."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from tests.golds import plain
from tests.people import Reader, matched, people
from tests.rows import each_row

from anagnosis.datasets.gold import Gold
from anagnosis.errors import InputError
from anagnosis.evaluation.agreement import agreement
from anagnosis.evaluation.comparison import Comparison, compare_every_pair, words
from anagnosis.evaluation.differences.over_runs import OverRuns
from anagnosis.evaluation.differences.paired import Verdict
from anagnosis.evaluation.intervals import Interval
from anagnosis.evaluation.systems import System
from anagnosis.evaluation.tested_pairs import Pair
from anagnosis.predictions import Matched, Problem
from anagnosis.predictions.prediction import Prediction
from anagnosis.reports.report import Text
from anagnosis.reports.systems.agreement import report


def compared(
    gold: Gold, own: list[Matched], *systems: System, measures: tuple[str, ...] = ("accuracy",), **how: Any
) -> tuple[Comparison, ...]:
    given: dict[str, Any] = {"protocol": "expected", "seed": 1, "draws": 500, "measures": measures}
    return agreement(gold, own, systems, **given | how).comparisons


def answers(gold: Gold, who: str, group: str, right: str) -> list[Prediction]:
    """A line a sign: + is right, - wrong, . no answer, a blank no line."""
    said = {"+": "k0", "-": "k1", ".": None}
    return [
        Prediction(gold.ids.between(row, row + 1)[0], said[sign], annotator=who, group=group)
        for row, sign in enumerate(right)
        if sign != " "
    ]


def three_labels(size: int) -> Gold:
    gold = replace(plain(size, candidates=3), labels=("k0", "k1", "k2"), kind="decision")
    return replace(gold, answer=(np.arange(size) % 3).astype(np.int32))


@pytest.fixture(scope="module")
def gold() -> Gold:
    return plain(60, candidates=4)


def test_groups_and_systems_are_compared_on_the_questions_that_every_group_was_asked() -> None:
    gold = plain(8)
    own = matched(
        gold, [*answers(gold, "ann", "experts", "++++----"), *answers(gold, "bob", "lay", "    + ++")]
    )
    (run,) = matched(gold, answers(gold, "base", "", "+   +--+"))
    own[1] = replace(own[1], asked=np.arange(8) >= 4)
    (found,) = compared(gold, own, System.alone(run))
    assert [(one.name, one.estimate.value, one.estimate.n) for one in found.ranking] == [
        ("lay", 0.75, 4),  # a question without a line is wrong
        ("base", 0.5, 4),
        ("experts", 0.0, 4),
    ]
    assert found.family == 3
    assert "|people:answer|" in found.signature


def test_groups_without_a_question_in_common_and_one_group_alone_are_not_compared(gold: Gold) -> None:
    apart = [*answers(gold, "a", "x", "+++   "), *answers(gold, "b", "y", "   ++-")]
    found = agreement(gold, matched(gold, apart), protocol="expected", seed=1, draws=50)
    assert found.comparisons == ()
    note = "Not compared by accuracy: no question that it can judge was asked of every group."
    assert note in [block.text for block in report(found).blocks if isinstance(block, Text)]
    assert compared(gold, people(gold, [Reader("a"), Reader("b")], seed=1)) == ()


def test_each_measure_has_a_comparison_also_one_that_is_no_mean() -> None:
    gold = three_labels(40)
    readers = [Reader("a", "x", accuracy=0.9), Reader("b", "x", accuracy=0.8), Reader("c", "y", accuracy=0.5)]
    own = people(gold, readers, seed=1)
    found = compared(gold, own, measures=("accuracy", "macro_f1"), protocol="fixed")
    assert [each.measure for each in found] == ["accuracy", "macro_f1"]
    assert [each.ranking[0].name for each in found] == ["x (mean of 2)"] * 2
    assert all(f"measure:{each.measure}" in each.signature for each in found)


def test_people_who_scatter_are_not_different_even_where_these_people_are(gold: Gold) -> None:
    readers = [Reader("e0", "experts", accuracy=0.98), Reader("e1", "experts", accuracy=0.6)]
    readers += [Reader("l0", "lay", accuracy=0.4), Reader("l1", "lay", accuracy=0.4)]
    (found,) = compared(gold, people(gold, readers, seed=7))
    (pair,) = found.differences
    assert pair.holm_two_tailed < 0.05 < pair.holm
    assert pair.verdict == "tied"
    assert ": these people of experts (mean of 2) are better, but other people may not be (p " in words(
        pair, found
    )


def test_one_run_beside_people_and_one_person_beside_runs_are_taken_as_they_stand(gold: Gold) -> None:
    """How people vary says nothing of trainings, and one person does not show how people vary."""

    def as_they_vary(*systems: System) -> Pair:
        how: dict[str, Any] = {"protocol": "answer", "unit": "document", "seed": 1, "draws": 500}
        return compare_every_pair(gold, systems, **how).differences[0]

    group = people(gold, [Reader(f"p{n}", accuracy=(6 + n) / 10) for n in range(4)], seed=9)
    (run,) = people(gold, [Reader("s", accuracy=0.4)], seed=10)
    (found,) = compared(gold, group, System.alone(run))
    recipe = as_they_vary(System("p", tuple(group)), System.alone(run))
    assert found.differences[0].over_runs
    assert recipe.over_runs
    assert found.differences[0].over_runs.p < recipe.over_runs.p
    (person,) = people(gold, [Reader("p", accuracy=0.9)], seed=1)
    runs = people(gold, [Reader(f"r{n}", accuracy=of) for n, of in enumerate((0.5, 0.55, 0.6))], seed=2)
    (found,) = compared(gold, [person], System("net", tuple(runs)))
    fixed = replace(System.alone(person), untrained=True)
    assert found.differences[0].over_runs == as_they_vary(fixed, System("net", tuple(runs))).over_runs
    assert words(found.differences[0], found).endswith("; nothing is known of other people")
    readers = [Reader(f"b{n}", "y", accuracy=of) for n, of in enumerate((0.5, 0.6, 0.7))]
    one, *several = people(gold, [Reader("a", "x", accuracy=0.9), *readers], seed=3)
    (found,) = compared(gold, [one, *several])
    whole = as_they_vary(System.alone(one), System("y", tuple(several)))
    assert found.differences[0].over_runs == whole.over_runs


BETTER, OPEN = "experts is better than lay", "experts and lay are not shown to differ"
PEOPLE = f"{BETTER}, over other people and other instances"
RUNS = f"{BETTER}, over other runs and other instances"
OTHERS = "these people of experts are better, but other people may not be"
UNKNOWN = "nothing is known of other people"


@each_row(
    ("verdict", "people", "runs", "holm_two_tailed", "said"),
    [
        (
            "identical",
            (1, 1),
            (2, 3),
            0.01,
            "experts and lay do not differ: no instance was answered better by",
        ),
        ("better", (1, 1), None, 0.01, f"{BETTER}: as they are; {UNKNOWN}"),
        ("better", (0, 0), None, 0.01, f"{BETTER}: these two models, not their recipes (no second run)"),
        ("tied", (1, 1), None, 0.01, OPEN),
        ("better", (1, 1), (6, 4), 0.01, f"{PEOPLE} (6 people and 4 people)"),
        ("better", (1, 1), (1, 4), 0.01, f"{PEOPLE} (1 person and 4 people)"),
        ("better", (1, 0), (4, 3), 0.01, f"{PEOPLE} (4 people and 3 runs)"),
        ("better", (0, 0), (4, 1), 0.01, f"{RUNS} (4 runs and 1 run)"),
        ("better", (0, 1), (3, 1), 0.01, f"{RUNS} (3 runs and 1 person); {UNKNOWN}"),
        ("tied", (1, 1), (6, 4), 0.051, OPEN),
        ("tied", (1, 1), (6, 4), 0.05, f"{OPEN}: {OTHERS} (p 0.0046 over people, 0.35 corrected)"),
    ],
)
def test_each_verdict_says_whom_it_holds_for(
    verdict: Verdict,
    people: tuple[int, int],
    runs: tuple[int, int] | None,
    holm_two_tailed: float,
    said: str,
    gold: Gold,
) -> None:
    over = None if runs is None else OverRuns(runs, 0.00456)
    sides = (bool(people[0]), bool(people[1]))
    interval = Interval(0.04, 0.26, 0.95, "by hand")
    pair = Pair(
        *("experts", "lay", 0.15, interval, 0.011, 0.021, over, over is None, sides, 0.034, 0.015),
        holm_two_tailed=holm_two_tailed,
        holm=0.34567,
        verdict=verdict,
    )
    (run,) = matched(gold, answers(gold, "s", "", "-"))
    (found,) = compared(gold, matched(gold, answers(gold, "a", "x", "+")), System.alone(run))
    assert words(pair, found).startswith(said)
    if verdict != "identical":
        assert words(pair, found) == said


def test_the_official_score_takes_people_who_were_asked_a_part_and_systems_with_an_answer_to_it() -> None:
    gold = three_labels(59)
    own = matched(gold, [*answers(gold, "ann", "x", "+++++-.."), *answers(gold, "bea", "y", "+--+----")])
    whole, part, less = (
        matched(gold, answers(gold, name, "", right))[0]
        for name, right in (("s", "+" * 59), ("p", "-" * 8), ("l", "-" * 7))
    )
    (found,) = compared(gold, own, System.alone(whole), System.alone(part), protocol="official")
    assert {one.estimate.n for one in found.ranking} == {8}
    with pytest.raises(InputError, match="l: 1 answers are null; the official score takes an answer to each"):
        compared(gold, own, System.alone(less), protocol="official")
    stray = replace(whole, problems={"unknown": Problem(1, ("d99:0",))})
    with pytest.raises(InputError, match="1 unknown ids"):
        compared(gold, own, System.alone(stray), protocol="official")
