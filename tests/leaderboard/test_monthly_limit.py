"""How many of a team's entries count on a hidden split, by their own dates and by those of a ledger."""

from __future__ import annotations

from datetime import date
from pathlib import Path

from msgspec.structs import replace
from tests.leaderboard.boards import TODAY, lines, submit

from anagnosis.datasets.folder.store import Dataset
from anagnosis.leaderboard.entries import Entry, entry
from anagnosis.leaderboard.golds import Golds
from anagnosis.leaderboard.ledger import dated_lines
from anagnosis.leaderboard.monthly_limit import within_limit
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
    counted = within_limit(entries, Golds((built,)), HIDDEN, 2)
    assert [(each.entry.name, each.counted_on) for each in counted.over_limit] == [("third", may)]
    assert [each.name for each in counted.entries if each.systems] == [
        "first",
        "second",
        "other",
        "next month",
    ]
    assert counted.first_seen == {}


def test_entries_of_one_day_count_by_name_and_a_split_that_is_not_hidden_has_no_limit(
    tmp_path: Path, built: Dataset
) -> None:
    day = date(2026, 5, 1)
    golds = Golds((built,))
    entries = made_of(tmp_path, built, *((name, "Lab", day) for name in "cab"))
    counted = within_limit(entries, golds, HIDDEN, 1)
    assert [each.entry.name for each in counted.over_limit] == ["b", "c"]
    assert within_limit(entries, golds, frozenset(), 1).over_limit == ()


def test_a_ledger_counts_by_the_day_on_which_it_saw_an_entry(tmp_path: Path, built: Dataset) -> None:
    golds = Golds((built,))
    entries = made_of(
        tmp_path, built, *((name, "Lab", date(2026, month, 1)) for month, name in enumerate("abc", 1))
    )
    seen = [replace(line, first_seen=TODAY) for line in dated_lines(entries, golds, HIDDEN)]
    counted = within_limit(entries, golds, HIDDEN, 2, seen)
    assert [(each.entry.name, each.counted_on) for each in counted.over_limit] == [("c", TODAY)]
    assert counted.first_seen == dict.fromkeys("abc", TODAY)
    assert within_limit(entries, golds, HIDDEN, 2).over_limit == ()


def test_what_was_withdrawn_or_replaced_still_counts_and_a_doubled_line_does_not(
    tmp_path: Path, built: Dataset
) -> None:
    golds = Golds((built,))
    (kept,) = made_of(tmp_path, built, ("kept", "Lab", TODAY))
    (line,) = dated_lines([kept], golds, HIDDEN)
    earlier = replace(line, answers="0" * 64)
    assert within_limit([kept], golds, HIDDEN, 1, [earlier, line]).over_limit
    assert not within_limit([kept], golds, HIDDEN, 2, [earlier, earlier, line]).over_limit
    assert not within_limit([kept], golds, HIDDEN, 1, [line, earlier, line]).over_limit
    of_others = [
        replace(line, team="Other"),
        replace(line, split="0" * 64),
        replace(line, first_seen=date(2026, 7, 31)),
    ]
    for other in of_others:
        assert not within_limit([kept], golds, HIDDEN, 1, [replace(other, answers="1"), line]).over_limit
