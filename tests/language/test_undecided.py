"""Phrases that leave a question open."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from tests.rows import each_row

from anagnosis.language.undecided import undecided


@each_row(
    ("sentence", "phrases"),
    [
        ("The results were inconclusive.", ["inconclusive"]),
        ("Its use REMAINS highly controversial.", ["REMAINS highly controversial"]),
        ("The data we have are insufficient.", ["data we have are insufficient"]),
        ("The data that were kept on paper are insufficient.", []),  # too many words between
        ("Benefit cannot be excluded, but is unclear.", ["cannot be excluded", "is unclear"]),
        ("Tea helped, although how is unclear.", []),
        ("While how is unclear, tea helped.", []),
        ("Despite tea, how it works is unclear.", ["is unclear"]),
        ("The conclusion is clear.", []),
        ("", []),
    ],
)
def test_phrases_outside_concessions_leave_a_question_open(sentence: str, phrases: list[str]) -> None:
    assert [sentence[begin:end] for begin, end in undecided(sentence)] == phrases


@given(st.text(max_size=200))
def test_places_lie_in_any_text(sentence: str) -> None:
    assert all(0 <= begin < end <= len(sentence) for begin, end in undecided(sentence))
