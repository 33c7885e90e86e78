"""The noun phrase that a question asks for, and its number."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from tests.rows import each_row

from anagnosis.language.question_phrase import is_plural, phrase


@each_row(
    ("text", "head", "plural", "before"),
    [
        ("antibody lowers LDL cholesterol?", "antibody", False, ()),
        ("antibodies lower LDL cholesterol?", "antibodies", True, ()),
        ("antibiotics target the cell wall?", "antibiotics", True, ()),
        ("monoclonal antibodies are used?", "antibodies", True, ("monoclonal",)),
        ("the best treatment for gout?", "treatment", False, ("the", "best")),
        ("types of cancer are rare?", "cancer", True, ()),
        ("type of genes is silenced?", "genes", False, ()),
        ("gene(s) should be tested?", "genes", True, ()),
        ("gene(s) cause CF?", "genes", True, ()),
        ("gene(s causes CF?", "genes", True, ()),
        ("enzyme breaks down insulin?", "enzyme", False, ()),
        ("enzymes break down insulin?", "enzymes", True, ()),
        ("pump takes up glucose?", "pump", False, ()),
        ("gene switches off growth?", "gene", False, ()),
        ("bone breaks heal?", "breaks", True, ("bone",)),
        ("mental breakdowns are common?", "breakdowns", True, ("mental",)),
        ("bacteria causes plague?", "bacteria", False, ()),
        ("bacteria cause plague?", "bacteria", True, ()),
        ("virus causes AIDS?", "virus", False, ()),
        ("children need it?", "children", True, ()),
        ("gene and which chromosome cause it?", "gene", True, ()),
        ("", "", False, ()),
    ],
)
def test_a_phrase_has_a_head_with_a_number(
    text: str, head: str, plural: bool, before: tuple[str, ...]
) -> None:
    one = phrase(text)
    assert (one.head, one.plural, one.before) == (head, plural, before)


def test_a_phrase_has_the_words_behind_it() -> None:
    assert phrase("the best treatment for gout?").after == ("for", "gout", "?")
    assert phrase("types of gout?").sorted
    assert not phrase("gout?").sorted


@each_row("noun", ["diagnosis", "virus", "class", "diabetes", "genetics"])
def test_a_singular_in_s_is_no_plural(noun: str) -> None:
    assert not is_plural(noun)


@given(st.text(max_size=200))
def test_any_text_has_a_phrase_of_its_own_words(text: str) -> None:
    one = phrase(text)
    assert all(word in text.lower() for word in (*one.before, *one.after))
