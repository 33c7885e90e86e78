"""What kind of answer a question wants, told by its first words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anagnosis.language.question_kinds import KINDS, kind_of_question


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("Is cold tea harmful?", "yesno"),
        ("Does tea change sleep?", "yesno"),
        ("Which gene is mutated in Huntington's disease?", "factoid"),
        ("Mutation of which gene causes gout?", "factoid"),
        ("How many genes are there?", "factoid"),
        ("Which genes are linked to gout?", "list"),
        ("List the symptoms of gout.", "list"),
        ("What are the symptoms of gout?", "list"),
        ("What is the role of salt in gout?", "summary"),
        ("How does tea act?", "summary"),
        ("What is gout?", "summary"),
        ("Which virus causes AIDS?", "factoid"),
        ("Name the gene mutated in gout.", "factoid"),
        ("Can you list drugs for gout?", "list"),
        ("Could you tell me which gene causes gout?", "factoid"),
        ("May-Thurner syndrome treatment", "summary"),
        ("gout", "summary"),
        ("", "summary"),
    ],
)
def test_the_kind_of_a_question_is_told_by_its_words(question: str, kind: str) -> None:
    assert kind_of_question(question) == kind
    assert kind in KINDS


@given(st.text(max_size=200))
def test_whatever_is_asked_is_of_one_kind(question: str) -> None:
    assert kind_of_question(question) in KINDS
