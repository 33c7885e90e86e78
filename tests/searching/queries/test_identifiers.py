"""A query of identifiers alone is known as such, however its user copied it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.rows import each_row

from anagnosis.searching.queries.identifiers import MOST, identifiers_in, perhaps_identifiers

DOI = "doi:10.1016/j.jaci.2021.03.035"
ALONE = (
    ("10.1016/j.jaci.2021.03.035", [DOI]),
    ("10.1016/J.JACI.2021.03.035.", [DOI]),
    ('"12345678"', ["pmid:12345678"]),
    ("https://doi.org/10.1016/j.jaci.2021.03.035", [DOI]),
    ("http://dx.doi.org/10.1016%2Fj.jaci.2021.03.035", [DOI]),
    ("doi: 10.1016/j.jaci.2021.03.035", [DOI]),
    ("10.1016/0140-6736(95)90123-X", ["doi:10.1016/0140-6736(95)90123-x"]),
    ("12345678", ["pmid:12345678"]),
    ("PMID: 123", ["pmid:123"]),
    ("pmid:0123", ["pmid:123"]),
    ("PMID 123", ["pmid:123"]),
    ("123[pmid]", ["pmid:123"]),
    ("123[uid]", ["pmid:123"]),
    ("https://pubmed.ncbi.nlm.nih.gov/123/", ["pmid:123"]),
    ("PMC7119567", ["pmcid:pmc7119567"]),
    ("pmc7119567.2", ["pmcid:pmc7119567"]),
    ("https://www.ncbi.nlm.nih.gov/pmc/articles/PMC123/", ["pmcid:pmc123"]),
    ("12345678, 23456789 PMC1", ["pmid:12345678", "pmid:23456789", "pmcid:pmc1"]),
    ("12345678 12345678", ["pmid:12345678"]),
    ("PMID: 123; PMC7119567.", ["pmid:123", "pmcid:pmc7119567"]),
    ("10.1016/j.jaci.2021.03.035);", [DOI]),
    ("12345678 OR 980001", ["pmid:12345678", "pmid:980001"]),
    ("(PMID:31 OR PMC7) | 10.1016/j.jaci.2021.03.035", ["pmid:31", "pmcid:pmc7", DOI]),
    ("Nemo A. Is salt well? J Salt. 2016;1(2):3-4. doi: 10.1000/x. PMID: 31; PMCID: PMC7.", ["pmid:31"]),
)
NONE = (
    "",
    "123",
    "tea 12345678",
    "Does salt help, as in 2016 in PMID: 31?",
    "PMID:",
    "00000000",
    "10.1/a",
    "2015:2020[dp]",
    "1234567890",
    "PMC",
)


@each_row(("query", "aliases"), ALONE)
def test_identifiers_alone_are_aliases(query: str, aliases: list[str]) -> None:
    assert list(identifiers_in(query)) == aliases


@pytest.mark.parametrize(
    ("query", "typed"),
    [
        ("10.1000/Salt.X, PMC7", ["10.1000/Salt.X", "PMC7"]),
        ("PMID: 31 doi: 10.1000/Salt.X", ["pmid:31", "doi:10.1000/Salt.X"]),
        ("PMID: PMC7", ["PMC7"]),
    ],
)
def test_identifiers_keep_the_letters_that_were_typed(query: str, typed: list[str]) -> None:
    assert list(identifiers_in(query).values()) == typed


@each_row("query", NONE)
def test_any_other_query_has_none(query: str) -> None:
    assert identifiers_in(query) == {}


@each_row(
    ("query", "numbers"),
    [
        (" 1234567 ", ["1234567"]),
        ("980001 OR 31.", ["980001", "31"]),
        ("1234567 tea", []),
        ("12345678 31", []),
    ],
)
def test_numbers_of_any_length_alone_may_be_identifiers(query: str, numbers: list[str]) -> None:
    assert list(perhaps_identifiers(query).values()) == numbers


def test_a_list_of_too_many_is_none() -> None:
    assert len(identifiers_in(" ".join(str(10_000_000 + n) for n in range(MOST)))) == MOST
    assert identifiers_in(" ".join(str(10_000_000 + n) for n in range(MOST + 1))) == {}


@given(st.text(max_size=60))
def test_any_text_is_read(text: str) -> None:
    assert all(":" in alias for alias in identifiers_in(text))
