"""Groups: who is in which and what they were asked; tested beside groups and systems as systems are; their kappa."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from tests.golds import Row, gold_of, plain
from tests.people import Reader, matched, people

from anagnosis.datasets.gold import Gold
from anagnosis.evaluation.agreement import Agreement, agreement
from anagnosis.evaluation.comparison import Comparison, compare_every_pair, words
from anagnosis.evaluation.people import UNNAMED, asked_of, by_answers, group_of, groups_of, name_of, title
from anagnosis.evaluation.systems import System
from anagnosis.evaluation.tested_pairs import Pair
from anagnosis.predictions import OUTSIDE, Matched
from anagnosis.predictions.prediction import Prediction


def person(gold: Gold, who: str, group: str | None, *rows: int) -> Matched:
    """With a line for each of these questions; for the last of them "could not answer"."""
    ids = [gold.ids.between(row, row + 1)[0] for row in rows]
    given = [
        Prediction(id, "k0" if row != rows[-1] else None, annotator=who, group=group)
        for row, id in zip(rows, ids, strict=True)
    ]
    return matched(gold, given)[0]


@pytest.fixture(scope="module")
def gold() -> Gold:
    return plain(6)


def test_groups_and_their_people_stand_in_the_order_of_their_first_lines(gold: Gold) -> None:
    given = [("z", "lay"), ("b", None), ("a", "lay"), ("c", "experts"), ("d", "")]
    found = groups_of([person(gold, who, group, 0, 1) for who, group in given])
    assert [(group.name, group.names) for group in found] == [
        ("lay", ("z", "a")),
        (UNNAMED, ("b", "d")),
        ("experts", ("c",)),
    ]
    assert groups_of([]) == []


def test_people_without_a_group_and_a_group_of_that_name_are_one(gold: Gold) -> None:
    assert group_of(person(gold, "a", None, 0)) == group_of(person(gold, "a", UNNAMED, 0)) == UNNAMED
    assert group_of(person(gold, "a", "lay", 0)) == "lay"


def test_a_person_is_called_as_the_lines_say_else_as_the_file(gold: Gold) -> None:
    own = person(gold, "ann", None, 0)
    assert name_of(replace(own, name="file")) == "ann"
    assert name_of(replace(own, name="file", annotator=None)) == "file"


def test_a_group_as_a_system_has_its_people_as_runs_and_their_number_in_its_name(gold: Gold) -> None:
    one, two, three = (person(gold, who, group, 0, 1) for who, group in (("a", "x"), ("b", "x"), ("c", "y")))
    several, single = groups_of([one, two, three])
    assert (several.as_system.name, single.as_system.name) == ("x (mean of 2)", "y")
    assert [run.annotator for run in several.as_system.runs] == ["a", "b"]
    assert (title("x", 1), title("x", 2), title("x", 11)) == ("x", "x (mean of 2)", "x (mean of 11)")


def test_what_one_has_a_line_for_was_asked_of_the_group_also_where_it_was_left(gold: Gold) -> None:
    one, two = person(gold, "a", "x", 1, 4), person(gold, "b", "x", 2, 4)
    (group,) = groups_of([one, two])
    assert group.asked.tolist() == asked_of([two, one]).tolist() == [1, 2, 4]
    assert asked_of([one]).tolist() == [1, 4]


def test_a_study_asked_its_questions_of_everybody_whether_or_not_somebody_has_a_line(gold: Gold) -> None:
    study = np.zeros(6, np.bool_)
    study[[0, 5]] = True
    in_study = replace(person(gold, "a", "x", 0), asked=study)
    alone = person(gold, "b", "y", 3)
    assert asked_of([in_study]).tolist() == [0, 5]
    assert asked_of([in_study, alone]).tolist() == [0, 3, 5]
    assert [group.asked.tolist() for group in groups_of([in_study, alone])] == [[0, 5], [3]]


def test_people_are_taken_by_their_answers_and_not_by_scores() -> None:
    gold = plain(2)
    (ident,) = gold.ids.between(0, 1)
    (person,) = matched(gold, [Prediction(ident, "k0", {"k0": 0.1, "k1": 0.9}, annotator="a")])
    assert person.tied.any()
    found = agreement(
        gold, [person], [System("s", (by_answers(person),))], protocol="expected", seed=1, draws=9
    )
    assert [ranked.estimate.value for ranked in found.comparisons[0].ranking] == [1, 1]
    assert [own and own.value for own in found.people[0].accuracy.values()] == [1, 1, 1]


def found_of(gold: Gold, own: list[Matched], *systems: System, draws: int = 200, **how: Any) -> Agreement:
    return agreement(gold, own, systems, seed=1, draws=draws, **{"protocol": "expected"} | how)


def of_systems(gold: Gold, *systems: System) -> Pair:
    """Two systems tested as they stand."""
    found = compare_every_pair(gold, systems, protocol="answer", unit="document", seed=1, draws=200)
    return found.differences[0]


def answers(gold: Gold, who: str, group: str, right: str) -> list[Prediction]:
    """A line a sign: + is right, - wrong, . no answer, a blank no line."""
    said = {"+": "k0", "-": "k1", ".": None}
    return [
        Prediction(gold.ids.between(row, row + 1)[0], said[sign], annotator=who, group=group)
        for row, sign in enumerate(right)
        if sign != " "
    ]


def values(found: Comparison) -> dict[str, float]:
    return {ranked.name: ranked.estimate.value for ranked in found.ranking}


def test_groups_and_systems_are_ranked_on_what_every_group_was_asked_and_a_missing_line_is_wrong() -> None:
    gold = plain(8)
    own = matched(
        gold,
        [
            *answers(gold, "ann", "experts", "++++----"),
            *answers(gold, "bob", "lay", "    +.++"),
            *answers(gold, "cat", "lay", "    +-- "),
        ],
    )
    (system,) = matched(gold, answers(gold, "base", "", "+   ++  "))
    (found,) = found_of(gold, own, System.alone(system)).comparisons
    assert values(found) == {"base": 0.5, "lay (mean of 2)": 0.5, "experts": 0}
    assert (found.family, found.people) == (3, True)
    assert "|n:4|" in found.signature
    assert "|asked:8|" in found.signature
    assert not any("missing" in ranked.problems for ranked in found.ranking if ranked.name != "base")


def test_groups_without_a_question_in_common_are_not_compared() -> None:
    gold = plain(6)
    own = matched(gold, [*answers(gold, "a", "x", "+++   "), *answers(gold, "b", "y", "   ++-")])
    assert found_of(gold, own).comparisons == ()
    assert found_of(gold, own[:1]).comparisons == ()


@pytest.fixture(scope="module")
def sixty() -> Gold:
    return plain(60, candidates=4)


def readers(group: str, *accuracies: float) -> list[Reader]:
    return [Reader(f"{group}{n}", group, accuracy=value) for n, value in enumerate(accuracies)]


def test_people_who_scatter_are_not_different_even_where_these_people_are(sixty: Gold) -> None:
    own = people(sixty, [*readers("experts", 0.98, 0.6), *readers("lay", 0.4, 0.4)], seed=7)
    (found,) = found_of(sixty, own).comparisons
    (pair,) = found.differences
    assert pair.holm_two_tailed < 0.05 < pair.holm
    assert pair.verdict == "tied"
    assert (
        "these people or runs of experts (mean of 2) are better, but other people or runs may not be"
        in words(pair, found)
    )


@pytest.mark.parametrize(
    ("group", "runs", "fixed"),
    [
        ((0.6, 0.7, 0.8, 0.9), (0.4,), "system"),  # one run does not scatter as people do
        ((0.9,), (0.5, 0.55, 0.75), "person"),  # nor one person as runs do
        ((0.9, 0.8), (0.5, 0.55, 0.75), ""),
    ],
)
def test_people_and_runs_say_nothing_of_how_the_others_vary(
    sixty: Gold, group: Sequence[float], runs: Sequence[float], fixed: str
) -> None:
    own = people(sixty, readers("x", *group), seed=9)
    system = System("net", tuple(people(sixty, readers("r", *runs), seed=10)))
    (pair,) = found_of(sixty, own, system).comparisons[0].differences
    persons = System("x", tuple(own))
    as_recipes = of_systems(sixty, persons, system)
    standing = of_systems(
        sixty,
        replace(persons, untrained=fixed == "person"),
        replace(system, untrained=fixed == "system"),
    )
    assert pair.over_runs == standing.over_runs
    assert (pair.over_runs == as_recipes.over_runs) == (not fixed)


def test_one_person_beside_several_is_taken_to_scatter_as_they_do(sixty: Gold) -> None:
    one, *several = people(sixty, [*readers("x", 0.9), *readers("y", 0.5, 0.6, 0.7)], seed=3)
    (pair,) = found_of(sixty, [one, *several]).comparisons[0].differences
    assert pair.over_runs == of_systems(sixty, System.alone(one), System("y", tuple(several))).over_runs


def test_one_person_and_one_run_are_tested_as_they_are(sixty: Gold) -> None:
    own = people(sixty, readers("x", 0.95), seed=1)
    (run,) = people(sixty, readers("s", 0.4), seed=2)
    (found,) = found_of(sixty, own, System.alone(run)).comparisons
    (pair,) = found.differences
    assert pair.models_alone
    assert words(pair, found) == "x is better than s0: these two as they are"


def test_each_measure_is_a_family_also_one_that_is_no_mean() -> None:
    gold = replace(plain(40, candidates=3), labels=("k0", "k1", "k2"), kind="decision")
    gold = replace(gold, answer=(np.arange(40) % 3).astype(np.int32))
    own = people(gold, [*readers("x", 0.9, 0.8), *readers("y", 0.5)], seed=1)
    found = found_of(gold, own, measures=("accuracy", "macro_f1"), protocol="fixed").comparisons
    assert [each.measure for each in found] == ["accuracy", "macro_f1"]
    for each in found:
        assert each.ranking[0].name == "x (mean of 2)"
        assert f"measure:{each.measure}" in each.signature


def test_where_everybody_answered_the_three_treatments_of_kappa_are_one() -> None:
    gold = gold_of(
        [Row(f"d{row}:0", [f"k{(7 * row + place) % 40}" for place in range(6)], row % 6) for row in range(40)]
    )
    (group,) = found_of(gold, people(gold, [Reader("a"), Reader("b"), Reader("c")], seed=6)).groups
    assert group.kappa["own label"] == group.kappa["left out"] == group.kappa["wrong"]


def test_texts_that_are_no_candidate_agree_where_they_are_equal() -> None:
    gold = gold_of([Row(f"{row}:0", ["x", "y"]) for row in range(4)])
    choice = np.array([OUTSIDE, OUTSIDE, OUTSIDE, 0], np.int32)
    own = people(gold, [Reader("a"), Reader("b")], seed=1)
    told = [(("chest CT",), ("fever",), ("rash",), ("x",)), (("Chest  ct",), ("cough",), ("rash",), ("x",))]
    with_texts = [
        replace(person, choice=choice, texts=texts) for person, texts in zip(own, told, strict=True)
    ]
    (group,) = found_of(gold, with_texts).groups
    (apart,) = found_of(gold, [replace(person, choice=choice, texts=None) for person in own]).groups
    observed = [found.kappa["own label"] for found in (group, apart)]
    assert [each.observed for each in observed if each] == [0.75, 1.0]
