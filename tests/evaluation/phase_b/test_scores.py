"""The scores of a question: by hand, and beside a second program written another way."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.rows import each_row

from anagnosis.evaluation.phase_b.questions import pair_of
from anagnosis.evaluation.phase_b.rules import RULES
from anagnosis.evaluation.phase_b.scores import (
    FactoidScore,
    decided,
    equal,
    factoid,
    similar,
)


@each_row(
    ("entry", "answer", "expected"),
    [
        (["TP53"], "tp53", True),
        (["x", "TP53"], "tp53", True),
        (["tp53"], "TP53", True),
        (["TP53"], "tp53 ", False),
        (["é"], "e\u0301", False),
        ([], "", False),
    ],
)
def test_equal(entry: list[str], answer: str, expected: bool) -> None:
    assert equal(entry)(answer) == expected


@each_row(
    ("entry", "answer", "expected"),
    [
        (["optical coherence tomography"], "Optical coherence tomography.", True),
        (["x y z", "optical coherence tomography"], "Optical coherence tomography.", True),
        (["BRCA1"], "brca1", True),
        (["foot"], "medial side of the foot", True),
        (["BRCA1"], "BRCA2", False),
        (["heart failure"], "failure of the heart", False),
        (["+"], "+", False),
    ],
)
def test_similar(entry: list[str], answer: str, expected: bool) -> None:
    assert similar(entry)(answer) == expected


WORD = st.sampled_from(["a", "A", "b", "c", "c ", "d", ""])
ENTRIES = st.lists(st.lists(WORD, min_size=1, max_size=3), max_size=4)
ANSWERS = st.lists(WORD, max_size=12)
THESIS, PROGRAM = RULES["thesis"], RULES["organisers-9"]


@each_row(
    ("answers", "expected"),
    [
        (["xyz1", "b"], (1, 1, 1)),
        (["b", "XYZ-1"], (0, 1, 1 / 2)),
        (["b", "b", "XYZ1"], (0, 1, 1 / 3)),
        (["b", "c", "d", "e", "XYZ1"], (0, 1, 1 / 5)),
        (["b", "c", "d", "e", "f", "XYZ1"], (0, 0, 0)),
        (["XYZ1 "], (0, 0, 0)),
        (["XYZ1."], (0, 0, 0)),
        ([], (0, 0, 0)),
    ],
)
def test_a_factoid_by_hand(answers: list[str], expected: tuple[float, float, float]) -> None:
    assert THESIS.factoid(pair_of([["XYZ1", "xyz-1"]], answers)) == FactoidScore(*expected)


def test_none_is_no_text() -> None:
    assert factoid([["none"]], [None, "None"], equal) == FactoidScore(0, 1, 1 / 2)
    assert factoid([["b"], ["a"]], ["a"], equal) == FactoidScore(1, 1, 1)


@each_row(
    ("gold", "answers", "recall"),
    [
        ([["a"], ["a"]], ["a"], 1),
        ([["a"], ["a"], ["a"], ["b"]], ["a"], 1 / 3),
        ([["a", "s"], ["b", "s"]], ["s"], 1),
        ([["a", "s"], ["b", "s"]], ["s", "s"], 1),
        ([["a"], ["b"]], ["a"], 1 / 2),
        ([["a", "s"], ["s"], ["s"]], ["s", "a"], 1 / 2),
    ],
)
def test_recall_of_the_program_finds_an_answer_once_more(
    gold: list[list[str]], answers: list[str], recall: float
) -> None:
    assert PROGRAM.listed(pair_of(gold, answers)).recall == pytest.approx(recall)


def naive_list(gold: list[list[str]], answers: list[str]) -> tuple[float, float, float]:
    """Marks gold entries one by one, and divides at the end."""
    taken: set[int] = set()
    for answer in answers[:10]:
        fits = [
            n for n, entry in enumerate(gold) if n not in taken and answer.lower() in map(str.lower, entry)
        ]
        taken |= set(fits[:1])
    precision = len(taken) / len(answers[:10]) if answers else 0.0
    recall = len(taken) / len(gold) if gold else 0.0
    return precision, recall, 2 * len(taken) / (len(answers[:10]) + len(gold)) if taken else 0.0


@given(ENTRIES, ANSWERS)
def test_lists_as_a_second_program_counts_them(gold: list[list[str]], answers: list[str]) -> None:
    found = THESIS.listed(pair_of(gold, answers))
    assert (found.precision, found.recall, found.f1) == pytest.approx(naive_list(gold, answers))


@each_row(
    ("text", "label"),
    [("Yes.", "yes"), ("eyes", "yes"), ("unknown", "no"), ("yes and no", "yes"), ("maybe", ""), ("", "")],
)
def test_yes_and_no_are_looked_for_in_the_text(text: str, label: str) -> None:
    assert decided([text]) == label
    assert decided([]) == decided([None]) == ""
