"""The noun phrase of a question, and what stands around its gap."""

from __future__ import annotations

import pytest
from tests.rows import each_row

from anagnosis.language.question_nouns import described, gap, split


@each_row(
    ("noun", "before", "after"),
    [
        ("gene", "", ""),
        ("gene mutations", "the gene mutations", ""),
        ("mutations of the gene", "the mutations", "of the gene"),
        ("type of lung cancer", "the type of lung cancer", ""),
        ("drugs acting via bradykinin", "the drugs", "acting via bradykinin"),
        ("proteins known to bind", "the proteins", "known to bind"),
        ("factors (TFs)", "the factors (TFs)", ""),
        ("percentage of cells", "", "of cells"),
        ("gene and which protein", "the gene and protein", ""),
        ("", "", ""),
    ],
)
def test_a_phrase_surrounds_its_gap(noun: str, before: str, after: str) -> None:
    assert gap(noun, nouns="drop") == (before, after)


@each_row(
    ("text", "noun", "verb"),
    [
        ("gene is mutated in it", "gene", "is"),
        ("proteins that bind DNA are known", "proteins that bind DNA", "are"),
        ("genome (which is RNA) was found", "genome (which is RNA)", "was"),
        ("kinase, involved in it, is the target", "kinase, involved in it,", "is"),
        ("company originally developed the drug", "company", "originally developed"),
        ("drug cures hepatitis C", "drug", "cures"),
        ("genes endow breast growth", "genes", "endow"),
        ("organelles we can see", "organelles", "we"),
        ("diseases that can be treated", "diseases that can be treated", ""),
        ("gene", "gene", ""),
    ],
)
def test_the_verb_behind_the_noun_is_seen(text: str, noun: str, verb: str) -> None:
    assert split(text)[:2] == (noun, verb)


@pytest.mark.parametrize(
    ("noun", "text"),
    [
        ("type of enzyme", "a type of enzyme"),
        ("enzyme", "an enzyme"),
        ("types of genes", "types of genes"),
    ],
)
def test_a_phrase_behind_the_gap_has_its_article(noun: str, text: str) -> None:
    assert described(noun) == text
