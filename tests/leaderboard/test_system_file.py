"""system.toml: what it may say, and that all that is wrong with it is reported at once."""

from __future__ import annotations

import sys
import tomllib
import unicodedata
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
import tomli_w
from hypothesis import given
from hypothesis import strategies as st
from tests.leaderboard.boards import ABOUT, TODAY
from tests.rows import each_row

from anagnosis.leaderboard.system_file import KEYS, SystemFile, is_invisible, parsed, read, view_of


def faults(**about: Any) -> list[str]:
    return parsed({**ABOUT, **about}, TODAY)[1]


@each_row(
    ("content", "view"),
    [
        (b'view = "local"\ndate = 9', "local"),
        (b'view = "mine"', None),
        (b"date = 2026-08-01", None),
        (b"\xff", None),
    ],
)
def test_the_view_of_a_file_with_faults_is_known(content: bytes, view: str | None, tmp_path: Path) -> None:
    (tmp_path / "system.toml").write_bytes(content)
    assert view_of(tmp_path / "system.toml") == view
    assert view_of(tmp_path / "nowhere.toml") is None


def test_a_sound_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "system.toml"
    path.write_text(
        'name = "A  reader"\nteam = "Lab"\ndate = 2026-08-01\nview = "names"\ntraining_data = "train"\n'
        'training_cutoff = 2020-05-31\nlink = "https://example.org/x"\ndescription = """\nTwo\nlines"""\n'
    )
    assert read(path, TODAY) == (
        SystemFile(
            name="A reader",
            team="Lab",
            date=TODAY,
            view="names",
            training_data="train",
            training_cutoff=date(2020, 5, 31),
            link="https://example.org/x",
            description="Two lines",
        ),
        [],
    )


@each_row(
    ("about", "fault"),
    [
        ({"date": TODAY + timedelta(1)}, "date: 2026-08-02 is after today, 2026-08-01"),
        (
            {"date": "2026-08-01"},
            "date: is no date; write it without quotes and without a time, as 2026-08-01",
        ),
        ({"name": "a\x1b[31mb"}, "name: holds characters that are not visible or that steer text (U+001B)"),
        ({"name": "a\u202eb"}, "name: holds characters that are not visible or that steer text (U+202E)"),
        ({"name": "a\u200bb"}, "name: holds characters that are not visible or that steer text (U+200B)"),
        ({"team": "Lab\u3164"}, "team: holds characters that nothing shows (U+3164)"),
        ({"team": "L\u115fab\u034f"}, "team: holds characters that nothing shows (U+034F, U+115F)"),
        ({"name": "Lab\U000e0101"}, "name: holds characters that nothing shows (U+E0101)"),
        ({"name": "\u2800"}, "name: holds characters that nothing shows (U+2800)"),
        ({"name": "e\u0301\u0301\u0301"}, "name: holds more than 2 combining characters on one letter"),
        ({"name": "a\nb"}, "name: holds a line break"),
        ({"name": "  "}, "name: is empty"),
        ({"name": "x" * 81}, "name: has 81 characters, 80 at most"),
        ({"name": 3}, "name: is no text; write it in quotes"),
        ({"view": "nmaes"}, "view: there is no view 'nmaes' (did you mean names or marked?)"),
        ({"link": "http://example.org"}, "link: is no plain address that begins with https://"),
        ({"link": "https://user@example.org"}, "link: is no plain address that begins with https://"),
        ({"link": "https://[::1"}, "link: is no plain address that begins with https://"),
        ({"link": "javascript:alert(1)"}, "link: is no plain address that begins with https://"),
        ({"link": 'https://example.org/"x'}, "link: is no plain address that begins with https://"),
        (
            {"training_data": "train"},
            "training_cutoff is missing, and training_data is given: write the date of the newest text in it",
        ),
        (
            {"training_data": "train", "training_cutoff": date(2026, 5, 2)},
            "training_cutoff: 2026-05-02 is after the date of the entry, 2026-05-01",
        ),
        (
            {"training_cutoff": date(2020, 5, 31)},
            "training_cutoff is given, and training_data is empty: say what was trained on, or leave the date out",
        ),
        ({"nmae": "x"}, "unknown key 'nmae' (did you mean name or date?)"),
    ],
)
def test_each_fault_is_one_line(about: dict[str, Any], fault: str) -> None:
    assert faults(**about) == [fault]


def test_all_faults_are_reported_at_once() -> None:
    found = parsed({"nam": "x", "date": TODAY + timedelta(1), "link": 3}, TODAY)[1]
    assert len(found) == 7  # an unknown key, a link, a date, and four keys that are missing
    assert "the key 'team' is missing" in found


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (b"name = ", "is not TOML: "),
        (b"name = '\xff'", "is not UTF-8"),
        (b"a = " + b"[" * 5000, "is not TOML: "),
        (b"#" * ((1 << 16) + 1), "is larger than 64 KiB"),
    ],
)
def test_a_file_that_is_no_toml_is_one_fault(tmp_path: Path, content: bytes, fault: str) -> None:
    path = tmp_path / "system.toml"
    path.write_bytes(content)
    found, (only,) = read(path, TODAY)
    assert found is None
    assert only.startswith(fault)
    assert "\n" not in only


def test_a_file_that_is_not_there_is_missing(tmp_path: Path) -> None:
    assert read(tmp_path / "system.toml", TODAY) == (None, ["is missing"])


visible = st.text(st.characters(codec="utf-8", exclude_categories=("C", "Z", "M")), min_size=1, max_size=80)


@given(
    name=visible,
    team=visible,
    day=st.dates(max_value=TODAY),
    trained=st.one_of(st.just(""), visible),
    described=visible,
)
def test_what_a_file_says_comes_back_from_toml(
    name: str, team: str, day: date, trained: str, described: str
) -> None:
    about = {
        **ABOUT,
        "name": name,
        "team": team,
        "date": day,
        "training_data": trained,
        "description": described,
    }
    if trained:
        about["training_cutoff"] = day
    found, wrong = parsed(tomllib.loads(tomli_w.dumps(about)), TODAY)
    assert wrong == []
    assert found is not None
    assert {key: getattr(found, key) for key in about} == about


@given(
    st.dictionaries(
        st.sampled_from([*KEYS, "other"]), st.one_of(st.text(), st.integers(), st.dates(), st.booleans())
    )
)
def test_whatever_stands_in_a_file_gives_faults_of_one_line(values: dict[str, Any]) -> None:
    found, wrong = parsed(values, TODAY)
    assert (found is None) == bool(wrong)
    assert all("\n" not in fault and len(fault) < 400 for fault in wrong)


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
