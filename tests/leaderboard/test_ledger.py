"""The ledger: what a build adds to it, and that nobody enters more often by dating back or by replacing files."""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Sequence
from datetime import date, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.leaderboard.boards import TODAY, jsonl, lines, made_board, submit

from anagnosis import api
from anagnosis.datasets.folder.store import Dataset
from anagnosis.errors import InputError
from anagnosis.leaderboard.board import Board
from anagnosis.leaderboard.building import board
from anagnosis.leaderboard.ledger import foreseen, recorded
from anagnosis.leaderboard.ledger_chain import LedgerLine, chained
from anagnosis.reports.leaderboard.site import contents
from anagnosis.reports.leaderboard.words import page_of

HELD = 2  # entries that a team may make


def ledger(folder: Path) -> Path:
    path = folder / "entries.jsonl"
    if not path.exists():
        path.touch()
    return path


def build(
    folder: Path, built: Dataset, on: date = TODAY, *, hidden: Sequence[str] = ("test",), **how: Any
) -> Board:
    return board(
        folder / "submissions",
        [built],
        hidden=hidden,
        today=on,
        ledger=partial(recorded, ledger(folder)),
        per_month=HELD,
        **how,
    )


def over(found: Board) -> list[str]:
    return [each.submission for each in found.over_limit]


def ranked(found: Board) -> list[str]:
    return sorted(row.submission for part in found.parts for row in part.standings[0].rows)


@pytest.fixture
def entered(tmp_path: Path, built: Dataset) -> Path:
    """A board whose ledger knows the two entries that the team may make in August."""
    submit(tmp_path, "old", {"test.jsonl": lines(built, 0.5)}, team="Other", date=date(2026, 5, 1))
    build(tmp_path, built)
    for name, seed in (("first", 1), ("second", 2)):
        submit(tmp_path, name, {"test.jsonl": lines(built, 0.5, seed)}, date=TODAY)
    assert over(build(tmp_path, built)) == []
    return tmp_path


def test_an_empty_ledger_begins_with_the_dates_of_the_entries(tmp_path: Path, built: Dataset) -> None:
    for month, name in enumerate("abc", 3):
        submit(tmp_path, name, {"test.jsonl": lines(built, 0.5, month)}, date=date(2026, month, 9))
    assert over(build(tmp_path, built)) == []
    written = [msgspec.json.decode(line, type=LedgerLine) for line in ledger(tmp_path).open("rb")]
    assert [(line.submission, line.first_seen) for line in written] == [
        ("a", date(2026, 3, 9)),
        ("b", date(2026, 4, 9)),
        ("c", date(2026, 5, 9)),
    ]


def test_the_same_files_and_ledger_give_the_same_board_on_any_day(entered: Path, built: Dataset) -> None:
    before = ledger(entered).read_bytes()
    assert build(entered, built) == build(entered, built, TODAY + timedelta(200))
    assert ledger(entered).read_bytes() == before


def test_a_third_entry_is_over_the_limit_however_it_is_dated(entered: Path, built: Dataset) -> None:
    submit(entered, "third", {"test.jsonl": lines(built, 0.5, 3)}, date=date(2026, 5, 1))
    found = build(entered, built)
    assert over(found) == ["third"]
    assert found.over_limit[0].date == TODAY
    assert "third" not in ranked(found)
    assert over(made_board(entered, built, hidden=["test"])) == []  # by its own date it would have escaped


def test_replaced_answers_are_a_new_entry(entered: Path, built: Dataset) -> None:
    (entered / "submissions" / "second" / "test.jsonl").write_bytes(jsonl(lines(built, 0.9, 9)))
    found = build(entered, built)
    assert over(found) == ["second"]
    assert ranked(found) == ["first", "old"]


@pytest.mark.parametrize("key", ["date", "team", "folder"])
def test_an_edited_date_team_or_folder_is_a_new_entry(entered: Path, built: Dataset, key: str) -> None:
    place = entered / "submissions" / "second"
    if key == "folder":
        place = place.rename(entered / "submissions" / "renamed")
    else:
        old, new = {"date": (str(TODAY), "2026-04-01"), "team": ('"Example Lab"', '"Other"')}[key]
        file = place / "system.toml"
        file.write_text(file.read_text().replace(old, new))
    size = len(ledger(entered).read_bytes().splitlines())
    found = build(entered, built)
    assert len(ledger(entered).read_bytes().splitlines()) == size + 1
    assert over(found) == ([] if key == "team" else [place.name])


@pytest.mark.parametrize(
    "change",
    ['description = "Now with a description."\n', 'link = "https://example.org"\n'],
)
def test_other_keys_may_be_edited_and_files_renamed(entered: Path, built: Dataset, change: str) -> None:
    place = entered / "submissions" / "second"
    (place / "system.toml").write_text((place / "system.toml").read_text() + change)
    (place / "test.jsonl").rename(place / "answers.jsonl")
    before = ledger(entered).read_bytes()
    assert over(build(entered, built)) == []
    assert ledger(entered).read_bytes() == before


