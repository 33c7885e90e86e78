"""Which words of a question the search uses, and questions that name no topic."""

from __future__ import annotations

from tests.rows import each_row

from anagnosis.searching.analysis import NO_WORDS, meaningful, nothing_asked, stop_words_alone


@each_row(
    "question",
    [
        "the of and",
        "The of and?",
        "a",
        "What is it?",
        "can we do this",
        "However, therefore",
        "no",
    ],
)
def test_stop_words_alone_ask_nothing(question: str) -> None:
    assert stop_words_alone(question)


@each_row(
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


@each_row("question", ["", "  ", "?", "?!", "\u00bf", "_", "\u2013 \u2026"])
def test_a_question_without_any_word_says_nothing(question: str) -> None:
    assert nothing_asked(question) == NO_WORDS


@each_row("question", ["p53", "7", "\u03b1", "Vitamin A", "Why Tea"])
def test_a_word_is_enough(question: str) -> None:
    assert not nothing_asked(question)


def test_a_question_of_stop_words_is_searched_as_it_stands() -> None:
    assert meaningful("IT") == "IT"
    assert meaningful("the of") == "the of"
    assert meaningful("the role of IT").split() == ["role", "IT"]
