"""Queries that name nothing to search for, or nothing to answer, are known before a search."""

from __future__ import annotations

import pytest
from tests.rows import each_row

from anagnosis.searching.analysis import NO_WORDS, STOP_WORDS_ALONE
from anagnosis.searching.queries.asked import (
    EXCLUDED_ALONE,
    NO_TOPIC,
    nothing_to_answer,
    nothing_to_search,
    read_query,
)
from anagnosis.searching.queries.tree import Phrase, Word


@each_row(
    ("question", "why"),
    [
        ("-children", EXCLUDED_ALONE),
        ("NOT children", EXCLUDED_ALONE),
        ('-"green tea" -milk', EXCLUDED_ALONE),
        ("What is it?", STOP_WORDS_ALONE),
        ("the AND of", STOP_WORDS_ALONE),
        ("-milk the", STOP_WORDS_ALONE),
        ("boston[ad]", f"{NO_WORDS} (boston[ad] is left out: an index has no such field)"),
        ("?!", NO_WORDS),
        ("a" * 901 + "*", NO_WORDS),
        ("", NO_WORDS),
        ("()", NO_WORDS),
        ("AND", f"{NO_WORDS} (AND needs a word on both sides)"),
    ],
)
def test_a_query_for_nothing_is_named(question: str, why: str) -> None:
    assert nothing_to_search(question) == why
    assert nothing_to_answer(question) == why


@each_row(
    "question", ["tea -milk", '"to be or not to be"', "tea AND milk", "Does tea help? -milk", "the AND tea"]
)
def test_a_query_with_words_can_be_searched_and_answered(question: str) -> None:
    assert nothing_to_search(question) == ""
    assert nothing_to_answer(question) == ""


@each_row("question", ["Smith J[au]", "2015:2020[dp]", "hypertensi*", "10.1016/a.b", "2015[dp] -milk"])
def test_names_dates_and_identifiers_can_be_searched_but_not_answered(question: str) -> None:
    assert nothing_to_search(question) == ""
    assert nothing_to_answer(question) == NO_TOPIC


def test_a_question_is_read_as_tree_topic_and_record() -> None:
    asked = read_query('"green tea" sleep -milk')
    assert asked.topic.text == "green tea sleep"
    assert asked.query.required == (Phrase(("green", "tea")),)
    assert asked.query.excluded == (Word("milk"),)
    assert asked.understood.line == '"green tea" · best with: sleep · not milk'


@pytest.mark.parametrize("query", ["open access[filter]", "GENBANK[si]"])
def test_a_query_of_what_is_left_out_alone_says_so(query: str) -> None:
    assert query in nothing_to_search(query).removeprefix("there is no word in it (")
    assert nothing_to_search("tea " + query) == ""
