"""Names in plain letters: the same for a gene, a number and a Greek letter however they are written."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st
from tests.rows import each_row

from anagnosis.language.plain_letters import searchable


@each_row(
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


@each_row(
    "spellings",
    [
        ("IFN-γ", "IFN-gamma", "IFNγ", "IFN gamma", "IFNgamma", "IFN\u2010γ", "IFN\u2013γ"),
        ("tnf-α", "tnfα", "tnfalpha", "tnf alpha", "tnfa", "tnf-a"),
        ("NF-κB", "NF-kappaB", "NFκB", "NFkappaB", "NF-kappa B", "NF-κ B", "NFkB", "NFKB", "NF-kB", "NF kB"),
        ("nf-kappab", "nfkappab", "nf-κb", "nfkb", "nf-kb"),
        ("PGC1α", "PGC1alpha", "PGC1 alpha", "PGC1a"),
        ("PGC-1α", "PGC-1alpha", "PGC-1-alpha", "PGC-1a"),
        ("β-catenin", "beta-catenin", "βcatenin", "beta catenin"),
        ("IL-1β", "IL-1beta", "IL-1 beta", "IL-1-β", "IL-1b", "IL-1B"),
        ("IL1β", "IL1beta"),
        ("TGF-β1", "TGF-beta1", "TGFβ1", "TGFbeta1", "TGFb1", "TGF-b1"),
        ("IκBα", "IkappaBalpha"),
        ("γδ T", "gammadelta T", "gamma-delta T"),
    ],
)
def test_greek_letters_are_one_word_however_they_are_written(spellings: tuple[str, ...]) -> None:
    words = {tuple(re.findall(r"[^\W_]+", searchable(each))) for each in spellings}
    assert len(words) == 1, words


@each_row(
    "word",
    str.split("""
        alphabet betaine gammaglobulin microbiota μg kappacasein deltaic stigma NFKBIA TNFAIP IFNAR anfkb PPARs
    """),
)
def test_other_words_stay_whole(word: str) -> None:
    assert len(re.findall(r"[^\W_]+", searchable(word))) == 1


def test_soft_hyphens_go_and_greek_is_spelled() -> None:
    assert searchable("inter\u00adferon α") == "interferon alpha"


NAME = re.compile(r"(?<![^\W_])([A-Za-z]{1,20})(-?)([0-9]+[A-Za-z]{0,3})(?![^\W_])")
SIGNS = [*"-\u2013\u2011\u00adαΩé²\ufb01 _(\n", "IL", "tnf", "a", "2", "19"]


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
