"""The kind of a sentence by its words."""

from __future__ import annotations

import pytest
from tests.rows import each_row

from anagnosis.language.sentence_kinds import KINDS, is_about_its_paper, is_boilerplate, sentence_kind

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


@pytest.mark.parametrize(
    "sentence",
    [
        "Keywords: tea; sleep.",
        "Keywords asthma, tea, sleep",
        "1 Department of Surgery, University of Oslo, 0424 Oslo, Norway.",
        "School of Public Health, Boston (USA)",
        "Correspondence to: A. Lee",
        "Questions go to a.lee@example.org.",
        "Abbreviations: TEA, triethanolamine",
        "CI, confidence interval; OR, odds ratio; RR, relative risk.",
        "© 2020 The Authors.",
        "Copyright © 2020 by Wolters Kluwer.",
        "This is an open access article under the Creative Commons licence.",
        "No reuse allowed without permission.",
        "MS and LX wrote the manuscript.",
        "The authors declare no competing interests.",
        "The authors declare that they have no conflict of interest.",
        "It is distributed under the terms of the licence.",
        "Video Abstract at http://links.lww.com/DCR/B511.",
    ],
)
def test_boilerplate(sentence: str) -> None:
    assert is_boilerplate(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "The key words of the slogan were tea and sleep.",
        "Funding improved the survival of the clinics.",
        "Keywords were taken from titles, and tea was one.",
        "Keywords extracted by hand, not by rule, were tea and sleep.",
        "School Age Effects of Tea: Preliminary Findings",
        "Department of Health guidance, published in 2010, recommends tea.",
        "Copyright law changed access to tea.",
        "Tea (OR, 2.1; CI, 1.1 to 3.4) raised the risk.",
        "It got 0.5 cc by injection: (a) 12 and (c) 20 of 30 rats.",
        "Sleep was studied in a paper published by the same authors.",
        "Amlodipine, 5 mg; Bisoprolol, 5 mg; Losartan, 50 mg were given.",
        "Competing interests were declared by 56 %.",
        "CoPAT, a therapy at home, is common; tea is not; sleep is.",
    ],
)
def test_what_papers_say_is_no_boilerplate(sentence: str) -> None:
    assert not is_boilerplate(sentence)


@each_row(
    ("sentence", "itself"),
    [
        ("We discuss the case of a man who drank tea.", True),
        ("This review provides a comprehensive overview of tea.", True),
        ("These data encourage trials of tea.", True),
        ("Tea, to our knowledge, lowers fever.", False),
        ("This study is the first to show that tea lowers fever.", False),
        ("Tea is freely available at pharmacies and lowers fever.", False),
        ("The data are available from the authors.", True),
        ("We report that tea shortens sleep.", False),
        ("This study shows an effect of tea.", False),
        ("Tea shortens sleep.", False),
    ],
)
def test_what_a_sentence_says_about_its_paper(sentence: str, itself: bool) -> None:
    assert is_about_its_paper(sentence) == itself
