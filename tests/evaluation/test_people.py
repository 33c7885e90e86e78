"""Groups: who is in which and what they were asked; their kappa."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from tests.golds import Row, gold_of, plain
from tests.people import Reader, matched, people

from anagnosis.datasets.gold import Gold
from anagnosis.evaluation.agreement import Agreement, agreement
from anagnosis.evaluation.people import UNNAMED, asked_of, groups_of, name_of, title
from anagnosis.evaluation.systems import System
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


def found_of(gold: Gold, own: list[Matched], *systems: System, draws: int = 200, **how: Any) -> Agreement:
    return agreement(gold, own, systems, seed=1, draws=draws, **{"protocol": "expected"} | how)


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
    values = [found.kappa["own label"].value for found in (group, apart)]
    assert values == pytest.approx([(3 / 4 - 3 / 16) / (1 - 3 / 16), 1.0])
