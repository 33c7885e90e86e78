"""Words of an index: the same for a gene, a number and a Greek letter however they are written."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anagnosis.searching.analysis import NO_WORDS, meaningful, nothing_asked, searchable, stop_words_alone


@pytest.mark.parametrize(
    ("text", "others"),
    [
        ("IL-2 rose", ["IL2"]),
        ("IL2 rose", ["IL"]),
        ("TGF-β1", ["beta"]),
        ("p53 and CD4+ cells", ["p", "CD"]),
        ("COVID-19", ["COVID19"]),
        ("in 2019, 5-HT", []),
        ("no names here", []),
    ],
)
def test_a_name_has_both_spellings(text: str, others: list[str]) -> None:
    first, _, more = searchable(text).partition("\n")
    assert first.isascii() or text == first
    assert more.split() == others


def test_soft_hyphens_go_and_greek_is_spelled() -> None:
    assert searchable("inter\u00adferon α") == "interferon alpha"


NAME = re.compile(r"(?<![^\W_])([A-Za-z]{1,20})(-?)([0-9]+[A-Za-z]{0,3})(?![^\W_])")
SIGNS = (
    "IL",
    "tnf",
    "a",
    "2",
    "19",
    "-",
    "\u2013",
    "\u2011",
    "\u00ad",
    "α",
    "Ω",
    "é",
    "²",
    "\ufb01",
    " ",
    "_",
    "(",
    "\n",
)


@given(st.lists(st.sampled_from(SIGNS), max_size=7).map("".join))
def test_the_quick_search_for_names_finds_what_an_expression_finds(text: str) -> None:
    found = searchable(text)
    plain = found.removesuffix(others) if (others := found.rpartition("\n")[2]) else found
    names = [name + number if hyphen else name for name, hyphen, number in NAME.findall(plain)]
    assert not names or others.split() == names


@given(st.text())
def test_nothing_is_lost(text: str) -> None:
    found = searchable(text)
    assert [word for word in text.split() if word.isascii() and word not in found] == []


@pytest.mark.parametrize(
    "question",
    [
        "the of and",
        "The of and?",
        "THE OF AND",
        "a",
        "A",
        "it",
        "What is it?",
        "Who",
        "which are there",
        "The Of And",
        "can we do this",
        "what are they about",
        "However, therefore",
        "no",
        "is no",
    ],
)
def test_stop_words_alone_ask_nothing(question: str) -> None:
    assert stop_words_alone(question)


@pytest.mark.parametrize(
    "question",
    [
        "vitamin A",
        "What is NO?",
        "is IT a gene",
        *("IT", "NO", "WHO", "WAS", "CAN"),  # single words in capitals are names
        "guidelines of WHO",
        "What is α?",
        "Was heißt das?",
        *("", "  ", "?!"),  # no word, so no stop word
    ],
)
def test_a_question_with_any_other_word_asks_something(question: str) -> None:
    assert not stop_words_alone(question)


@pytest.mark.parametrize("question", ["", "  ", "?", "?!", "\u00bf", "_", "\u2013 \u2026"])
def test_a_question_without_any_word_says_nothing(question: str) -> None:
    assert nothing_asked(question) == NO_WORDS


@pytest.mark.parametrize("question", ["p53", "7", "\u03b1", "Vitamin A", "Why Tea"])
def test_a_word_is_enough(question: str) -> None:
    assert not nothing_asked(question)


def test_a_question_of_stop_words_is_searched_as_it_stands() -> None:
    assert meaningful("IT") == "IT"
    assert meaningful("the of") == "the of"
    assert meaningful("the role of IT").split() == ["role", "IT"]
