"""The kind of a sentence by its words."""

from __future__ import annotations

import pytest

from anagnosis.language.sentence_kinds import KINDS, sentence_kind

SENTENCES = (
    ("Shen M, Li X, Wu P. Is there an association of tea and sleep?", "citation"),
    ("J Tea Res 2016; 16: 570-576.", "citation"),
    ("Further randomised trials of tea are needed.", "outlook"),
    ("In conclusion, tea shortens fever.", "conclusion"),
    ("Our results suggest that tea shortens fever.", "conclusion"),
    ("We therefore conclude that tea shortens fever.", "conclusion"),
    ("This randomised trial shows that tea shortens fever.", "conclusion"),
    ("The aim was to see whether tea shortens fever.", "aim"),
    ("It is unknown what tea does.", "aim"),
    ("To determine whether tea shortens fever.", "aim"),
    ("Adults were randomly assigned to tea or water.", "method"),
    ("We measured fever twice a day.", "method"),
    ("Fever was shorter with tea (p<0.05).", "result"),
    ("Tea is a drink.", ""),
)


@pytest.mark.parametrize(("sentence", "kind"), SENTENCES)
def test_a_sentence_has_its_kind(sentence: str, kind: str) -> None:
    assert sentence_kind(sentence) == kind


def test_every_kind_has_an_example() -> None:
    assert {kind for _, kind in SENTENCES} == {*KINDS, ""}


def test_one_author_makes_no_citation() -> None:
    assert sentence_kind("Li X, who drank tea, slept.") == ""
