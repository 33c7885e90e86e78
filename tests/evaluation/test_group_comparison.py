"""Groups beside groups and systems: only on what both were asked, with a test, corrected for all pairs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from tests.evaluation.made_pairs import compared as compared_by_hand
from tests.evaluation.made_pairs import group_pair, over, pair
from tests.golds import plain
from tests.people import Reader, matched, people
from tests.rows import each_row

from anagnosis.datasets.gold import Gold
from anagnosis.errors import InputError
from anagnosis.evaluation.agreement import agreement
from anagnosis.evaluation.comparison import compare_every_pair
from anagnosis.evaluation.group_comparison import GroupComparison, GroupPair, compare_groups, words
from anagnosis.evaluation.people import groups_of
from anagnosis.evaluation.scoring import score
from anagnosis.evaluation.systems import System
from anagnosis.evaluation.tested_pairs import Pair, corrected_family
from anagnosis.predictions import Matched, Problem
from anagnosis.predictions.prediction import Prediction


def compared(
    gold: Gold,
    own: list[Matched],
    *systems: System,
    measures: tuple[str, ...] = ("accuracy",),
    draws: int = 500,
) -> tuple[GroupComparison, ...]:
    return compare_groups(
        gold, groups_of(own), systems, measures=measures, protocol="expected", seed=1, draws=draws
    )


def of_systems(gold: Gold, *systems: System) -> Pair:
    """Two systems compared as they stand, by the options of `compared`."""
    options: dict[str, Any] = {"protocol": "answer", "unit": "document", "seed": 1, "draws": 500}
    return compare_every_pair(gold, systems, **options).differences[0]


def pair_of(found: GroupComparison, *names: str) -> GroupPair:
    (pair,) = (each for each in found.pairs if {each.tested.first, each.tested.second} == set(names))
    return pair


def answers(gold: Gold, who: str, group: str, right: str) -> list[Prediction]:
    """A line a sign: + is right, - wrong, . no answer, a blank no line."""
    said = {"+": "k0", "-": "k1", ".": None}
    return [
        Prediction(gold.ids.between(row, row + 1)[0], said[sign], annotator=who, group=group)
        for row, sign in enumerate(right)
        if sign != " "
    ]


@pytest.fixture(scope="module")
def gold() -> Gold:
    return plain(60, candidates=4)


def test_a_pair_is_compared_on_the_questions_that_both_were_asked() -> None:
    gold = plain(8)
    own = matched(
        gold,
        [
            *answers(gold, "ann", "experts", "++++----"),
            *answers(gold, "bob", "lay", "    +.++"),
        ],
    )
    (found,) = compared(gold, own)
    (pair,) = found.pairs
    assert (pair.questions, pair.documents) == (4, 4)
    assert (pair.tested.first, pair.tested.second) == ("lay", "experts")
    assert [value.value for value in pair.values] == [0.75, 0.0]
    assert pair.tested.difference == 0.75


def test_a_system_is_compared_on_all_that_the_group_was_asked_and_a_missing_line_is_wrong() -> None:
    gold = plain(8)
    own = matched(gold, answers(gold, "ann", "experts", "+++-    "))
    (system,) = matched(gold, answers(gold, "base", "", "+   ++++"))
    (found,) = compared(gold, own, System.alone(system))
    (pair,) = found.pairs
    assert (pair.questions, pair.people) == (4, (1, 0))
    assert [value.value for value in pair.values] == [0.75, 0.25]


def test_every_two_groups_and_each_group_with_each_system_are_paired_and_no_two_systems(gold: Gold) -> None:
    own = people(gold, [Reader("a", "x"), Reader("b", "y"), Reader("c", "z"), Reader("d", "z")], seed=2)
    one, two = (System.alone(each) for each in people(gold, [Reader("s"), Reader("t")], seed=3))
    (found,) = compared(gold, own, one, two)
    names = {frozenset((pair.tested.first, pair.tested.second)) for pair in found.pairs}
    groups = ("x", "y", "z")
    assert len(found.pairs) == len(names) == 3 + 3 * 2
    assert {"s", "t"} not in names
    assert {frozenset((group, system)) for group in groups for system in ("s", "t")} < names


def test_holm_covers_all_pairs_of_a_measure(gold: Gold) -> None:
    own = people(
        gold, [Reader("a", "x", accuracy=0.9), Reader("b", "y", accuracy=0.6), Reader("c", "z")], seed=4
    )
    (found,) = compared(gold, own)
    smallest = min(found.pairs, key=lambda pair: pair.tested.p)
    assert smallest.tested.holm == pytest.approx(min(1, 3 * smallest.tested.p))
    assert all(pair.tested.holm >= pair.tested.p for pair in found.pairs)


def test_a_verdict_is_of_the_corrected_values() -> None:
    sizes = ({"p": p, "p_one_tailed": p / 2, "p_two_tailed": p} for p in (0.03, 0.01, 0.2))
    family = corrected_family([pair("better", None, **own) for own in sizes])
    assert [(own.holm, own.holm_one_tailed, own.verdict) for own in family] == [
        (pytest.approx(0.06), pytest.approx(0.03), "tied"),
        (pytest.approx(0.03), pytest.approx(0.015), "better"),
        (pytest.approx(0.2), pytest.approx(0.1), "tied"),
    ]
    assert [own.holm_two_tailed for own in family] == [own.holm for own in family]


def test_people_who_scatter_are_not_different_even_where_these_people_are(gold: Gold) -> None:
    readers = [Reader("e0", "experts", accuracy=0.98), Reader("e1", "experts", accuracy=0.6)]
    readers += [Reader("l0", "lay", accuracy=0.4), Reader("l1", "lay", accuracy=0.4)]
    (found,) = compared(gold, people(gold, readers, seed=7))
    (pair,) = found.pairs
    assert pair.tested.holm_two_tailed < 0.05 < pair.tested.holm
    assert pair.tested.verdict == "tied"
    said = words(pair, found)
    assert ": these are better, but other people may not be (p " in said


def test_a_system_of_one_run_is_not_taken_to_scatter_as_people_do(gold: Gold) -> None:
    readers = [Reader(f"p{n}", accuracy=accuracy) for n, accuracy in enumerate((0.6, 0.7, 0.8, 0.9))]
    own = people(gold, readers, seed=9)
    (run,) = people(gold, [Reader("s", accuracy=0.4)], seed=10)
    (found,) = compared(gold, own, System.alone(run))
    (as_it_stands,) = found.pairs
    whole = of_systems(gold, System("p", tuple(own)), System.alone(run))
    runs, as_recipe = as_it_stands.tested.over_runs, whole.over_runs
    assert runs
    assert as_recipe
    assert runs.p < as_recipe.p
    assert words(as_it_stands, found).endswith("over other people and other questions (4 people)")


def test_groups_without_a_question_in_common_are_named() -> None:
    gold = plain(6)
    own = matched(gold, [*answers(gold, "a", "x", "+++   "), *answers(gold, "b", "y", "   ++-")])
    (found,) = compared(gold, own)
    assert (found.pairs, found.not_compared) == ((), (("x", "y"),))


def test_each_measure_is_a_family_also_one_that_is_no_mean() -> None:
    gold = replace(plain(40, candidates=3), labels=("k0", "k1", "k2"), kind="decision")
    gold = replace(gold, answer=(np.arange(40) % 3).astype(np.int32))
    own = people(
        gold,
        [Reader("a", "x", accuracy=0.9), Reader("b", "x", accuracy=0.8), Reader("c", "y", accuracy=0.5)],
        seed=1,
    )
    by_measure = compare_groups(
        gold, groups_of(own), (), measures=("accuracy", "macro_f1"), protocol="fixed", seed=1, draws=300
    )
    assert [each.measure for each in by_measure] == ["accuracy", "macro_f1"]
    for each in by_measure:
        assert each.pairs[0].tested.first == "x"
        assert each.pairs[0].tested.difference > 0
        assert f"measure:{each.measure}" in each.signature
    assert by_measure[1].pairs[0].tested.mcnemar is None


def test_one_group_alone_has_nothing_to_be_compared_with(gold: Gold) -> None:
    assert compared(gold, people(gold, [Reader("a"), Reader("b")], seed=1)) == ()


SEVERAL = "6 people and 4 people"
BETTER, OPEN = "experts is better than lay", "experts and lay are not shown to differ"
OTHERS = "these are better, but other people may not be"


@each_row(
    ("pair", "said"),
    [
        (
            group_pair("identical", (2, 3)),
            "experts and lay do not differ: no question was answered better by either",
        ),
        (
            group_pair("better", (1, 1), models_alone=True),
            f"{BETTER}: these two people; nothing is known of other people",
        ),
        (
            group_pair("better", (1, 0), models_alone=True),
            f"{BETTER}: this person and this system as they are; nothing is known of other people",
        ),
        (group_pair("tied", (1, 1)), OPEN),
        (group_pair("tied", (0, 1)), OPEN),
        (
            group_pair("better", (6, 4)),
            f"{BETTER}, over other people and other questions ({SEVERAL})",
        ),
        (
            group_pair("better", (1, 4)),
            f"{BETTER}, over other people and other questions (1 person and 4 people)",
        ),
        (
            group_pair("better", (0, 4)),
            f"{BETTER}, over other people and other questions (4 people)",
        ),
        (
            group_pair("better", (4, 0), runs=3),
            f"{BETTER}, over other people and other questions (4 people and 3 runs)",
        ),
        (
            group_pair("better", (0, 1), runs=3),
            f"{BETTER}, over other runs of the system and other questions (3 runs and 1 person); nothing is known of "
            "other people",
        ),
        (group_pair("tied", (6, 4), holm_two_tailed=0.051), OPEN),
        (group_pair("tied", (6, 4)), f"{OPEN}: {OTHERS} (p 0.034 over people, 0.068 corrected)"),
        (
            group_pair("tied", (6, 4), over_runs=over((6, 4), p=0.00456), holm=0.34567),
            f"{OPEN}: {OTHERS} (p 0.0046 over people, 0.35 corrected)",
        ),
        (
            group_pair("tied", (1, 0), runs=3),
            f"{OPEN}: these are better, but other runs of the system may not be (p 0.034 over runs of the system, "
            "0.068 corrected)",
        ),
    ],
)
def test_each_verdict_says_whom_it_holds_for(pair: GroupPair, said: str) -> None:
    assert words(pair, compared_by_hand(pair)) == said


def test_the_bound_of_what_is_chance_is_that_of_the_comparison() -> None:
    pair = group_pair("tied", (6, 4), holm_two_tailed=0.05)
    assert "these are better" in words(pair, compared_by_hand(pair))
    assert "these are better" not in words(pair, compared_by_hand(pair, alpha=0.04))


def test_one_person_is_not_taken_to_scatter_as_runs_of_a_system_do(gold: Gold) -> None:
    """A system that is trained anew varies; how people vary, one person does not show."""
    (person,) = people(gold, [Reader("p", accuracy=0.9)], seed=1)
    runs = people(
        gold, [Reader(f"r{n}", accuracy=value) for n, value in enumerate((0.5, 0.55, 0.75))], seed=2
    )
    system = System("net", tuple(runs))
    (found,) = compared(gold, [person], system)
    (pair,) = found.pairs
    alone = System.alone(person)
    varying, standing = (of_systems(gold, each, system) for each in (alone, replace(alone, untrained=True)))
    assert pair.tested.over_runs == standing.over_runs
    assert pair.tested.p < varying.p
    assert "over other people" not in words(pair, found)
    several = people(gold, [Reader("a", accuracy=0.9), Reader("b", accuracy=0.8)], seed=1)
    ((two,),) = (each.pairs for each in compared(gold, several, system))
    whole = of_systems(gold, System("x", tuple(several)), system)
    assert two.tested.over_runs == whole.over_runs
    (single,) = compared(gold, [person], System.alone(runs[0]))
    (pair,) = single.pairs
    assert pair.tested.models_alone
    assert words(pair, single).endswith(
        "this person and this system as they are; nothing is known of other people"
    )


def test_one_person_beside_several_is_taken_to_scatter_as_they_do(gold: Gold) -> None:
    readers = [Reader("a", "x", accuracy=0.9)]
    readers += [Reader(f"b{n}", "y", accuracy=value) for n, value in enumerate((0.5, 0.6, 0.7))]
    one, *several = people(gold, readers, seed=3)
    ((pair,),) = (each.pairs for each in compared(gold, [one, *several]))
    whole = of_systems(gold, System.alone(one), System("y", tuple(several)))
    assert pair.tested.over_runs == whole.over_runs
    assert ": these are better, but other people may not be (p " in words(pair, compared_by_hand(pair))


def test_of_two_that_are_equally_good_the_one_given_first_is_first() -> None:
    gold = plain(4)
    own = matched(gold, [*answers(gold, "a", "x", "+--+"), *answers(gold, "b", "y", "-++-")])
    for given, first in ((own, "x"), (own[::-1], "y")):
        ((pair,),) = (each.pairs for each in compared(gold, given))
        assert (pair.tested.first, pair.tested.difference) == (first, 0)


def test_the_official_score_takes_people_who_were_asked_a_part_and_systems_with_an_answer_to_it() -> None:
    gold = replace(plain(59, candidates=3), labels=("k0", "k1", "k2"), kind="decision")
    gold = replace(gold, answer=(np.arange(59) % 3).astype(np.int32))
    own = matched(gold, [*answers(gold, "ann", "x", "+++++-.."), *answers(gold, "bea", "y", "+--+----")])
    (whole,) = matched(gold, answers(gold, "s", "", "+" * 59))
    (part,) = matched(gold, answers(gold, "p", "", "-" * 8))
    (less,) = matched(gold, answers(gold, "l", "", "-" * 7))
    how: dict[str, Any] = {"protocol": "official", "seed": 1, "draws": 50}
    (found,) = agreement(gold, own, [System.alone(whole), System.alone(part)], **how).comparisons
    assert [pair.questions for pair in found.pairs] == [8] * 5
    ann, bea, other = (
        score(gold, each, protocol="official", asked=np.arange(8)).estimate.value
        for each in (*(replace(System.alone(person), people=True) for person in own), System.alone(whole))
    )
    given = pair_of(found, "x", "s").values
    assert {ann, other} == {value.value for value in given}
    assert bea in {value.value for value in pair_of(found, "y", "x").values}
    with pytest.raises(InputError, match="l: 1 answers are null; the official score takes an answer to each"):
        agreement(gold, own, [System.alone(less)], **how)
    stray = replace(whole, problems={"unknown": Problem(1, ("d99:0",))})
    with pytest.raises(InputError, match="1 unknown ids"):
        agreement(gold, own, [System.alone(stray)], **how)
