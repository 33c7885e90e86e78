"""Tokens of a text by the named tokenizer."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.rows import each_row

from anagnosis.errors import InputError
from anagnosis.language.tokenizers import TOKENIZERS, blanks, tokenizer, words


@each_row(
    ("text", "tokens"),
    [
        ("post-operative fever (38.5 °C).", ["post-operative", "fever", "(", "38.5", "°", "C", ")", "."]),
        ("0.5 mg, 1,000 IU", ["0.5", "mg", ",", "1,000", "IU"]),
        ("Crohn's and patients' pain", ["Crohn", "'s", "and", "patients", "'", "pain"]),
        ("i.v. fluids, e.g. saline", ["i.v.", "fluids", ",", "e.g.", "saline"]),
        ("IL-2R and β-blocker", ["IL-2R", "and", "β-blocker"]),
        ("CD4+/CD8", ["CD4", "+", "/", "CD8"]),
        ("O’Brien", ["O’Brien"]),
        (" \n", []),
    ],
)
def test_words_keep_hyphens_and_decimal_points(text: str, tokens: list[str]) -> None:
    assert words(text).split(" ") == (tokens or [""])


def test_blanks_part_at_white_space_alone() -> None:
    assert blanks(" a, b\n(c) ") == "a, b (c)"
    assert blanks("a\u00a0b\u2009c  d\te") == "a b c d e"


@given(st.text())
def test_no_tokenizer_loses_a_sign_and_no_token_has_white_space(text: str) -> None:
    for name in TOKENIZERS:
        tokens = tokenizer(name)(text)
        assert tokens.replace(" ", "") == "".join(text.split())
        assert tokens == " ".join(tokens.split())


@given(st.text("ab 0.'-(", max_size=30))
def test_tokens_parted_by_blanks_are_the_same_tokens_again(text: str) -> None:
    assert blanks(words(text)) == words(words(text)) == words(text)


def test_another_name_is_refused_with_those_there_are() -> None:
    with pytest.raises(InputError, match="words"):
        tokenizer("spaces")
