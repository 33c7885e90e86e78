"""Printed names that are one name but for plurals and adjectives."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.rows import each_row

pytest.importorskip("tantivy", reason="the extra search is not installed")

from anagnosis.searching.synonyms.inflections import same_name
from anagnosis.searching.synonyms.names import key

ONE_NAME = (
    ("heart attacks", "Heart Attack"),
    ("hypertensive", "Hypertension"),
    ("diabetic", "diabetes"),
    ("Paediatrics", "pediatric"),
    ("neurology", "neurological"),
    ("allergies", "allergy"),
    ("diagnoses", "diagnosis"),
    ("bacterial infection", "bacteria infections"),
    ("ageing", "Aging"),
    ("IL6", "IL-6"),
    ("TNF-α", "TNF-alpha"),
    ("Sjögren", "sjogren"),
    ("genomics", "genomic"),
    ("enzyme", "enzymic"),
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
)


@each_row(("one", "other"), ONE_NAME)
def test_plurals_adjectives_and_spellings_are_one_name(one: str, other: str) -> None:
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
