"""Abbreviations that papers define: what is collected, and when a question is expanded by it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest

pytest.importorskip("tantivy", reason="the extra search is not installed")

from anagnosis.searching.records.expansion import Defined, Definition
from anagnosis.searching.records.passage import Passage
from anagnosis.searching.synonyms.abbreviations import (
    LEAST_PAPERS,
    AbbreviationNames,
    asked_definitions,
    defined_in,
)
from anagnosis.searching.synonyms.names import key

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
    every = [Definition(*pair, papers) for pair, papers in PAPERS.items()]
    return AbbreviationNames(lambda name: defined_of(every, name))


def defined_of(every: Sequence[Definition], name: Defined) -> list[Definition]:
    return [one for one in every if one.short == name.short or key(one.long) == name.long]


def test_a_paper_defines_each_abbreviation_once() -> None:
    passages = [
        passage("Chronic heart failure (CHF) and tumor necrosis factor (TNF)."),
        passage("Chronic  heart\tfailure (CHF); 12 patients (seven men).", 1),
    ]
    assert defined_in(passages) == (("CHF", "chronic heart failure"), ("TNF", "tumor necrosis factor"))
    assert defined_in(reversed(passages)) == defined_in(passages)


def test_a_paper_defines_a_bounded_number_of_abbreviations() -> None:
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    text = " ".join(f"{a.lower()}est {b.lower()}alue ({a}{b})." for a in letters for b in letters)
    assert len(defined_in([passage(text)])) == 200


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


def test_counts_and_not_the_order_of_papers_decide() -> None:
    counts = Counter({("AB-1", "b form"): 3, ("AB-1", "a form"): 3})
    every = [Definition(*pair, papers) for pair, papers in counts.items()]
    for order in (every, every[::-1]):
        assert AbbreviationNames(lambda name, order=order: order).names("AB-1") == ()


def test_the_rest_of_a_question_decides_between_several_meanings() -> None:
    """Meanings that one paper has are no choice; nor is an abbreviation asked about that has one meaning."""
    defined = {
        "MS": {
            "multiple sclerosis": 30,
            "multiple  Sclerosis": 3,
            "mass spectrometry": 12,
            "maternal sleep": 1,
        },
        "CHF": {"chronic heart failure": 8},
    }
    every = [Definition(short, long, papers) for short, of in defined.items() for long, papers in of.items()]
    asked = list[tuple[str, list[str]]]()

    def chosen(short: str, meanings: Sequence[str]) -> str:
        asked.append((short, [*meanings]))
        return meanings[-1] if len(asked) == 1 else ""

    names = AbbreviationNames(lambda name: defined_of(every, name), chosen)
    assert names.names("CHF") == ["chronic heart failure"]
    assert names.names("MS") == ["mass spectrometry"]
    assert names.names("MS") == ()
    assert asked == [("MS", ["multiple sclerosis", "mass spectrometry"])] * 2


def test_a_question_for_the_other_form_of_a_name_gets_all_that_papers_define() -> None:
    defined = {
        "MS": {"multiple sclerosis": 30, "mass spectrometry": 2, "maternal sleep": 1},
        "mRNA": {"messenger rna": 1},
        "COMBINED": {"comparison of blinded needles": 1},
        "CoPAT": {"community parenteral therapy": 1, "therapy of copaths": 1},
        "CPT": {"community parenteral therapy": 2},
    }
    every = [Definition(short, long, papers) for short, of in defined.items() for long, papers in of.items()]

    def asked(name: str) -> tuple[Sequence[str] | None, int]:
        definitions = asked_definitions(
            f"What is the abbreviation of {name}?", lambda one: defined_of(every, one)
        )
        return AbbreviationNames(lambda name: [], asked=definitions).names(name), len(definitions)

    assert asked("MS") == (["multiple sclerosis", "mass spectrometry"], 3)
    assert asked("MSs") == asked("ms") == asked("MS")
    assert asked("combined") == (["comparison of blinded needles"], 1)
    assert asked("mrna") == (["messenger rna"], 1)
    assert asked("CoPAT") == (["community parenteral therapy", "therapy of copaths"], 2)
    assert asked("Community Parenteral Therapy") == (["CoPAT", "CPT"], 2)
    assert asked("") == asked("unknown") == (None, 0)
