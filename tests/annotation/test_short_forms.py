"""Definitions of short forms: which are found, and where their long forms begin."""

from __future__ import annotations

from anagnosis.annotation.short_forms import definitions
from tests.rows import each_row


@each_row(
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
