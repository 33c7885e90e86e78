"""The ledger of a board: what was entered on its hidden splits, and on which day a build first saw it.

    {"first_seen":"2026-08-03","submission":"base4","team":"Lab","date":"2026-08-01","split":"5e1d…","answers":"0c77…",
     "after":"91ab…"}

It is a file of JSON lines that its maintainer keeps beside the submissions, out of reach of those who enter. A build
adds a line for each entry that it has not seen, at the end, and removes none: an entry whose files, date, team or
folder changed is another entry, and one that was withdrawn still counts. Each line names the one before it
(ledger_chain.py).
"""

from __future__ import annotations

import os
from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path

from msgspec.structs import replace

from anagnosis.datasets.folder import store
from anagnosis.errors import InputError
from anagnosis.files import write_bytes
from anagnosis.leaderboard.board import LedgerEnd
from anagnosis.leaderboard.entries import Entry
from anagnosis.leaderboard.golds import Golds, SplitKey
from anagnosis.leaderboard.ledger_chain import REMEDY, LedgerLine, chained, demand_continued, end_of, parsed
from anagnosis.locks import locked
from anagnosis.paths import PathLike, naming_faults, refuse_special

_EMPTY = "name the ledger of the board; a new board begins with an empty file"
_A_DAY = timedelta(1)  # in another time zone it may be tomorrow


@dataclass(frozen=True, slots=True)
class Ledger:
    """lines: of all entries, those included that are not in the file. end: of the file."""

    lines: list[LedgerLine]
    end: LedgerEnd


def dated_lines(entries: Iterable[Entry], golds: Golds, hidden: frozenset[SplitKey]) -> list[LedgerLine]:
    """A line for each entry and hidden split, as if it had been seen on its own date; by date, then by name."""
    lines: list[LedgerLine] = []
    for each in sorted(entries, key=lambda one: (one.about.date, one.name)):
        for place in each.places:
            if place in hidden:
                split = store.fingerprint(golds.datasets[place[0]], place[1])
                about, answers = each.about, each.digests[place]
                lines.append(LedgerLine(about.date, each.name, about.team, about.date, split, answers))
    return lines


def recorded(
    path: PathLike, lines: Sequence[LedgerLine], today: date, earlier: LedgerEnd | None = None
) -> Ledger:
    """All lines of a ledger, after those of `dated_lines` were added to its file that it has not (`extended`).

    earlier: its end when the site was built that the next one replaces. Refused (InputError): a file that is not there,
    so that a wrong path never begins a new count, that holds anything else, that was changed, or that lacks lines of
    the earlier site. It is replaced at once, and left alone where nothing is new.
    """
    with _alone(path) as target:
        before = target.read_bytes()
        known = _known(before, path, today)
        demand_continued(before, earlier, path)
        found = extended(known, lines, today)
        if new := found[len(known) :]:
            before += b"\n" if before.strip() and not before.endswith(b"\n") else b""
            before += chained(before, new)
            write_bytes(target, before)
        return Ledger(found, end_of(before))


def foreseen(path: PathLike, lines: Sequence[LedgerLine], today: date) -> Ledger:
    """The same of a file that is left alone, as where no site is written. Refused (InputError): as by `recorded`."""
    with _readable(path) as target:
        data = target.read_bytes()
    return Ledger(extended(_known(data, path, today), lines, today), end_of(data))


def read(path: PathLike, today: date) -> list[LedgerLine]:
    """The lines of a ledger. Refused (InputError): as by `recorded`."""
    return foreseen(path, (), today).lines


def extended(known: Sequence[LedgerLine], lines: Iterable[LedgerLine], today: date) -> list[LedgerLine]:
    """The lines of a ledger, then those of `dated_lines` that it has not, first seen today.

    On a split of which it has no line entries begin with their own dates, so that a split that was not hidden before,
    and a board that had no ledger, keep their entries.
    """
    seen = {line.identity for line in known}
    begun = {line.split for line in known}
    new = [line for line in lines if line.identity not in seen]
    return [*known, *(replace(line, first_seen=today) if line.split in begun else line for line in new)]


def demand_safe_place(path: PathLike, submissions: PathLike, out: PathLike | None) -> None:
    """Refuse (InputError) a ledger where those who enter may write, or where a site replaces it."""
    above = Path(path).resolve().parents
    if Path(submissions).resolve() in above:
        what = "lies in the folder of submissions, where those who enter could change it"
        raise InputError(what, str(path), "keep it beside that folder")
    if out is not None and Path(out).resolve() in above:
        raise InputError("lies in the folder of the site", str(path), "keep it elsewhere")


def _known(data: bytes, path: PathLike, today: date) -> list[LedgerLine]:
    lines = parsed(data, path)
    for place, line in enumerate(lines, start=1):
        if line.first_seen > today + _A_DAY:
            what = f"line {place:,} was first seen on {line.first_seen}, which is after today, {today}"
            raise InputError(what, str(path), REMEDY)
    return lines


@contextmanager
def _readable(path: PathLike) -> Generator[Path]:
    refuse_special(path, _EMPTY)
    with naming_faults(path, _EMPTY):
        yield Path(path).resolve(strict=True)


@contextmanager
def _alone(path: PathLike) -> Generator[Path]:
    """The file, which no other build changes meanwhile."""
    with _readable(path) as target:
        while True:
            with target.open("rb") as stream:
                locked(stream, wait=True)
                # Another build may have put a new file in its place while this one waited.
                if os.path.samestat(os.fstat(stream.fileno()), target.stat()):
                    yield target
                    return
