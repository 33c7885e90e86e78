"""Characters become those that people write; what is none of them stays, and is counted."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st
from tests.rows import each_row

from anagnosis.documents.formats.pdf.words import UNKNOWN, Hyphens, cleaned


@each_row(
    "printed, read",
    [
        ("e\ufb03cient and \ufb02at", "efficient and flat"),
        ("37 \u25e6C and 20 \u02daC", "37 \u00b0C and 20 \u00b0C"),
        ("5\u00a0\u00b5m \u2126 \u2206F", "5 \u03bcm \u03a9 \u0394F"),
        ("non\u2011ciliary", "non-ciliary"),
        ("a \u02dc3-fold rise, n \u02dc 20", "a \u02dc3-fold rise, n \u02dc 20"),
        ("a `normal' diet and a \u00b4word\u00b4", "a `normal' diet and a \u00b4word\u00b4"),
        ("\ud835\udefd-blocker", "\U0001d6fd-blocker"),
    ],
)
def test_characters_are_those_that_people_write(printed: str, read: str) -> None:
    assert cleaned(printed, Counter()) == read


def test_a_sign_without_a_meaning_stays_and_is_counted() -> None:
    counts = Counter[str]()
    assert cleaned(f"a change of {UNKNOWN}9.9", counts) == f"a change of {UNKNOWN}9.9"
    assert counts["unknown_sign"] == 1


@given(st.text())
def test_what_is_clean_stays(text: str) -> None:
    once = cleaned(text, Counter())
    assert cleaned(once, Counter()) == once


@each_row(
    "before, behind, between",
    [
        ("of tea", "and", " "),
        ("of tea", ", too", ""),
        ("dose-", "free", ""),
        ("分为两", "组", ""),
        ("환", "자", " "),
    ],
)
def test_lines_are_joined_by_a_blank_where_their_script_has_one(
    before: str, behind: str, between: str
) -> None:
    assert Hyphens([]).between(before, behind) == between
