from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
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
    assert labels(candidates(gold)) == ["3", "3", "2", "2", "3"]
    assert candidates(gold).labels == ("2", "3")


def test_ten_candidates_stand_after_nine() -> None:
    wide = gold_of([Row(f"{n}:0", [f"k{i}" for i in range(n)]) for n in (10, 2, 9)])
    assert candidates(wide).labels == ("2", "9", "10")


def test_by_the_type_of_the_right_candidate(gold: Gold) -> None:
    assert labels(entity_type(gold)) == ["disease", None, "unknown", "gene", "species"]
    assert entity_type(gold).labels == ("disease", "gene", "species", "unknown")


def test_by_passage_length_in_steps_of_50_tokens(gold: Gold) -> None:
    assert labels(passage_length(gold)) == ["0–49", "0–49", "50–99", "100–149", "50–99"]
    assert passage_length(gold).labels == ("0–49", "50–99", "100–149")


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
    found = breakdown(candidates(gold), credits, ALL)
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
