"""What a CORD-19 release's tables say, kept on disk while its parses go by: memory does not grow with the release.

One paper for each cord_uid of a table. Where it stands in several rows, the first row that has a title, an abstract, a
fact tells it, and the parses of all rows are the paper's, in their order. Of its parses the first with a text is read:
those of pmc_json first, since they come from XML, then those of pdf_json. An abstract that no row has is that of the
first parse that has one.

An SQLite database without a name holds it: a temporary file, gone when it is closed.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from types import TracebackType
from typing import Any, NamedTuple

import msgspec

from anagnosis.documents.formats.cord19.metadata import Row
from anagnosis.documents.repairs import Repairs

_SCHEMA = """
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
BEGIN;
CREATE TABLE file (path TEXT);
CREATE TABLE paper (number INTEGER PRIMARY KEY, base TEXT, uid TEXT, told BLOB,
    lacks_abstract INTEGER, tried INTEGER DEFAULT -1, done INTEGER DEFAULT 0, UNIQUE (base, uid));
CREATE TABLE parse (base TEXT, name TEXT, paper INTEGER, rank INTEGER, is_pdf INTEGER, present INTEGER DEFAULT 0,
    read INTEGER DEFAULT 0, UNIQUE (paper, name));
CREATE INDEX parse_name ON parse (base, name);
"""
# Behind so many of pmc_json come those of pdf_json.
_PDF = 1 << 20


class Told(msgspec.Struct, array_like=True, gc=False):
    """What the rows of one paper say, and the abstract of a parse where they say none."""

    title: str
    abstract: str
    facts: dict[str, str]


class Paper(NamedTuple):
    """number: in the order of the tables. rank: of the parse in hand among the paper's."""

    number: int
    uid: str
    told: Told
    rank: int = -1


