"""Definitions of short forms: which are found, and where their long forms begin."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anagnosis.entities.short_forms import abbreviations, definitions


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("in chronic heart failure (CHF).", [("CHF", "chronic heart failure")]),
        ("with dopamine (DA) alone", [("DA", "dopamine")]),
        ("heat shock transcription factor (HSF1)", []),
        ("treatment (see Table)", []),
        ("acute renal failure [ARF]", [("ARF", "acute renal failure")]),
        ("(CHF) first", []),
        ("a line\n(AL)", []),
        ("the kidney (n = 12)", []),
    ],
)
def test_definitions(text: str, expected: list[tuple[str, str]]):
    assert [(d.short, text[d.start : d.end]) for d in definitions(text)] == expected


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        (
            "The epidermal growth factor receptor (EGFR) binds.",
            [("EGFR", "epidermal growth factor receptor")],
        ),
        ("EGFR (epidermal growth factor receptor) binds.", [("EGFR", "epidermal growth factor receptor")]),
        ("in 40 women (see table) and men (30)", []),
        ("the gene moesin (Moe) is", [("Moe", "moesin")]),
        ("It (X) is", []),
        ("deaths fell (p<0.001, p<0.05)", []),
        ("alpha1 (a line) and heart failure [HF]", [("HF", "heart failure")]),
        ("((((((", []),
    ],
)
def test_abbreviations_and_their_long_forms(text: str, pairs: list[tuple[str, str]]) -> None:
    assert list(abbreviations(text)) == pairs


@given(st.text(st.sampled_from("aAbB 1-()[]"), max_size=60))
def test_abbreviations_stand_in_the_text(text: str) -> None:
    for short, long in abbreviations(text):
        assert short in text
        assert long in text
