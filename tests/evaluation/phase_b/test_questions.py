"""Shapes of exact answers, in the organisers' program and as the thesis reads them."""

from __future__ import annotations

import pytest
from tests.rows import each_row

from anagnosis.datasets.bioasq.exact_answers import Shape, parsed
from anagnosis.evaluation.phase_b.questions import ABSENT, OrganisersProgramError, read, read_leniently


def program(text: str) -> Shape | None:
    return read(parsed(text), "q1")


@each_row(
    ("text", "groups"),
    [
        ('[["a", "b"], ["c"]]', (("a", "b"), ("c",))),
        ('[[], ["a"]]', (("a",),)),
        ("[]", ()),
        ("[[]]", ()),
        ("[[46.0], [1e3], [7]]", (("46.0",), ("1e3",), ("7",))),
    ],
)
def test_nested_lists(text: str, groups: tuple[tuple[str, ...], ...]) -> None:
    assert program(text) == Shape(groups=groups)


def test_a_text_and_nothing() -> None:
    assert program('"46"') == Shape(text="46")
    assert read(ABSENT, "q1") is None


@each_row(
    ("text", "why"),
    [
        ('["a", "b"]', "a flat list of answers"),
        ('[["a"], "b"]', "the exact answer mixes texts and lists"),
        ("null", "the exact answer is no text and no list"),
        ("true", "the exact answer is no text and no list"),
        ("46", "the exact answer is no text and no list"),
        ('{"a": 1}', "the exact answer is no text and no list"),
        ("[[null]]", "an answer in the list is no text or number"),
        ('[["a", false]]', "an answer in the list is no text or number"),
        ('[[["a"]]]', "an answer in the list is no text or number"),
    ],
)
def test_what_stops_the_program_is_named_with_the_question(text: str, why: str) -> None:
    with pytest.raises(
        OrganisersProgramError, match=f"^question q1: the organisers' program of edition 9 stops: {why};"
    ):
        program(text)


@each_row(
    ("text", "answers"),
    [
        ('["a", "b"]', ["a", "b"]),
        ('[["a", "b"], "c"]', ["a", "c"]),
        ('[[], ["a"]]', ["a"]),
        ('"a"', ["a"]),
        ("46.0", ["46.0"]),
        ("[[true], [46.0]]", ["true", "46.0"]),
        ('[[null], ["a"]]', [None, "a"]),
        ("null", []),
        ("[]", []),
    ],
)
def test_the_thesis_reads_every_shape(text: str, answers: list[str | None]) -> None:
    assert [*read_leniently(parsed(text))] == answers
    assert read_leniently(ABSENT) == ()


def test_the_thesis_keeps_the_letters_of_what_is_no_text() -> None:
    assert read_leniently([{"gene": "β"}]) == ('{"gene": "β"}',)
