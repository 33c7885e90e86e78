"""Entities as tokens: by words, by number, and what can be no token."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anagnosis.datasets.kinds.cloze_instance import ClozeInstance, PassageMention
from anagnosis.datasets.kinds.cloze_tokens import entity_token, renumbered, replaced, words_of_token
from anagnosis.errors import InputError

ONE = ClozeInstance("1:0", "1", "", "", "XXXX", (), (), (), None, ())


@given(st.lists(st.text("abcé-", min_size=1), min_size=1))
def test_the_words_of_a_token_are_those_of_its_entity(words: list[str]) -> None:
    assert words_of_token(entity_token(" ".join(words))) == " ".join(words)


def test_a_text_that_is_no_token_stays() -> None:
    assert words_of_token("IL_2 alpha") == "IL_2 alpha"


def test_a_token_has_a_blank_on_both_sides() -> None:
    mentions = (PassageMention(((1, 3),), 0), PassageMention(((3, 5),), 1))
    assert replaced(ONE, "(abcd)", mentions, ["@entity7", "@entity8"]) == (
        "( @entity7 @entity8 )",
        ((2, 10, 0), (11, 19, 1)),
    )


def test_mentions_that_overlap_are_refused() -> None:
    mentions = (PassageMention(((0, 3),), 0), PassageMention(((2, 5),), 0))
    with pytest.raises(InputError, match="1:0: two mentions overlap at character 2 of 'cd'"):
        replaced(ONE, "abcd", mentions, ["@entity7"])


def test_places_move_with_longer_numbers() -> None:
    written = {"@entity7": "@entity1000", "@entity8": "@entity2"}
    text, places = renumbered(ONE, "@entity7 of @entity8", ((0, 8, 0), (12, 20, 1)), written)
    assert (text, places) == ("@entity1000 of @entity2", ((0, 11, 0), (15, 23, 1)))


def test_a_number_that_is_no_candidates_is_refused() -> None:
    with pytest.raises(InputError, match="@entity9 is no candidate"):
        renumbered(ONE, "@entity9", (), {})
