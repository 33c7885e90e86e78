"""Groups: who is in which, in what order, what they were asked, and what tables call them.

Some answers of several people as one sample: each answer counts the same, and a document counts once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from tests.golds import plain
from tests.people import matched

from anagnosis.array_types import Bools
from anagnosis.datasets.gold import Gold
from anagnosis.evaluation.intervals import estimate
from anagnosis.evaluation.measures.measure import Statistics, mean_of_sums, named
from anagnosis.evaluation.people.groups import (
    UNNAMED,
    MeasuredPerson,
    asked_of,
    group_of,
    groups_of,
    measured_people,
    name_of,
    pooled_values,
    title,
)
from anagnosis.evaluation.run_measurements import RunMeasurements
from anagnosis.predictions import Matched
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
    assert [*map(id, several.as_system.runs)] == [id(one), id(two)]
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


def answers(gold: Gold, given: Mapping[str, Sequence[str | None]]) -> list[Matched]:
    """name → answers to the first questions."""
    return matched(
        gold,
        [
            Prediction(id, answer, annotator=who)
            for who, own in given.items()
            for id, answer in zip(gold.ids.between(0, len(own)), own, strict=True)
        ],
    )


def labelled(n: int) -> Gold:
    """n questions, whose labels k0, k1 and k2 are right in turn."""
    gold = replace(plain(n, candidates=3), labels=("k0", "k1", "k2"), kind="decision")
    return replace(gold, answer=(np.arange(n) % 3).astype(np.int32))


def measured(gold: Gold, own: Sequence[Matched], *measures: str) -> list[MeasuredPerson]:
    return measured_people(gold, own, measures, "expected", asked_of(own))


def chosen(gold: Gold, *rows: Sequence[int]) -> list[Bools]:
    """For each person the questions of which the answer counts."""
    found = [np.zeros(len(gold), np.bool_) for _ in rows]
    for one, own in zip(found, rows, strict=True):
        one[list(own)] = True
    return found


def test_each_answer_counts_the_same_and_not_each_person() -> None:
    gold = plain(6)
    own = measured(gold, answers(gold, {"a": ["k1"] * 6, "b": ["k0"] * 6}), "accuracy")
    found = pooled_values(gold, own, chosen(gold, [0], [0, 3, 5]))["accuracy"]
    assert (found.value, found.n) == (3 / 4, 4)  # the mean of the two people's means would be 1/2
    assert pooled_values(gold, own, chosen(gold, [0, 1, 2], []))["accuracy"].value == 0
    assert pooled_values(gold, own, chosen(gold, [], [])) == {}


def test_the_answers_to_one_document_are_one_cluster() -> None:
    gold = plain(8, per_document=2)
    right = {"a": "++--++-+", "b": "+---++++"}
    given = {who: [{"+": "k0", "-": "k1"}[sign] for sign in signs] for who, signs in right.items()}
    own = measured(gold, answers(gold, given), "accuracy")
    found = pooled_values(gold, own, chosen(gold, [0, 2, 3, 5, 7], range(8)))["accuracy"]
    credits = np.array([1, 0, 0, 1, 1, 1, 0, 0, 0, 1, 1, 1, 1], np.float64)
    documents = np.array([0, 1, 1, 2, 3, 0, 0, 1, 1, 2, 2, 3, 3])
    expected = estimate(credits, documents)
    assert found.value == pytest.approx(expected.value)
    assert found.effective == pytest.approx(expected.effective)
    assert (found.interval.low, found.interval.high) == pytest.approx(
        (expected.interval.low, expected.interval.high)
    )
    assert found.effective < 13


def test_a_measure_judges_what_was_asked_and_has_a_gold_answer() -> None:
    gold = plain(5)
    gold = replace(gold, answer=np.array([0, -1, 0, 0, 0], np.int32))
    own = measured(gold, answers(gold, {"a": ["k0", "k0", "k1"], "b": ["k0", "k0"]}), "accuracy")
    assert [each.rows["accuracy"].tolist() for each in own] == [[0, 2], [0, 2]]
    found = pooled_values(gold, own, chosen(gold, range(5), range(5)))["accuracy"]
    assert (found.value, found.n) == (2 / 4, 4)  # the question that b has no line for is wrong
    assert pooled_values(gold, own, chosen(gold, [1], [1])) == {}


def test_what_nobody_was_asked_leaves_a_measure_out() -> None:
    gold = plain(3)
    gold = replace(gold, answer=np.array([-1, 0, 0], np.int32))
    (own,) = measured(gold, answers(gold, {"a": ["k0"]}), "accuracy")
    assert own.measurements == {}


def test_people_are_taken_by_their_answers_and_not_by_scores() -> None:
    gold = plain(2)
    (ident,) = gold.ids.between(0, 1)
    (person,) = matched(gold, [Prediction(ident, "k0", {"k0": 0.1, "k1": 0.9}, annotator="a")])
    (own,) = measured_people(gold, [person], ["accuracy"], "expected", asked_of([person]))
    assert own.measurements["accuracy"].values.tolist() == [1]


def test_a_measure_that_is_no_mean_is_that_of_all_answers_together() -> None:
    gold = labelled(6)
    given = {"a": ["k0", "k1", "k2", "k0", "k0", "k0"], "b": ["k0", "k0", "k0", "k1", "k1", "k2"]}
    own = measured(gold, answers(gold, given), "macro_f1", "accuracy")
    found = pooled_values(gold, own, chosen(gold, [0, 1, 2], [2, 3, 4, 5]))
    # right 0 1 2 2 0 1 2, answered 0 1 2 0 1 1 2: F1 is twice the right ones over all of a label in both.
    assert found["macro_f1"].value == pytest.approx((2 / 4 + 4 / 5 + 4 / 5) / 3)
    assert found["accuracy"].value == pytest.approx(5 / 7)
    assert found["macro_f1"].n == found["accuracy"].n == 7
    assert found["macro_f1"].interval is None
    gold = labelled(30)
    own = measured(gold, answers(gold, {"a": ["k0"] * 30, "b": ["k1"] * 30}), "macro_f1")
    together = pooled_values(gold, own, chosen(gold, range(30), range(30)))["macro_f1"]
    assert together.interval.method == "Wilson by label and document"
    assert together.interval.low < together.value < together.interval.high


def test_a_measure_without_a_value_for_a_part_is_left_out() -> None:
    gold = labelled(6)
    own = measured(gold, answers(gold, {"a": ["k0"] * 6, "b": ["k1"] * 6}), "macro_f1")
    (one, other) = own
    stray = replace(
        other.measurements["macro_f1"],
        statistics=(replace(other.measurements["macro_f1"].statistics[0], divisible=False),),
    )
    assert pooled_values(gold, own, chosen(gold, [0], [1])).keys() == {"macro_f1"}
    strays = [one, replace(other, measurements={"macro_f1": stray})]
    assert pooled_values(gold, strays, chosen(gold, [0], [1])) == {}


def by_hand(person: Matched, values: Sequence[float], *, sparse: bool, shared: bool = True) -> MeasuredPerson:
    """A measure with a value and a count for each of four questions, NaN for one that cannot be judged."""
    rows = np.array([[value, 1.0] if value == value else [0, 0] for value in values])
    statistics = Statistics(
        csr_matrix(rows) if sparse else rows, mean_of_sums, rows[:, 1] == 1, shared=shared
    )
    return MeasuredPerson(
        person,
        {"f1": RunMeasurements(named("f1"), None, (statistics,))},
        {"f1": np.arange(4)},
    )


@pytest.mark.parametrize("sparse", [False, True])
def test_counts_of_one_measure_are_put_together_whether_or_not_they_are_sparse(sparse: bool) -> None:
    gold = plain(4)
    a, b = answers(gold, {"a": ["k0"] * 4, "b": ["k0"] * 4})
    nan = float("nan")
    own = [
        by_hand(a, [0.2, 0.4, nan, 0.6], sparse=sparse),
        by_hand(b, [1.0, 0.0, 0.5, nan], sparse=sparse),
    ]
    found = pooled_values(gold, own, chosen(gold, [0, 1, 2], [0, 2, 3]))["f1"]
    assert found.value == pytest.approx((0.2 + 0.4 + 1.0 + 0.5) / 4)
    assert found.n == 4  # two of the six cannot be judged
    assert pooled_values(gold, own, chosen(gold, [2], [3])) == {}


def test_counts_that_mean_other_things_of_each_person_are_not_put_together() -> None:
    gold = plain(4)
    a, b = answers(gold, {"a": ["k0"] * 4, "b": ["k0"] * 4})
    own = [by_hand(person, [0.2, 0.4, 0.1, 0.6], sparse=False, shared=False) for person in (a, b)]
    assert pooled_values(gold, own, chosen(gold, [0], [0])) == {}


def test_answers_that_are_judged_are_put_together() -> None:
    gold = plain(4)
    a, b = answers(gold, {"a": ["k0"] * 4, "b": ["k0"] * 4})
    judged = np.array([[False, True, True, True]])
    own = [
        MeasuredPerson(
            person, {"f1": RunMeasurements(named("f1"), credits, (), judged=of)}, {"f1": np.arange(4)}
        )
        for person, credits, of in (
            (a, np.array([[1.0, 0.5, 0.0, 0.25]]), None),
            (b, np.array([[0.0, 0.1, 0.3, 0.5]]), judged),
        )
    ]
    found = pooled_values(gold, own, chosen(gold, [0, 1], [0, 1]))["f1"]
    assert (found.value, found.n) == (pytest.approx((1.0 + 0.5 + 0.1) / 3), 3)
    assert found.interval.method == "Wilson by document"
    assert pooled_values(gold, own, chosen(gold, [], [0])) == {}