def test_an_entry_that_was_withdrawn_still_counts(entered: Path, built: Dataset) -> None:
    for file in (entered / "submissions" / "first").iterdir():
        file.unlink()
    (entered / "submissions" / "first").rmdir()
    submit(entered, "third", {"test.jsonl": lines(built, 0.5, 3)}, date=TODAY)
    assert over(build(entered, built)) == ["third"]
    # next month it counts once it is dated then
    place = entered / "submissions" / "third" / "system.toml"
    place.write_text(place.read_text().replace("2026-08-01", "2026-09-01"))
    assert over(build(entered, built, date(2026, 9, 2))) == []


def test_faulty_submissions_and_open_splits_have_no_line(tmp_path: Path, built: Dataset) -> None:
    submit(tmp_path, "faulty", {"test.jsonl": lines(built, 0.5)[1:]})
    submit(tmp_path, "open", {"dev.jsonl": lines(built, 0.5, split="dev")})
    build(tmp_path, built)
    assert ledger(tmp_path).read_bytes() == b""


def test_the_page_of_a_system_says_when_it_was_first_seen(entered: Path, built: Dataset) -> None:
    found = build(entered, built)
    assert {each.submission: each.first_seen for each in found.systems} == {
        "first": TODAY,
        "old": date(2026, 5, 1),
        "second": TODAY,
    }
    assert {each.first_seen for each in made_board(entered, built, hidden=["test"]).systems} == {None}


def line(number: int) -> LedgerLine:
    return LedgerLine(TODAY, f"s{number}", "Lab", TODAY, "f" * 64, f"{number:064}")


def test_a_last_line_without_its_end_is_kept_and_lines_stay_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "entries.jsonl"
    # As another tool may write it: other order and blanks.
    known = (
        b'{"team": "Lab", "first_seen": "2026-01-01", "submission": "x", "date": "2026-01-01", "split": "s", '
        b'"answers": "a"}'
    )
    path.write_bytes(known)
    assert [each.submission for each in recorded(path, [line(1)], TODAY).lines] == ["x", "s1"]
    first, second = path.read_bytes().splitlines()
    assert first == known
    digest = hashlib.sha256(known).hexdigest()
    assert msgspec.json.decode(second, type=LedgerLine) == msgspec.structs.replace(line(1), after=digest)


def test_builds_at_the_same_time_lose_no_line(tmp_path: Path) -> None:
    path = tmp_path / "entries.jsonl"
    path.touch()
    threads = [threading.Thread(target=recorded, args=(path, [line(number)], TODAY)) for number in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    found = [each.submission for each in foreseen(path, (), TODAY).lines]
    assert sorted(found) == sorted(f"s{number}" for number in range(12))


def test_a_link_to_a_ledger_stays_one(tmp_path: Path) -> None:
    (tmp_path / "real.jsonl").touch()
    (tmp_path / "entries.jsonl").symlink_to("real.jsonl")
    recorded(tmp_path / "entries.jsonl", [line(1)], TODAY)
    assert (tmp_path / "entries.jsonl").is_symlink()
    assert len((tmp_path / "real.jsonl").read_bytes().splitlines()) == 1


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (
            b"<<<<<<< HEAD\n",
            "entries.jsonl:1: not JSON (<<<<<<< HEAD); restore it from the history of its repository",
        ),
        (b"\n{}\n", "entries.jsonl:2: "),
        (b"\xff\n", "entries.jsonl:1: not JSON"),
        (b'{"first_seen":"2026-13-01"}\n', "entries.jsonl:1: first_seen: "),
    ],
)
def test_a_ledger_that_holds_anything_else_is_refused_with_its_line(
    tmp_path: Path, content: bytes, fault: str
) -> None:
    path = tmp_path / "entries.jsonl"
    path.write_bytes(content)
    with pytest.raises(InputError) as raised:
        recorded(path, [line(1)], TODAY)
    assert fault in str(raised.value)
    assert "empty" not in str(raised.value)
    assert path.read_bytes() == content


def test_a_day_that_has_not_come_anywhere_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "entries.jsonl"
    path.write_bytes(chained(b"", [line(1)]))
    # In another time zone it may be a day later than here.
    assert recorded(path, [], TODAY - timedelta(1)).end.lines == 1
    for of in (recorded, foreseen):
        with pytest.raises(
            InputError, match="line 1 was first seen on 2026-08-01, which is after today, 2026-07-30"
        ):
            of(path, [], TODAY - timedelta(2))


def test_a_ledger_that_is_not_there_or_no_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(
        InputError, match="name the ledger of the board; a new board begins with an empty file"
    ):
        recorded(tmp_path / "entries.jsonl", [line(1)], TODAY)
    assert not [*tmp_path.iterdir()]
    with pytest.raises(InputError, match="name the ledger of the board"):
        recorded(tmp_path, [line(1)], TODAY)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(
        InputError, match="is a pipe, not a file; name the ledger of the board; a new board begins"
    ):
        recorded(tmp_path / "pipe", [line(1)], TODAY)