class ReleaseIndex:
    """Papers, and which of their parses are there. A base is the folder of a table: it tells of the files below it."""

    def __init__(self) -> None:
        self._db = sqlite3.connect("", isolation_level=None)
        self._db.executescript(_SCHEMA)
        self._bases: set[str] = set()

    def __enter__(self) -> ReleaseIndex:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._db.close()

    def add_table(self, base: str) -> None:
        """That a table lies there, of no row even."""
        self._bases.add(base)

    def add(self, base: str, row: Row, repairs: Repairs) -> None:
        """One more row of a table that lies there. Counted: cord_uid_repeated."""
        told = Told(row.title, row.abstract, row.facts)
        known = self._one("SELECT number, told FROM paper WHERE base = ? AND uid = ?", base, row.uid)
        if known is None:
            number = self._db.execute(
                "INSERT INTO paper (base, uid, told, lacks_abstract) VALUES (?, ?, ?, ?)",
                (base, row.uid, _encoded(told), not told.abstract),
            ).lastrowid
        else:
            repairs.count("cord_uid_repeated")
            number = known[0]
            self._tell(number, _merged(_decoded(known[1]), told))
        (ranked,) = self._one("SELECT count(*) FROM parse WHERE paper = ?", number)
        self._db.executemany(
            "INSERT OR IGNORE INTO parse (base, name, paper, rank, is_pdf) VALUES (?, ?, ?, ?, ?)",
            [
                (base, name, number, ranked + at + _PDF * is_pdf, is_pdf)
                for is_pdf, names in ((False, row.pmc), (True, row.pdf))
                for at, name in enumerate(names)
            ],
        )

    def add_file(self, path: str) -> None:
        """That a file lies there."""
        self._db.execute("INSERT INTO file VALUES (?)", (path,))

    def join(self) -> None:
        """Find the files that tables name, when all of both were added."""
        for (path,) in self._db.execute("SELECT path FROM file"):
            self._db.execute("UPDATE parse SET present = 1 WHERE base = ? AND name = ?", self._key(path))

    def has_table_for(self, path: str) -> bool:
        """Whether a table tells of the files there."""
        return self._base(path) is not None

    def is_named(self, path: str) -> bool:
        """Whether a table names the file."""
        return self._one("SELECT 1 FROM parse WHERE base = ? AND name = ?", *self._key(path)) is not None

    def wanting(self, path: str) -> list[Paper]:
        """The papers whose text is to be read of this file next."""
        found = self._db.execute(
            "SELECT number, uid, told, rank FROM parse JOIN paper ON number = paper"
            " WHERE parse.base = ? AND name = ? AND NOT done AND rank ="
            " (SELECT min(rank) FROM parse WHERE paper = number AND present AND rank > tried) ORDER BY number",
            self._key(path),
        ).fetchall()
        return [Paper(number, uid, _decoded(told), rank) for number, uid, told, rank in found]

    def lacking_abstract(self, path: str) -> list[int]:
        """The numbers of the papers for which this file, not read before, may have the abstract."""
        found = self._db.execute(
            "SELECT number FROM parse JOIN paper ON number = paper"
            " WHERE parse.base = ? AND name = ? AND is_pdf AND NOT read AND lacks_abstract AND NOT done",
            self._key(path),
        ).fetchall()
        return [number for (number,) in found]

    def give_abstract(self, number: int, path: str, abstract: str) -> None:
        """The abstract that the file has for the paper; "" for none."""
        self._db.execute("UPDATE parse SET read = 1 WHERE paper = ? AND name = ?", (number, _name(path)))
        known = self._one("SELECT told FROM paper WHERE number = ?", number)
        if abstract and known is not None:
            self._tell(number, _merged(_decoded(known[0]), Told("", abstract, {})))

    def must_wait(self, paper: Paper) -> bool:
        """Whether another file may yet have the paper's abstract."""
        return not paper.told.abstract and (
            self._one("SELECT 1 FROM parse WHERE paper = ? AND present AND is_pdf AND NOT read", paper.number)
            is not None
        )

    def pass_over(self, paper: Paper) -> None:
        """That the paper's parse in hand has no text."""
        self._db.execute("UPDATE paper SET tried = ? WHERE number = ?", (paper.rank, paper.number))

    def finish(self, paper: Paper) -> int:
        """That the paper is given; how many other parses of it are there, that are not."""
        self._db.execute("UPDATE paper SET done = 1 WHERE number = ?", (paper.number,))
        (others,) = self._one(
            "SELECT count(*) FROM parse WHERE paper = ? AND present AND rank != ?", paper.number, paper.rank
        )
        return others

    def has_parses_left(self) -> bool:
        """Whether the text of a paper that is not given may yet be read."""
        return (
            self._one(
                "SELECT 1 FROM parse JOIN paper ON number = paper"
                " WHERE NOT done AND present AND (rank > tried OR (is_pdf AND NOT read AND lacks_abstract))"
            )
            is not None
        )

    @property
    def changes(self) -> int:
        """Grows whenever something more is known."""
        return self._db.total_changes

    def names_parses(self, paper: Paper) -> bool:
        """Whether a table names a parse of the paper."""
        return self._one("SELECT 1 FROM parse WHERE paper = ?", paper.number) is not None

    def unread(self) -> Iterator[Paper]:
        """The papers that are not given, in the order of the tables."""
        for number, uid, told in self._db.execute(
            "SELECT number, uid, told FROM paper WHERE NOT done ORDER BY number"
        ):
            yield Paper(number, uid, _decoded(told))

    def _tell(self, number: int, told: Told) -> None:
        self._db.execute(
            "UPDATE paper SET told = ?, lacks_abstract = ? WHERE number = ?",
            (_encoded(told), not told.abstract, number),
        )

    def _key(self, path: str) -> tuple[str | None, str]:
        return self._base(path), _name(path)

    def _base(self, path: str) -> str | None:
        """The nearest folder around a file in which a table lies."""
        while path:
            path = path.rpartition("/")[0]
            if path in self._bases:
                return path
        return None

    def _one(self, query: str, *values: str | int | None) -> Any:
        """The first row found, or None."""
        return self._db.execute(query, values).fetchone()


def _name(path: str) -> str:
    return path.rpartition("/")[2]


def _merged(first: Told, second: Told) -> Told:
    return Told(
        first.title or second.title, first.abstract or second.abstract, {**second.facts, **first.facts}
    )


_encoded = msgspec.msgpack.Encoder().encode
_decoded = msgspec.msgpack.Decoder(Told).decode
