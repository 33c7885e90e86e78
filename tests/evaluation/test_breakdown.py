from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.golds import Row, gold_of

from anagnosis.datasets.gold import Gold
from anagnosis.evaluation.breakdown import (
    Factor,
    breakdown,
    candidates,
    entity_type,
    factors,
    familiarity,
    labelled,
    passage_length,
)
from anagnosis.evaluation.intervals import Estimate, estimate

ROWS = [
    Row("1:0", ["a", "b", "c"], 1, types=["Gene", "Disease", "Gene"], passage="w " * 49),
    Row("1:1", ["a", "b", "c"], None, types=["Gene", "Disease", "Gene"], passage="w " * 49),
    Row("2:0", ["d", "a"], 0, types=["", "Gene"], passage="w " * 50),
    Row("3:0", ["a", "e"], 0, types=["Gene", "Species"], passage="w " * 149),
    Row("4:0", ["e", "a", "b"], 0, types=["Species", "Gene", "Disease"], passage="w " * 99),
]
ALL = np.arange(5)


@pytest.fixture
def gold() -> Gold:
    return gold_of(ROWS, batch_rows=2)


def labels(factor: Factor) -> list[str | None]:
    return [factor.labels[code] if code >= 0 else None for code in factor.code.tolist()]


def test_by_number_of_candidates(gold: Gold) -> None:
    assert labels(candidates(gold, 1)) == ["3", "3", "2", "2", "3"]
    assert candidates(gold, 1).labels == ("2", "3")


def test_ten_candidates_stand_after_nine() -> None:
    wide = gold_of([Row(f"{n}:0", [f"k{i}" for i in range(n)]) for n in (10, 2, 9)])
    assert candidates(wide, 1).labels == ("2", "9", "10")


@pytest.mark.parametrize(
    ("answered", "labels"),
    [
        ({2: 20}, {"2": 20}),
        ({2: 19}, {"2": 19}),
        ({2: 20, 3: 20}, {"2": 20, "3": 20}),
        ({2: 20, 3: 19}, {"2–3": 39}),
        ({2: 19, 3: 1, 4: 20}, {"2–3": 20, "4": 20}),
        ({2: 1, 5: 30, 9: 7, 12: 7, 20: 6}, {"2–5": 31, "9–20": 20}),
        ({2: 20, 3: 20, 4: 1, 7: 18}, {"2": 20, "3–7": 39}),
    ],
)
def test_neighbours_are_joined_until_each_slice_has_enough_instances(
    answered: dict[int, int], labels: dict[str, int]
) -> None:
    keys = [f"k{place}" for place in range(20)]
    rows = [Row(f"{n}:{i}", keys[:n], 0) for n, count in answered.items() for i in range(count)]
    gold = gold_of([*rows, *(Row(f"7:{i}", keys[:2], None) for i in range(40))])
    found = breakdown(candidates(gold), np.ones(len(rows)), np.flatnonzero(gold.answer >= 0))
    assert {part.label: part.estimate.n for part in found.slices} == labels, "withheld answers do not count"


@given(st.lists(st.integers(2, 30), min_size=1, max_size=200), st.integers(1, 40))
def test_joined_slices_keep_the_order_and_no_two_neighbours_could_both_be_parted(
    numbers: list[int], least: int
) -> None:
    gold = gold_of([Row(f"{i}:0", [f"k{k}" for k in range(n)], 0) for i, n in enumerate(numbers)])
    factor = candidates(gold, least)
    sizes = np.bincount(factor.code)
    assert len(sizes) == len(factor.labels)
    assert len(sizes) == 1 or min(sizes) >= least
    order = np.argsort(numbers, kind="stable")
    assert (np.diff(factor.code[order]) >= 0).all()
    for label, code in zip(factor.labels, range(len(sizes)), strict=True):
        own = np.array(numbers)[factor.code == code]
        assert label == (f"{own.min()}–{own.max()}" if own.min() < own.max() else str(own.min()))


def test_by_the_type_of_the_right_candidate(gold: Gold) -> None:
    assert labels(entity_type(gold)) == ["disease", None, "unknown", "gene", "species"]
    assert entity_type(gold).labels == ("disease", "gene", "species", "unknown")


def test_by_passage_length_in_steps_of_50_tokens(gold: Gold) -> None:
    assert labels(passage_length(gold, 1)) == ["0–49", "0–49", "50–99", "100–149", "50–99"]
    assert passage_length(gold, 1).labels == ("0–49", "50–99", "100–149")
    # Answered are one, two and one of them: a rest joins the last slice.
    assert set(labels(passage_length(gold, 2))) == {"0–149"}


def test_by_what_the_train_part_says_of_the_right_candidate(gold: Gold) -> None:
    train = gold_of(
        [Row("8:0", ["z", "b", "d"], 2), Row("9:0", ["a", "b"], None), Row("9:1", ["b", "e"], 1)], "train"
    )
    assert labels(familiarity(gold, train)) == [
        "candidate in train",
        None,
        "answer in train",
        "candidate in train",
        "answer in train",
    ]
    assert set(labels(familiarity(gold, gold_of([], "train")))) == {"not in train", None}
    assert set(labels(familiarity(gold, gold_of([Row("9:0", ["z"])], "train")))) == {"not in train", None}


def test_each_slice_has_its_own_number_share_and_interval(gold: Gold) -> None:
    credits = np.array([1.0, 1.0, 0.0, 0.5, 0.0])
    found = breakdown(candidates(gold, 1), credits, ALL)
    assert found.factor == "candidates"
    assert [(part.label, part.share, part.estimate) for part in found.slices] == [
        ("2", 2 / 5, estimate(np.array([0.0, 0.5]))),
        ("3", 3 / 5, estimate(np.array([1.0, 1.0, 0.0]))),
    ]


def test_slices_hold_only_the_instances_asked_for_and_none_is_empty(gold: Gold) -> None:
    rows = np.array([0, 3, 4])
    found = breakdown(entity_type(gold), np.array([1.0, 0.0, 1.0]), rows)
    assert [(part.label, part.estimate.n, part.estimate.value) for part in found.slices] == [
        ("disease", 1, 1),
        ("gene", 1, 0),
        ("species", 1, 1),
    ]


def test_labels_of_ours_come_in_the_order_asked_for_and_others_by_name() -> None:
    factor = labelled("kind", ["b", "", "z", "a", "b"], ("z", "unused", "b"))
    assert factor.labels == ("z", "b", "a")
    assert factor.code.tolist() == [1, -1, 0, 2, 1]


def test_without_labels_there_is_no_slice(gold: Gold) -> None:
    assert breakdown(labelled("kind", [""] * 5), np.zeros(5), ALL).slices == ()


def test_a_slice_has_the_macro_f1_of_its_own_rows() -> None:
    seen: list[list[int]] = []

    def macro(rows: npt.NDArray[np.int64]) -> tuple[Estimate, tuple[int, ...]]:
        seen.append(rows.tolist())
        return estimate(np.ones(len(rows))), (len(rows), 0, 0)

    rows = np.array([0, 2, 3, 4])
    found = breakdown(labelled("kind", ["b", "a", "a", "", "b"]), np.ones(4), rows, macro)
    assert seen == [[2], [0, 4]]
    assert [part.support for part in found.slices] == [(1, 0, 0), (2, 0, 0)]


def test_a_split_is_broken_down_by_what_is_known_of_it(gold: Gold) -> None:
    assert [factor.name for factor in factors(gold)] == ["candidates", "entity type", "passage tokens"]
    assert [factor.name for factor in factors(gold, gold)][-1] == "familiarity"
