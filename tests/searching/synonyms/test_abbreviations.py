"""Abbreviations that papers define: what is collected, and when a question is expanded by it."""

from __future__ import annotations

import pytest

pytest.importorskip("tantivy", reason="the extra search is not installed")

from anagnosis.searching.records.passage import Passage
from anagnosis.searching.synonyms.abbreviations import (
    LEAST_PAPERS,
    AbbreviationNames,
    defined_by,
)

PAPERS = {
    ("CHF", "chronic heart failure"): 8,
    ("CHF", "congestive heart failure"): 2,
    ("CHD", "coronary heart disease"): 7,
    ("CHD", "congenital heart disease"): 2,
    ("RARE", "rather a rare event"): LEAST_PAPERS - 1,
    ("IL-6", "interleukin-6"): 4,
    ("IL-6", "interleukin 6"): 3,
    ("MI", "myocardial infarction"): 50,
    ("HAD", "hospital anxiety and depression"): 50,
    ("OUT", "observed use of tea"): 50,
}


def passage(text: str, number: int = 0) -> Passage:
    return Passage("1", number, "abstract", "", "Title", text)


@pytest.fixture
def names() -> AbbreviationNames:
    return AbbreviationNames(PAPERS)


def test_a_paper_defines_each_abbreviation_once() -> None:
    passages = [
        passage("Chronic heart failure (CHF) and tumor necrosis factor (TNF)."),
        passage("Chronic  heart\tfailure (CHF); 12 patients (seven men).", 1),
    ]
    assert defined_by(passages) == {("CHF", "chronic heart failure"): 1, ("TNF", "tumor necrosis factor"): 1}


def test_a_paper_defines_a_bounded_number_of_abbreviations() -> None:
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    text = " ".join(f"{a.lower()}est {b.lower()}alue ({a}{b})." for a in letters for b in letters)
    assert len(defined_by([passage(text)])) == 200


def test_an_abbreviation_has_the_long_form_that_nearly_all_papers_give_it(names: AbbreviationNames) -> None:
    assert names.names("CHF") == ["chronic heart failure"]
    assert names.names("CHFs") == ["chronic heart failure"]
    assert names.names("IL-6") == ["interleukin-6"]


def test_an_ambiguous_or_rare_abbreviation_has_none(names: AbbreviationNames) -> None:
    assert names.names("CHD") == ()
    assert names.names("RARE") == ()


@pytest.mark.parametrize("words", ["chf", "Chf", "XYZ", "tea", "heart failure"])
def test_other_words_are_unknown(names: AbbreviationNames, words: str) -> None:
    assert names.names(words) is None


def test_a_long_form_has_its_abbreviation(names: AbbreviationNames) -> None:
    assert names.names("Chronic heart failures") == ["CHF"]
    assert names.names("interleukin 6") == ["IL-6"]


@pytest.mark.parametrize(
    "long",
    [
        "congestive heart failure",  # CHF means something else
        "coronary heart disease",  # CHD is ambiguous
        "myocardial infarction",  # two letters
        "hospital anxiety and depression",  # a word that is in nearly every paper
        "observed use of tea",  # so is this one
    ],
)
def test_an_abbreviation_that_may_be_another_word_is_not_added(names: AbbreviationNames, long: str) -> None:
    assert names.names(long) is None


def test_papers_count_and_not_their_passages_or_order() -> None:
    texts = ["A form (AF)."] * 4 + ["B form (BF), and anno futuro (AF)."] * 4
    passages = [
        Passage(str(number // 2), number % 2, "abstract", "", "Title", text)
        for number, text in enumerate(texts)
    ]
    expected = {("AF", "a form"): 2, ("AF", "anno futuro"): 2, ("BF", "b form"): 2}
    for order in (passages, passages[::-1]):
        assert defined_by(order) == expected
        assert AbbreviationNames(defined_by(order)).names("AF") == ()
