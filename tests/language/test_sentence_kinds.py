"""The kind of a sentence by its words."""

from __future__ import annotations

import pytest
from tests.rows import each_row

from anagnosis.language.sentence_kinds import KINDS, sentence_kind

SENTENCES = (
    ("Shen M, Li X, Wu P. Is there an association of tea and sleep?", "citation"),
    ("J Tea Res 2016; 16: 570-576.", "citation"),
    ("ClinicalTrials.gov Identifier: NCT02444715.", "registration"),
    ("Therefore: ISRCTN34001941", "registration"),
    (
        "The trial was registered with the Australian New Zealand registry (ACTRN12609000952246).",
        "registration",
    ),
    ("Retrospectively registered on 3 May 2015.", "registration"),
    ("NTR4464; Pre-results.", "registration"),
    ("Pre-results.", "registration"),
    ("ISRCTN12345678; Results.", "registration"),
    ("UMIN000012345.", "registration"),
    ("2014-001234-56; Post-results.", "registration"),
    ("Dutch trial number NL6543.", "registration"),
    ("KCT0001234.", "registration"),
    ("NTR1 binds neurotensin.", ""),
    ("Tea shortens fever (NTR4464).", ""),
    ("In conclusion, does tea shorten fever?", "question"),
    ("This study will provide insight into how tea shortens fever.", "promise"),
    ("Our trial will therefore determine whether tea shortens fever.", "promise"),
    ("The results of this study will help to shorten fever.", "promise"),
    ("If our hypothesis is confirmed, tea should be given.", "promise"),
    ("In summary, adults will be recruited and drink tea.", "promise"),
    ("Further randomised trials of tea are needed.", "outlook"),
    ("Tea should also be tested in adults with fever.", "outlook"),
    ("What tea does to fever remains to be determined.", "outlook"),
    ("Tea warrants further evaluation.", "outlook"),
    ("Here we report the long-term effect of tea on fever.", "aim"),
    ("Here we report that tea shortened fever (p<0.05).", "result"),
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


@each_row(("sentence", "kind"), SENTENCES)
def test_a_sentence_has_its_kind(sentence: str, kind: str) -> None:
    assert sentence_kind(sentence) == kind


def test_every_kind_has_an_example() -> None:
    assert {kind for _, kind in SENTENCES} == {*KINDS, ""}


def test_one_author_makes_no_citation() -> None:
    assert sentence_kind("Li X, who drank tea, slept.") == ""


@pytest.mark.parametrize(
    "sentence",
    [
        "In conclusion, tea shortens fever (ClinicalTrials.gov number, NCT01561612).",
        "In conclusion, tea shortens fever [ISRCTN65784760].",
        "We conclude that adults who drink tea will be well again.",
    ],
)
def test_a_conclusion_may_name_its_registry_and_the_future(sentence: str) -> None:
    assert sentence_kind(sentence) == "conclusion"
