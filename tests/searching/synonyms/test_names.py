"""Keys of names, their words in an index, and names that are one but for plurals."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.rows import each_row

pytest.importorskip("tantivy", reason="the extra search is not installed")

from anagnosis.searching.records.hits import Equivalent
from anagnosis.searching.synonyms.names import key, same_name, with_equivalents, words_in_order
from anagnosis.searching.words import words_of


@each_row(
    "names",
    [
        ("Heart Attack", "heart attacks", "heart  attack"),
        ("Leukaemias", "leukemia"),
        ("IL-6", "IL6", "il 6"),
        ("COVID-19", "covid19", "COVID 19"),
        ("Mice", "mouse"),
        ("NF-kappa B", "NFkB"),
        ("TNF-α", "TNFα", "TNF alpha", "tnf-alpha"),
        ("Alzheimer's disease", "Alzheimer’s Disease"),
    ],
)
def test_names_that_differ_in_writing_have_one_key(names: tuple[str, ...]) -> None:
    assert len({key(name) for name in names}) == 1


def test_other_names_have_other_keys() -> None:
    assert len({key(name) for name in ("p53", "TP53", "p 63", "attack heart", "heart")}) == 5
    assert key("") == key(" - ") == ""


def test_a_name_has_the_words_that_stand_side_by_side_in_passages() -> None:
    assert words_in_order("Heart Attacks") == ("heart", "attack")
    assert words_in_order("SARS-CoV-2 of cats") == ("sar", "cov", "2", "of", "cat")


@pytest.mark.parametrize("text", ["IL-6", "IL6", "il-6"])
def test_a_name_with_a_number_is_one_word_in_each_spelling(text: str) -> None:
    assert words_in_order(text) == ("il6",)
    assert "il6" in words_of(f"raised {text} in blood")


ATTACK = Equivalent(frozenset(["heart", "attack"]), (("myocardi", "infarct"), ("mi",)))


@pytest.mark.parametrize("text", ["acut myocardi infarct", "myocardi myocardi infarct", "mi", "heart mi"])
def test_a_name_side_by_side_counts_as_all_words(text: str) -> None:
    assert with_equivalents(text.split(), [ATTACK])[-2:] == ["attack", "heart"]


@each_row("text", ["", "myocardi", "infarct myocardi", "myocardi or infarct", "heart", "heart attack mi"])
def test_other_texts_stay_as_they_are(text: str) -> None:
    assert with_equivalents(text.split(), [ATTACK]) == text.split()


ONE_NAME = (
    ("heart attacks", "Heart Attack"),
    ("Paediatrics", "pediatric"),
    ("allergies", "allergy"),
    ("Mice", "mouse"),
    ("sequelae", "sequela"),
    ("diagnoses", "diagnosis"),
    ("boxes", "box"),
    ("ageing", "Aging"),
    ("IL6", "IL-6"),
    ("TNF-α", "TNF-alpha"),
    ("Sjögren", "sjogren"),
    ("genomics", "genomic"),
)
OTHER_NAMES = (
    ("ageing", "Aged"),
    ("aging", "aged"),
    ("nurses", "nursing"),
    ("relations", "relative"),
    ("nursing homes", "nurse homes"),
    ("AIDS", "aid"),
    ("alcoholics", "alcohols"),
    ("electronic", "Electrons"),
    ("glasses", "glass"),
    ("sulphur acids", "sulfuric acids"),
    ("genome", "genomics"),
    ("hypertensive", "Hypertension"),
)


@each_row(("one", "other"), ONE_NAME)
def test_plurals_and_spellings_are_one_name(one: str, other: str) -> None:
    assert same_name(one, other)
    assert same_name(other, one)


@each_row(("one", "other"), OTHER_NAMES)
def test_what_shares_a_stem_alone_is_another_name(one: str, other: str) -> None:
    assert key(one) == key(other)
    assert not same_name(one, other)
    assert not same_name(other, one)


@given(st.text(max_size=20), st.text(max_size=20))
def test_it_is_symmetric_and_holds_of_a_name_itself(one: str, other: str) -> None:
    assert same_name(one, one)
    assert same_name(one, other) == same_name(other, one)
