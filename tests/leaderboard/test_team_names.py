"""Which spellings of a team's name are one team."""

from __future__ import annotations

import sys
import unicodedata

import pytest
from tests.rows import each_row

from anagnosis.leaderboard import team_names
from anagnosis.leaderboard.team_names import is_invisible, team_key


@each_row(
    "name",
    [
        "LAB",
        "lab",
        " Lab ",
        "ＬＡＢ",
        "L-a-b",
        "l.a.b",
        "𝓛𝓪𝓫",
        "Läb",
        "La\u0308b",
        "L\u0430b",  # Cyrillic a
        "\u04c0\u0410\u0412",  # palochka, A and Ve, all of Cyrillic
        "L\u03b1\u03b2",  # Greek alpha and beta
        "L\u00adab",
        "Lab\u3164",  # fillers of Hangul, which are letters that nothing shows
        "La\u115fb",
        "\uffa0Lab",
    ],
)
def test_case_width_accents_signs_and_letters_that_look_alike_do_not_make_a_team(name: str) -> None:
    assert team_key(name) == team_key("Lab")


@each_row(
    ("one", "other"),
    [
        ("Lab 1", "Lab 2"),
        ("!!!", "???"),
        ("がく", "かく"),
        ("Lab", "Labs"),
        ("北京", "東京"),
        ("Баня", "Ваня"),
    ],
)
def test_other_names_are_other_teams(one: str, other: str) -> None:
    assert team_key(one) != team_key(other)


def test_each_letter_that_looks_like_another_is_a_letter_as_casefold_leaves_it() -> None:
    for char in team_names._LOOKALIKES:  # pyright: ignore[reportPrivateUsage]  (each letter)
        letter = chr(char)
        assert letter.isalpha()
        assert unicodedata.normalize("NFKC", letter).casefold() in (letter, "i")


@pytest.mark.parametrize(
    "char", "\u00ad\u034f\u115f\u1160\u17b4\u180e\u200b\u2800\u3164\ufe0f\ufeff\uffa0\U000e0101"
)
def test_what_nothing_shows_is_invisible(char: str) -> None:
    assert is_invisible(char)


@pytest.mark.parametrize("char", "a 가ᄀ\u0301ー北\u1161!")
def test_what_is_seen_is_not(char: str) -> None:
    assert not is_invisible(char)


def test_all_fillers_of_hangul_and_variation_selectors_are_among_them() -> None:
    names = {char: unicodedata.name(char, "") for char in map(chr, range(sys.maxunicode + 1))}
    fillers = [char for char, name in names.items() if "HANGUL" in name and name.endswith(" FILLER")]
    selectors = [char for char, name in names.items() if "VARIATION SELECTOR" in name]
    assert (len(fillers), len(selectors)) >= (4, 259)
    assert [char for char in fillers + selectors if not is_invisible(char)] == []
