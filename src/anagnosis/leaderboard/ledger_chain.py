"""The lines of a ledger as a chain: each names the one before it, and a site the last one that it was built with.

    "after": SHA-256 over the bytes of the line before, without its end; the first line has none

So a line cannot be changed, removed or moved unless all later ones are written anew, and a ledger that lost its last
lines, or all, is refused where the site is there that was built with them. Nothing here is a signature: whoever may
write both the ledger and the site can forge both.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from datetime import date

import msgspec

from anagnosis.decoding import decoded
from anagnosis.errors import InputError
from anagnosis.leaderboard.board import LedgerEnd
from anagnosis.leaderboard.team_names import team_key
from anagnosis.paths import PathLike
from anagnosis.wording import counted

REMEDY = "restore it from the history of its repository"


class LedgerLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """An entry on a hidden split.

    first_seen: the day on which it counts. submission: the folder's name. date: of system.toml. split: the fingerprint.
    answers: SHA-256 over the files that answer the split. after: of the line before; empty in the first.
    """

    first_seen: date
    submission: str
    team: str
    date: date
    split: str
    answers: str
    after: str = ""

    @property
    def identity(self) -> tuple[object, ...]:
        """The same for all lines of one entry."""
        return (self.submission, team_key(self.team), self.date, self.split, self.answers)


def parsed(data: bytes, path: PathLike) -> list[LedgerLine]:
    """The lines of a file. Refused (InputError): anything else, and a line that does not name the one before it."""
    found: list[LedgerLine] = []
    before = ""
    for number, raw in _lines(data):
        where = f"{path}:{number}"
        line = decoded(raw, LedgerLine, where, REMEDY)
        if line.after != before:
            what = "does not follow the line before it, so a line was changed, removed or moved"
            raise InputError(what, where, REMEDY)
        before = _digest(raw)
        found.append(line)
    return found


def chained(before: bytes, lines: Iterable[LedgerLine]) -> bytes:
    """The bytes of new lines after those of a file."""
    after, made = end_of(before).last, b""
    for line in lines:
        raw = msgspec.json.encode(msgspec.structs.replace(line, after=after))
        after, made = _digest(raw), made + raw + b"\n"
    return made


def end_of(data: bytes) -> LedgerEnd:
    """How far a file goes."""
    digests = [_digest(raw) for _, raw in _lines(data)]
    return LedgerEnd(len(digests), digests[-1] if digests else "")


def demand_continued(data: bytes, earlier: LedgerEnd | None, path: PathLike) -> None:
    """Refuse (InputError) a file that lacks lines with which the earlier site was built."""
    digests = [_digest(raw) for _, raw in _lines(data)]
    if earlier is None or not earlier.lines:
        return
    if len(digests) < earlier.lines:
        what = f"has {counted(len(digests), 'line')}, and the earlier site was built with {earlier.lines:,}"
    elif digests[earlier.lines - 1] != earlier.last:
        what = f"has other lines than the {earlier.lines:,} that the earlier site was built with"
    else:
        return
    raise InputError(what, str(path), REMEDY)


def _lines(data: bytes) -> Iterator[tuple[int, bytes]]:
    """(number in the file, bytes) of each line that is not blank."""
    for number, raw in enumerate(data.splitlines(), start=1):
        if stripped := raw.strip():
            yield number, stripped


def _digest(raw: bytes) -> str:
    return hashlib.sha256(raw).hexdigest()
