"""Sentences that deny, doubt or find nothing."""

from __future__ import annotations

from tests.rows import each_row

from anagnosis.searching.entities.negated_names import blamed, denied, finds_nothing


@each_row(
    ("sentence", "name", "is_denied"),
    [
        ("Aspirin did not reduce mortality.", "Aspirin", True),
        ("Without diabetes, patients took aspirin.", "aspirin", False),
        ("EGF was not expressed; EGFR was.", "EGFR", False),
        ("EGFR was not expressed.", "EGF", False),
        ("Aspirin did not reduce mortality.", "aspirin", True),
        ("aspirin did not reduce mortality.", "Aspirin", True),
        ("The cat was not sold.", "CAT", False),
    ],
)
def test_a_name_in_the_scope_of_a_negation_is_denied(sentence: str, name: str, is_denied: bool) -> None:
    assert denied(sentence, name) == is_denied


def test_a_name_is_denied_in_all_its_spellings() -> None:
    assert denied("Acetylsalicylic acid did not help.", "aspirin", "acetylsalicylic acid")
    assert not denied(
        "Acetylsalicylic acid did not help, but aspirin helped.", "aspirin", "acetylsalicylic acid"
    )
    assert not denied("Aspirin did not help.", "tea")


def test_an_aim_finds_nothing() -> None:
    assert finds_nothing("We aimed to compare statins with placebo.")
    assert finds_nothing("The aim of this study was to compare statins with placebo.")
    assert not finds_nothing("Statins reduced mortality.")


@each_row(
    ("question", "sentence", "is_blamed"),
    [
        ("Which drugs reduce agitation?", "Agitation after sevoflurane anesthesia is common.", True),
        ("Which drugs prevent agitation?", "Sevoflurane-induced agitation is common.", True),
        ("Which drugs cause agitation?", "Agitation after sevoflurane anesthesia is common.", False),
        ("Which drugs reduce agitation?", "Sevoflurane reduced agitation after surgery.", False),
        ("Which drugs reduce agitation?", "Agitation after isosevoflurane is common.", False),
        ("Which drugs reduce agitation?", "Agitation decreased after sevoflurane.", False),
        ("Which drugs reduce agitation?", "Agitation did not decrease after sevoflurane.", True),
        ("Which drugs reduce agitation?", "Agitation fell by 30 % following sevoflurane.", False),
        ("Which drugs reduce agitation?", "A sevoflurane-induced reduction of agitation was seen.", False),
        ("Which drugs reduce agitation?", "Sevoflurane-induced agitation was reduced by tea.", True),
        ("Which drugs reduce agitation?", "Improvement was attributable to sevoflurane.", False),
        ("Which drugs reduce agitation?", "Tea reduced agitation after sevoflurane.", True),
        ("Which drugs reduce agitation?", "After sevoflurane, agitation decreased.", False),
        ("Which drugs reduce agitation?", "After sevoflurane, tea reduced agitation.", True),
        ("Which drugs lower agitation?", "Agitation after sevoflurane is common.", True),
        ("Which drugs prevent tea-induced agitation?", "Agitation after sevoflurane is common.", True),
        ("Which drugs cause lower back pain?", "Lower back pain after sevoflurane is common.", False),
        ("Which drugs affect lower limbs?", "Agitation after sevoflurane is common.", False),
        ("Which drugs are given during cancer treatment?", "Agitation after sevoflurane is common.", False),
        ("Which drugs carry a risk during prevention?", "Agitation after sevoflurane is common.", False),
    ],
)
def test_a_cause_is_no_treatment(question: str, sentence: str, is_blamed: bool) -> None:
    assert blamed(question, sentence, "sevoflurane") == is_blamed
