"""A question with a gap for a reader of cloze questions."""

from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anagnosis.readers.answers.gap import GAPS, Gap, with_gap

QUESTION = "What is the target of gefitinib?"


@pytest.mark.parametrize(
    ("gap", "question", "text"),
    [
        ("end", QUESTION, "What is the target of gefitinib? XXXX"),
        ("end", f" {QUESTION} \n", " What is the target of gefitinib? XXXX"),
        ("start", QUESTION, "XXXX What is the target of gefitinib?"),
        ("start", f"\n{QUESTION}", "XXXX What is the target of gefitinib?"),
        ("statement", QUESTION, "The target of gefitinib is XXXX."),
    ],
)
def test_the_gap_is_where_the_option_puts_it(gap: Gap, question: str, text: str) -> None:
    made = with_gap(question, gap)
    assert made.text == text
    assert made.gap == text.index("XXXX")


def test_every_place_has_its_function() -> None:
    assert set(GAPS) == set(get_args(Gap))


@given(st.text(max_size=60), st.sampled_from(get_args(Gap)))
def test_the_offset_is_that_of_a_gap(question: str, gap: Gap) -> None:
    made = with_gap(question, gap)
    assert made.text.startswith("XXXX", made.gap)


def test_a_question_that_holds_the_gaps_letters_keeps_them() -> None:
    assert with_gap("What is XXXX?", "end").gap == len("What is XXXX? ")
    assert with_gap("What is XXXX?", "start").gap == 0
