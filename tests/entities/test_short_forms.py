"""Definitions of short forms: which are found, and where their long forms begin."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anagnosis.entities.short_forms import abbreviations, asked_form, definitions, expands, without_request
from tests.rows import each_row


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("in chronic heart failure (CHF).", [("CHF", "chronic heart failure")]),
        ("heat shock transcription factor (HSF1)", []),
        ("treatment (see Table)", []),
        ("(CHF) first", []),
        ("a line\n(AL)", []),
        ("the kidney (n = 12)", []),
        ('had atrial fibrillation ("AF") and', [("AF", "atrial fibrillation")]),
        ("had “atrial fibrillation” (‘AF’) and", [("AF", "atrial fibrillation")]),
        ("had atrial fibrillation (“AF,” hereafter)", [("AF", "atrial fibrillation")]),
        ("by 1-methyl-4-phenylpyridinium (MPP+).", [("MPP+", "1-methyl-4-phenylpyridinium")]),
        ("3,4-methylenedioxymethamphetamine (MDMA)", [("MDMA", "3,4-methylenedioxymethamphetamine")]),
        ("the N,N-dimethyltryptamine (DMT)", [("DMT", "N,N-dimethyltryptamine")]),
        ("(S)-(−)-carbidopa (CD)", [("CD", "(S)-(−)-carbidopa")]),
        ("COX-2-dependent heart failure (HF)", [("HF", "heart failure")]),
        ("an anti-tumour drug (TD)", [("TD", "tumour drug")]),
        ("an AB (AB)", []),
    ],
)
def test_definitions(text: str, expected: list[tuple[str, str]]):
    assert [(d.short, text[d.start : d.end]) for d in definitions(text)] == expected


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        ("EGFR (epidermal growth factor receptor) binds.", [("EGFR", "epidermal growth factor receptor")]),
        ("deaths fell (p<0.001, p<0.05)", []),
        ("alpha1 (a line) and heart failure [HF]", [("HF", "heart failure")]),
        ("((((((", []),
        ('"AF" (“atrial fibrillation”) is', [("AF", "atrial fibrillation")]),
    ],
)
def test_abbreviations_and_their_long_forms(text: str, pairs: list[tuple[str, str]]) -> None:
    assert list(abbreviations(text)) == pairs


QUESTIONS = {
    "What does ARFID stand for?": ("ARFID", "What ARFID?"),
    "what does copat stand for in surgery": ("copat", "what copat in surgery"),
    "What is the acronym ARFID short for?": ("ARFID", "What ARFID?"),
    "RMET in myasthenia gravis: what is this short for?": ("RMET", "RMET in myasthenia gravis: what RMET?"),
    "What is the full name of the CMV virus?": ("CMV", "What is the CMV virus?"),
    "mRNA full form": ("mRNA", "mRNA"),
    "What does mRNA mean?": ("mRNA", "What does mRNA"),
    "Spell out the abbreviation PFTs.": ("PFTs", "PFTs"),
    "What is the abbreviation of left ventricle?": ("left ventricle", "What is the left ventricle?"),
    "How is heart failure abbreviated in trials?": ("heart failure", "heart failure in trials?"),
}


@each_row("question", [*QUESTIONS])
def test_a_question_names_the_form_whose_other_form_it_wants(question: str) -> None:
    assert (asked_form(question), without_request(question)) == QUESTIONS[question]


@each_row(
    "question",
    [
        "Can patients stand for ten minutes?",
        "What is too short for pneumonia?",
        "What does a positive Hawkins sign mean?",
        "What is the full name of the hospital?",
        "What is it short for?",
        "",
    ],
)
def test_other_questions_name_none(question: str) -> None:
    assert (asked_form(question), without_request(question)) == ("", question)


@each_row(
    ("form", "sentence", "does"),
    [
        ("CHF", "Chronic heart failure (CHF) is common.", True),
        ("CHF", "CHF (chronic heart failure) is common.", True),
        ("chf", "[CHF] Chronic heart failure [CHF] is common.", True),
        ("PFTs", "Pulmonary function tests (PFT) were normal.", True),
        ("mrna", "Messenger RNA (mRNA) was measured.", True),
        ("CoPAT", "Outpatient parenteral antimicrobial therapy in the community setting (CoPAT) is safe.", True),
        ("MEESSI-AHF", f"Multiple{' e s' * 9} score in acute heart failure (MEESSI-AHF)", True),
        ("CoPAT", "Among outpatients with any therapy (CoPAT), 51% were men.", False),
        ("PANDAS", "Prescribing antidepressants appropriately (PANDA) was a trial.", False),
        ("MI", "Men and infants (MI) were counted.", True),
        ("MI", "Infants and men (MI) were counted.", False),
        ("", "Chronic heart failure (CHF)", False),
    ],
)  # fmt: skip
def test_a_sentence_gives_the_other_form_of_a_name(form: str, sentence: str, does: bool) -> None:
    assert expands(form, sentence) is does


@given(st.text(st.sampled_from("aAbB 1-()[]"), max_size=60))
def test_abbreviations_stand_in_the_text(text: str) -> None:
    for short, long in abbreviations(text):
        assert short in text
        assert long in text
