"""How many of a team's entries count on a hidden split, and which spellings of a name are one team."""

from __future__ import annotations

import unicodedata
from datetime import date
from pathlib import Path

import pytest
from tests.leaderboard.boards import TODAY, lines, submit

from anagnosis.datasets.folder.store import Dataset
from anagnosis.leaderboard import monthly_limit
from anagnosis.leaderboard.entries import Entry, entry
from anagnosis.leaderboard.golds import Golds
from anagnosis.leaderboard.monthly_limit import team_key, within_limit
from anagnosis.leaderboard.submission import submission

HIDDEN = frozenset({(0, "test")})


def made_of(folder: Path, built: Dataset, *teams: tuple[str, str, date]) -> list[Entry]:
    rows, golds = lines(built, 0.5), Golds((built,))
    return [
        entry(submission(submit(folder, name, {"test.jsonl": rows}, team=team, date=day), TODAY), golds)
        for name, team, day in teams
    ]


def test_a_teams_first_entries_of_a_month_count(tmp_path: Path, built: Dataset) -> None:
    may, june = date(2026, 5, 30), date(2026, 6, 1)
    entries = made_of(
        tmp_path,
        built,
        ("third", "Lab", may),
        ("first", "Lab", date(2026, 5, 1)),
        ("second", "LAB ", date(2026, 5, 2)),
        ("other", "Other Lab", may),
        ("next month", "lab", june),
    )
    counted, over_limit = within_limit(entries, HIDDEN, 2)
    assert [each.name for each, _ in over_limit] == ["third"]
    assert [each.name for each in counted if each.systems] == [
        "first",
        "second",
        "other",
        "next month",
    ]


def test_entries_of_one_day_count_by_name_and_a_split_that_is_not_hidden_has_no_limit(
    tmp_path: Path, built: Dataset
) -> None:
    day = date(2026, 5, 1)
    entries = made_of(tmp_path, built, *((name, "Lab", day) for name in "cab"))
    _, over_limit = within_limit(entries, HIDDEN, 1)
    assert [each.name for each, _ in over_limit] == ["b", "c"]
    assert within_limit(entries, frozenset(), 1)[1] == []


@pytest.mark.parametrize(
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


@pytest.mark.parametrize(
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
    for char in monthly_limit._LOOKALIKES:  # pyright: ignore[reportPrivateUsage]  (each letter)
        letter = chr(char)
        assert letter.isalpha()
        assert unicodedata.normalize("NFKC", letter).casefold() in (letter, "i")
