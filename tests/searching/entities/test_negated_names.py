"""Sentences that deny or find nothing."""

from __future__ import annotations

from tests.rows import each_row

from anagnosis.searching.entities.negated_names import denied, finds_nothing


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
        ("Zorimab helped, but kelonib did not help.", "Zorimab", False),
        ("Zorimab helped, but kelonib did not help.", "kelonib", True),
        ("Patients without asthma got zorimab.", "zorimab", True),
        ("Patients without asthma, however, got zorimab.", "zorimab", False),
        ("EGFR was expressed, but EGF did not increase growth.", "EGF", True),
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
