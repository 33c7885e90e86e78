from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.golds import Row, gold_of
from tests.rows import each_row

from anagnosis.datasets.gold import Gold
from anagnosis.evaluation import breakdown as module
from anagnosis.evaluation.breakdown import (
    Factor,
    breakdown,
    candidates,
    entity_type,
    factors,
    familiarity,
    labelled,
)
from anagnosis.evaluation.intervals import estimate
from anagnosis.evaluation.measures.macro_f1 import counts, f1_by_label, mean_f1
from anagnosis.evaluation.measures.measure import Statistics, named
from anagnosis.evaluation.run_measurements import RunMeasurements

ROWS = [
    Row("1:0", ["a", "b", "c"], 1, types=["Gene", "Disease", "Gene"]),
    Row("1:1", ["a", "b", "c"], None, types=["Gene", "Disease", "Gene"]),
    Row("2:0", ["d", "a"], 0, types=["", "Gene"]),
    Row("3:0", ["a", "e"], 0, types=["Gene", "Species"]),
    Row("4:0", ["e", "a", "b"], 0, types=["Species", "Gene", "Disease"]),
]
ALL = np.arange(5)


def measurements(*credits: float) -> dict[str, RunMeasurements]:
    return {"accuracy": RunMeasurements(named("accuracy"), np.array([credits]), ())}


@pytest.fixture
def gold() -> Gold:
    return gold_of(ROWS, batch_rows=2)


def labels(factor: Factor) -> list[str | None]:
    return [factor.labels[code] if code >= 0 else None for code in factor.code.tolist()]


def test_by_number_of_candidates(gold: Gold, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LEAST", 1)
    assert labels(candidates(gold)) == ["3", "3", "2", "2", "3"]
    assert candidates(gold).labels == ("2", "3")


def test_ten_candidates_stand_after_nine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LEAST", 1)
    wide = gold_of([Row(f"{n}:0", [f"k{i}" for i in range(n)]) for n in (10, 2, 9)])
    assert candidates(wide).labels == ("2", "9", "10")


@each_row(
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
    found = breakdown(
        gold, candidates(gold), measurements(*[1] * len(rows)), np.flatnonzero(gold.answer >= 0)
    )
    assert {part.label: part.measures["accuracy"].n for part in found.slices} == labels, (
        "withheld answers do not count"
    )


def test_by_the_type_of_the_right_candidate(gold: Gold) -> None:
    assert labels(entity_type(gold)) == ["disease", None, "unknown", "gene", "species"]
    assert entity_type(gold).labels == ("disease", "gene", "species", "unknown")


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


def test_each_slice_has_its_own_number_and_interval(gold: Gold, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LEAST", 1)
    found = breakdown(gold, candidates(gold), measurements(1.0, 1.0, 0.0, 0.5, 0.0), ALL)
    assert found.factor == "candidates"
    assert [(part.label, part.n, replace(part.measures["accuracy"], runs=())) for part in found.slices] == [
        ("2", 2, estimate(np.array([0.0, 0.5]))),
        ("3", 3, estimate(np.array([1.0, 1.0, 0.0]))),
    ]


def test_an_instance_is_in_the_slice_of_each_of_its_labels(gold: Gold) -> None:
    factor = labelled("skills", [("b", "a"), (), ("a",), "b", ("c", "a", "b")], ("b", "c"))
    assert factor.labels == ("b", "c", "a")
    assert factor.code.tolist() == [[0, 2, -1], [-1, -1, -1], [2, -1, -1], [0, -1, -1], [1, 2, 0]]
    found = breakdown(gold, factor, measurements(1.0, 0.0, 0.0, 1.0), np.array([0, 1, 2, 4]))
    assert [(part.label, part.n, part.measures["accuracy"].value) for part in found.slices] == [
        ("b", 2, 1),
        ("c", 1, 1),
        ("a", 3, pytest.approx(2 / 3)),
    ]
    assert breakdown(gold, factor, measurements(), ALL[:0]).slices == ()


def test_without_labels_there_is_no_slice(gold: Gold) -> None:
    assert breakdown(gold, labelled("kind", [""] * 5), measurements(*[0] * 5), ALL).slices == ()


def test_a_slice_has_every_measure_of_its_own_rows_and_counts_its_labels() -> None:
    labels = ("yes", "no")
    gold = replace(
        gold_of([Row(str(n), labels, right) for n, right in enumerate((0, 0, 1, 1))]), labels=labels
    )
    answers = np.array([0, 1, 1, 1], np.int32)
    counted = np.ones(4, np.bool_)
    macro = Statistics(
        counts(gold.answer.astype(np.int64), answers.astype(np.int64), 2),
        lambda sums: mean_f1(*f1_by_label(sums), always=True),
        counted,
    )
    both = measurements(1, 0, 1, 1) | {"macro_f1": RunMeasurements(named("macro_f1"), None, (macro,))}
    first, second = breakdown(gold, labelled("kind", ["a", "a", "", "b"]), both, np.arange(4)).slices
    assert (first.support, second.support) == ({"yes": 2, "no": 0}, {"yes": 0, "no": 1})
    (last,) = breakdown(
        gold, labelled("kind", ["a", "a", "", "b"]), measurements(1, 1), np.array([2, 3])
    ).slices
    assert (last.label, last.n, last.support) == ("b", 1, {"yes": 0, "no": 1}), "of the rows asked for alone"
    assert [each.measures["accuracy"].value for each in (first, second)] == [0.5, 1]
    # yes: 2·1/(2 + 1), no: 0; and no alone
    assert [each.measures["macro_f1"].value for each in (first, second)] == pytest.approx([1 / 3, 1 / 2])
    whole = replace(macro, divisible=False)
    (alone, *_) = breakdown(
        gold,
        labelled("kind", ["a"] * 4),
        {"macro_f1": RunMeasurements(named("macro_f1"), None, (whole,))},
        np.arange(4),
    ).slices
    assert alone.measures == {}


def test_a_split_is_broken_down_by_what_is_known_of_it(gold: Gold) -> None:
    assert [factor.name for factor in factors(gold)] == ["candidates", "entity type"]
    assert [factor.name for factor in factors(gold, gold)][-1] == "familiarity"
