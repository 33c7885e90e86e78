"""The chain of a ledger's lines: which changes of a file are noticed, and which only beside the earlier site."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from tests.leaderboard.boards import TODAY
from tests.rows import each_row

from anagnosis.errors import InputError
from anagnosis.leaderboard.board import LedgerEnd
from anagnosis.leaderboard.ledger_chain import LedgerLine, chained, demand_continued, end_of, parsed

LINES = [LedgerLine(TODAY, f"s{number}", "Lab", TODAY, "f" * 64, f"{number:064}") for number in range(4)]
WHOLE = chained(b"", LINES)
A, B, C, D = WHOLE.splitlines(keepends=True)


def test_lines_come_back_each_with_the_digest_of_the_one_before() -> None:
    found = parsed(WHOLE, "entries.jsonl")
    assert [replace(line, after="") for line in found] == LINES
    assert [line.after for line in found] == ["", *(end_of(each).last for each in (A, A + B, A + B + C))]
    assert end_of(WHOLE) == LedgerEnd(4, end_of(D).last)
    assert end_of(b"") == LedgerEnd(0, "")


def test_lines_that_are_added_later_make_the_same_file() -> None:
    begun = chained(b"", LINES[:1])
    assert begun + chained(begun, LINES[1:]) == WHOLE


@pytest.mark.parametrize("end", [b"\r\n", b"  \n", b"\n\n"])
def test_ends_of_lines_and_blank_ones_do_not_matter(end: bytes) -> None:
    assert parsed(WHOLE.replace(b"\n", end), "entries.jsonl") == parsed(WHOLE, "entries.jsonl")
    assert end_of(WHOLE.replace(b"\n", end)) == end_of(WHOLE)


@each_row(
    ("changed", "number"),
    [
        (B + C + D, 1),
        (A + C + D, 2),
        (A + B + D, 3),
        (A + C + B + D, 2),
        (A + A + B + C + D, 2),
        (A + B.replace(b"Lab", b"LAB") + C + D, 3),
        (A.replace(b"2026-08-01", b"2026-07-01") + B + C + D, 2),
        (A + B + C.replace(b'"after"', b'"after":"","before"') + D, 3),
    ],
)
def test_a_line_that_was_changed_removed_moved_or_doubled_is_refused(changed: bytes, number: int) -> None:
    with pytest.raises(InputError) as raised:
        parsed(changed, "entries.jsonl")
    assert raised.value.where == f"entries.jsonl:{number}"
    assert "restore it from the history of its repository" in str(raised.value)


@each_row(
    ("changed", "fault"),
    [
        (b"", "has 0 lines, and the earlier site was built with 3"),
        (A, "has 1 line, and the earlier site was built with 3"),
        (A + B, "has 2 lines, and the earlier site was built with 3"),
        (
            A + B + C.replace(b"Lab", b"LAB"),
            "has other lines than the 3 that the earlier site was built with",
        ),
        (chained(b"", LINES[1:]), "has other lines than the 3 that the earlier site was built with"),
    ],
)
def test_last_lines_are_missed_where_the_earlier_site_had_them(changed: bytes, fault: str) -> None:
    parsed(changed, "entries.jsonl")  # by itself it is a ledger
    demand_continued(changed, None, "entries.jsonl")
    with pytest.raises(InputError, match=fault):
        demand_continued(changed, end_of(A + B + C), "entries.jsonl")


@each_row("earlier", [None, b"", A, A + B, WHOLE])
def test_a_ledger_that_goes_on_is_taken(earlier: bytes | None) -> None:
    demand_continued(WHOLE, None if earlier is None else end_of(earlier), "entries.jsonl")