def test_a_ledger_may_not_lie_where_those_who_enter_write(tmp_path: Path, built: Dataset) -> None:
    place = submit(tmp_path, "a", {"test.jsonl": lines(built, 0.5)})
    for path, fault in (
        (place / "entries.jsonl", "lies in the folder of submissions"),
        (tmp_path / "site" / "entries.jsonl", "lies in the folder of the site"),
    ):
        with pytest.raises(InputError, match=fault):
            api.build_leaderboard(
                tmp_path / "submissions", [built], tmp_path / "site", hidden=["test"], ledger=path
            )


def test_a_ledger_without_a_hidden_split_is_refused(tmp_path: Path, built: Dataset) -> None:
    submit(tmp_path, "a", {"test.jsonl": lines(built, 0.5)})
    with pytest.raises(
        InputError, match="--ledger: counts the entries on hidden splits, and no split is hidden"
    ):
        build(tmp_path, built, hidden=())


def test_the_old_entries_of_a_split_that_is_hidden_later_keep_their_dates(
    entered: Path, built: Dataset
) -> None:
    for month in (3, 4, 5):
        rows = {"dev.jsonl": lines(built, 0.5, month, split="dev")}
        submit(entered, f"dev {month}", rows, date=date(2026, month, 9))
    assert over(build(entered, built)) == []
    later = TODAY + timedelta(40)
    assert over(build(entered, built, later, hidden=["test", "dev"])) == []
    # From then on the day of the build counts.
    for name in ("x", "y", "z"):
        submit(entered, name, {"dev.jsonl": lines(built, 0.5, ord(name), split="dev")}, date=date(2026, 2, 1))
    found = build(entered, built, later, hidden=["test", "dev"])
    assert [(each.submission, each.date) for each in found.over_limit] == [("z", later)]


def test_progress_goes_by_the_day_of_the_ledger(entered: Path, built: Dataset) -> None:
    submit(
        entered,
        "dated back",
        {"test.jsonl": lines(built, 0.9, 5), "dev.jsonl": lines(built, 0.9, split="dev")},
        team="Third",
        date=date(2026, 1, 1),
    )
    found = build(entered, built, TODAY + timedelta(3))
    days = {
        part.split: {step.submission: step.date for step in part.standings[0].progress}
        for part in found.parts
    }
    assert days["test"] == {
        "old": date(2026, 5, 1),
        "first": TODAY,
        "second": TODAY,
        "dated back": TODAY + timedelta(3),
    }
    assert days["dev"] == {"dated back": date(2026, 1, 1)}  # the ledger has no line of an open split
    submit(
        entered, "later", {"dev.jsonl": lines(built, 0.5, split="dev")}, team="Third", date=date(2026, 2, 1)
    )
    found = build(entered, built, TODAY + timedelta(3))
    pages = {name: data.decode() for name, data in contents(found)}
    says = {
        part.split: "on which this board first saw its answers" in pages[page_of(part)]
        for part in found.parts
    }
    assert says == {"test": True, "dev": False}


def published(folder: Path, built: Dataset, out: str | None = "site", **how: Any) -> Board:
    how = {"hidden": ["test"], "ledger": ledger(folder), "today": TODAY, **how}
    return api.build_leaderboard(folder / "submissions", [built], out and folder / out, **how)


def test_a_build_without_a_site_counts_and_leaves_the_ledger_alone(entered: Path, built: Dataset) -> None:
    submit(entered, "third", {"test.jsonl": lines(built, 0.5, 3)}, date=TODAY)
    before = ledger(entered).read_bytes()
    found = published(entered, built, None)
    assert over(found) == ["third"]
    assert ledger(entered).read_bytes() == before
    assert over(published(entered, built)) == ["third"]
    assert len(ledger(entered).read_bytes().splitlines()) == len(before.splitlines()) + 1


def test_a_ledger_that_lost_lines_is_refused_where_the_site_has_seen_them(
    entered: Path, built: Dataset
) -> None:
    published(entered, built)
    whole = ledger(entered).read_bytes()
    first, second, third = whole.splitlines(keepends=True)
    for left, fault in (
        (b"", "has 0 lines, and the earlier site was built with 3; restore it"),
        (first + second, "has 2 lines, and the earlier site was built with 3; restore it"),
        (second + third, "entries.jsonl:1: does not follow the line before it"),
    ):
        ledger(entered).write_bytes(left)
        with pytest.raises(InputError) as raised:
            published(entered, built)
        assert fault in str(raised.value)
        assert ledger(entered).read_bytes() == left
    ledger(entered).write_bytes(whole)
    published(entered, built)


def test_a_site_that_counts_by_a_ledger_is_not_replaced_by_one_that_does_not(
    entered: Path, built: Dataset
) -> None:
    published(entered, built)
    with pytest.raises(InputError, match="the earlier site counts entries by a ledger, and none is named"):
        published(entered, built, ledger=None)
    published(entered, built, ledger=None, hidden=[])
