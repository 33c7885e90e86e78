"""The ledger of a board: what was entered on its hidden splits, and on which day a build first saw it.

    {"first_seen":"2026-08-03","submission":"base4","team":"Lab","date":"2026-08-01","split":"5e1d…","answers":"0c77…"}

It is a file of JSON lines that its maintainer keeps beside the submissions, out of reach of those who enter. A build
adds a line for each entry that it has not seen, at the end, and removes none: an entry whose files, date, team or
folder changed is another entry, and one that was withdrawn still counts.
"""

from __future__ import annotations

import os
from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from datetime import date
from pathlib import Path

import msgspec

from anagnosis.datasets.folder import store
from anagnosis.decoding import decoded
from anagnosis.errors import InputError
from anagnosis.files import write_bytes
from anagnosis.leaderboard.entries import Entry
from anagnosis.leaderboard.golds import Golds, SplitKey
from anagnosis.leaderboard.team_names import team_key
from anagnosis.locks import locked
from anagnosis.paths import PathLike, naming_faults, refuse_special

_REMEDY = "restore it from the history of its repository; an empty file begins a new ledger"


class LedgerLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An entry on a hidden split.

    first_seen: the day on which it counts. submission: the folder's name. date: of system.toml. split: the fingerprint.
    answers: SHA-256 over the files that answer the split.
    """

    first_seen: date
    submission: str
    team: str
    date: date
    split: str
    answers: str

    @property
    def identity(self) -> tuple[object, ...]:
        """The same for all lines of one entry."""
        return (self.submission, team_key(self.team), self.date, self.split, self.answers)


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


def recorded(path: PathLike, lines: Sequence[LedgerLine], today: date) -> list[LedgerLine]:
    """All lines of a ledger, after those of `dated_lines` were added to its file that it has not (`extended`).

    Refused (InputError): a file that is not there, so that a wrong path never begins a new count, or that holds
    anything else. It is replaced at once, and left alone where nothing is new.
    """
    with _alone(path) as target:
        before = target.read_bytes()
        known = _parsed(before, path)
        found = extended(known, lines, today)
        if new := found[len(known) :]:
            ended = before if before.endswith(b"\n") or not before.strip() else before + b"\n"
            write_bytes(target, ended + b"".join(msgspec.json.encode(line) + b"\n" for line in new))
        return found


def read(path: PathLike) -> list[LedgerLine]:
    """The lines of a ledger. Refused (InputError): as by `recorded`."""
    with _readable(path) as target:
        return _parsed(target.read_bytes(), path)


def extended(known: Sequence[LedgerLine], lines: Iterable[LedgerLine], today: date) -> list[LedgerLine]:
    """The lines of a ledger, then those of `dated_lines` that it has not, first seen today.

    An empty ledger begins with the dates of the entries, so that a board that had none keeps its entries.
    """
    seen = {line.identity for line in known}
    new = [line for line in lines if line.identity not in seen]
    return [*known, *(msgspec.structs.replace(line, first_seen=today) if known else line for line in new)]


def demand_safe_place(path: PathLike, submissions: PathLike, out: PathLike | None) -> None:
    """Refuse (InputError) a ledger where those who enter may write, or where a site replaces it."""
    above = Path(path).resolve().parents
    if Path(submissions).resolve() in above:
        what = "lies in the folder of submissions, where those who enter could change it"
        raise InputError(what, str(path), "keep it beside that folder")
    if out is not None and Path(out).resolve() in above:
        raise InputError("lies in the folder of the site", str(path), "keep it elsewhere")


def _parsed(data: bytes, path: PathLike) -> list[LedgerLine]:
    return [
        decoded(line, LedgerLine, f"{path}:{number}", _REMEDY)
        for number, line in enumerate(data.splitlines(), start=1)
        if line.strip()
    ]


@contextmanager
def _readable(path: PathLike) -> Generator[Path]:
    refuse_special(path)
    with naming_faults(path, "name the ledger of the board; a new board begins with an empty file"):
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
