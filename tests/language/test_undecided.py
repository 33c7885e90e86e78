"""Phrases that leave a question open."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from tests.rows import each_row

from anagnosis.language.undecided import doubted, undecided


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


@each_row(
    ("sentence", "is_doubted"),
    [
        ("There is insufficient evidence for statins.", True),
        ("The evidence for statins in gout is limited.", True),
        ("The limited effectiveness of cinnarizine is known.", True),
        ("The role of statins remains unclear.", True),
        ("It is not known whether statins help.", True),
        ("Whether statins help remains to be determined.", True),
        ("Although the mechanism remains unclear, statins help.", False),
        ("Although statins help, their safety remains unclear.", True),
        ("Statins help those with limited mobility.", False),
        ("The evidence is strong.", False),
        ("Statins help, although their mechanism remains unclear.", False),
        ("Statins help, although evidence in gout is limited.", False),
        ("An effect of statins cannot be excluded.", True),
    ],
)
def test_a_sentence_that_says_that_something_is_not_known_doubts(sentence: str, is_doubted: bool) -> None:
    assert doubted(sentence) == is_doubted


@given(st.text(max_size=200))
def test_places_lie_in_any_text(sentence: str) -> None:
    assert all(0 <= begin < end <= len(sentence) for begin, end in undecided(sentence))
