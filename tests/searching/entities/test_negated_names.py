"""Sentences that deny, doubt or find nothing."""

from __future__ import annotations

import pytest

from anagnosis.searching.entities.negated_names import blamed, denied, doubted, finds_nothing


@pytest.mark.parametrize(
    ("sentence", "name", "is_denied"),
    [
        ("Aspirin did not reduce mortality.", "Aspirin", True),
        ("Without diabetes, patients took aspirin.", "aspirin", False),
        ("EGF was not expressed; EGFR was.", "EGFR", False),
        ("EGFR was not expressed.", "EGF", False),
    ],
)
def test_a_name_in_the_scope_of_a_negation_is_denied(sentence: str, name: str, is_denied: bool) -> None:
    assert denied(sentence, name) == is_denied


@pytest.mark.parametrize(
    ("sentence", "is_doubted"),
    [
        ("There is insufficient evidence for statins.", True),
        ("The evidence for statins in gout is limited.", True),
        ("The limited effectiveness of cinnarizine is known.", True),
        ("The role of statins remains unclear.", True),
        ("It is not known whether statins help.", True),
        ("Whether statins help remains to be determined.", True),
        ("Although the mechanism remains unclear, statins help.", False),
        ("Although statins help, their safety remains unclear.", True),
        ("Statins help those with limited mobility.", False),
        ("The evidence is strong.", False),
    ],
)
def test_a_sentence_that_says_that_something_is_not_known_doubts(sentence: str, is_doubted: bool) -> None:
    assert doubted(sentence) == is_doubted


def test_an_aim_finds_nothing() -> None:
    assert finds_nothing("We aimed to compare statins with placebo.")
    assert finds_nothing("The aim of this study was to compare statins with placebo.")
    assert not finds_nothing("Statins reduced mortality.")


@pytest.mark.parametrize(
    ("question", "sentence", "is_blamed"),
    [
        ("Which drugs reduce agitation?", "Agitation after sevoflurane anesthesia is common.", True),
        ("Which drugs prevent agitation?", "Sevoflurane-induced agitation is common.", True),
        ("Which drugs cause agitation?", "Agitation after sevoflurane anesthesia is common.", False),
        ("Which drugs reduce agitation?", "Sevoflurane reduced agitation after surgery.", False),
        ("Which drugs reduce agitation?", "Agitation after isosevoflurane is common.", False),
    ],
)
def test_a_cause_is_no_treatment(question: str, sentence: str, is_blamed: bool) -> None:
    assert blamed(question, sentence, "sevoflurane") == is_blamed
