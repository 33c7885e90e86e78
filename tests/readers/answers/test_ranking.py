"""Ranking, grouping and cutting of the answers to a question."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anagnosis.language.fuzzy import similarity_named
from anagnosis.predictions import Answer
from anagnosis.readers.answers.ranking import by_score, occurrences, placed, ranked

# Pairs whose WRatio is 90, 91, and over 91.
NINETY = ("interleukin", "interleukin six receptor")
NINETY_ONE = ("hepatitis B", "hepatitis C")
OVER = ("tumor necrosis factor", "tumor necrosis factors")


def scored(*rows: tuple[str, float | None]) -> list[Answer]:
    return [Answer(text, score) for text, score in rows]


def texts(answers: list[Answer]) -> list[str]:
    return [answer.text for answer in answers]


def test_the_best_score_is_first_and_equal_scores_keep_their_order() -> None:
    answers = scored(("b", 1.0), ("a", 2.0), ("c", 1.0), ("d", None), ("e", -3.0))
    assert texts(by_score(answers)) == ["a", "b", "c", "e", "d"]


@pytest.mark.parametrize(
    ("type", "most"), [("factoid", 5), ("list", 10), ("yesno", 0), ("summary", 0), ("", 0)]
)
def test_a_type_has_so_many_answers(type: str, most: int) -> None:
    answers = scored(*((f"{number}{chr(97 + number) * 9}", float(number)) for number in range(12)))
    for group in (True, False):
        assert texts(ranked(answers, type, group=group)) == texts(answers[::-1])[:most]


def test_grouping_keeps_the_best_of_answers_that_are_over_90_similar() -> None:
    answers = scored((OVER[1], 1.0), (OVER[0], 2.0), (NINETY[0], 3.0), (NINETY[1], 0.5))
    assert texts(ranked(answers, "factoid", group=True)) == [NINETY[0], OVER[0], NINETY[1]]
    assert texts(ranked(answers, "factoid", group=False)) == [NINETY[0], *OVER, NINETY[1]]
    assert len(ranked(scored(*((text, 1.0) for text in NINETY_ONE)), "factoid", group=True)) == 1


def test_an_answer_is_compared_with_kept_ones_alone() -> None:
    # The second goes because of the first; the third is like the second alone.
    chain = ["interleukin alpha", "interleukin alphas", "interleukin alphas xy"]
    assert [similarity_named("WRatio")(chain[0], one) > 90 for one in chain[1:]] == [True, False]
    assert similarity_named("WRatio")(*chain[1:]) > 90
    kept = ranked(scored(*((text, -float(place)) for place, text in enumerate(chain))), "list", group=True)
    assert texts(kept) == [chain[0], chain[2]]


def test_the_list_is_cut_after_grouping() -> None:
    answers = scored(*((text, 9.0) for text in ("same",) * 8), *((each * 7, 1.0) for each in "vwxyz"))
    assert texts(ranked(answers, "factoid", group=True)) == ["same", *(each * 7 for each in "vwxy")]


LETTERS = st.text("ab_1 -", max_size=12)


@pytest.mark.parametrize(
    ("text", "synonyms", "places"),
    [
        ("IL-2 binds il-2.", ["IL-2"], ["IL-2", "il-2"]),
        ("p53 in p53-mutants, not p530", ["p53"], ["p53", "p53"]),
        ("TNF-alpha and TNFalpha", ["TNF", "TNF-alpha"], ["TNF", "TNF-alpha"]),
        ("breast\n  cancer", ["breast cancer"], ["breast\n  cancer"]),
        ("(a+b)*c", ["a+b", "(a+b)*"], ["(a+b)*", "a+b"]),
        ("half of it", ["al", ""], []),
        ("x_y", ["x"], []),
        ("Straße", ["STRASSE"], []),
    ],
)
def test_whole_words_count_in_any_case(text: str, synonyms: list[str], places: list[str]) -> None:
    assert [text[begin:end] for begin, end in occurrences(text, synonyms)] == places


def test_an_answer_names_the_snippet_and_where_it_occurs() -> None:
    snippets = ["none", "the BRCA1 gene", "brca1"]
    assert placed("brca1", 0.5, snippets, 1) == Answer("brca1", 0.5, 1, 4, 9)
    assert placed("tp53", 0.5, snippets, 1) == Answer("tp53", 0.5, 1)


@given(LETTERS, LETTERS, LETTERS)
def test_a_synonym_set_between_blanks_is_found_where_it_stands(before: str, synonym: str, after: str) -> None:
    words = " ".join(synonym.split())
    text = f"{before} {words} {after}"
    found = occurrences(text, [synonym])
    assert all(" ".join(text[begin:end].split()).casefold() == words.casefold() for begin, end in found)
    if words:
        assert any(begin <= len(before) + 1 < end for begin, end in found)
    else:
        assert found == []
