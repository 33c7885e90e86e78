"""The tables of a CORD-19 release, kept on disk while we read its parses, so that memory does not grow with it.

Each cord_uid of a table is one paper. If it has several rows, each field comes from the first row that has it, and the
parses of all rows belong to the paper, in their order. We read the first parse with a text: those of pmc_json first,
since they come from XML, then those of pdf_json. If no row has an abstract, it comes from the first parse that has one.

The index is an SQLite database without a name: a temporary file that disappears when it is closed.
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
CREATE TABLE paper (number INTEGER PRIMARY KEY, base TEXT, uid TEXT, fields BLOB,
    lacks_abstract INTEGER, tried INTEGER DEFAULT -1, done INTEGER DEFAULT 0, UNIQUE (base, uid));
CREATE TABLE parse (base TEXT, name TEXT, paper INTEGER, rank INTEGER, is_pdf INTEGER, present INTEGER DEFAULT 0,
    read INTEGER DEFAULT 0, UNIQUE (paper, name));
CREATE INDEX parse_name ON parse (base, name);
"""
# Added to the rank of parses of pdf_json, which come after all of pmc_json.
_PDF = 1 << 20


class Fields(msgspec.Struct, array_like=True, gc=False):
    """The fields of one paper from its rows, with the abstract of a parse if the rows have none."""

    title: str
    abstract: str
    facts: dict[str, str]


class Paper(NamedTuple):
    """number: in the order of the tables. rank: of the current parse among the paper's parses."""

    number: int
    uid: str
    fields: Fields
    rank: int = -1


class ReleaseIndex:
    """Papers and their existing parses. A base is the folder of a table, which describes the files below it."""

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
        """Record that a table, perhaps without rows, lies in `base`."""
        self._bases.add(base)

    def add(self, base: str, row: Row, repairs: Repairs) -> None:
        """Add a row of the table in `base`. Counted: cord_uid_repeated."""
        fields = Fields(row.title, row.abstract, row.facts)
        known = self._first_row("SELECT number, fields FROM paper WHERE base = ? AND uid = ?", base, row.uid)
        if known is None:
            number = self._db.execute(
                "INSERT INTO paper (base, uid, fields, lacks_abstract) VALUES (?, ?, ?, ?)",
                (base, row.uid, _encoded(fields), not fields.abstract),
            ).lastrowid
        else:
            repairs.count("cord_uid_repeated")
            number = known[0]
            self._update(number, _merged(_decoded(known[1]), fields))
        (ranked,) = self._first_row("SELECT count(*) FROM parse WHERE paper = ?", number)
        self._db.executemany(
            "INSERT OR IGNORE INTO parse (base, name, paper, rank, is_pdf) VALUES (?, ?, ?, ?, ?)",
            [
                (base, name, number, ranked + at + _PDF * is_pdf, is_pdf)
                for is_pdf, names in ((False, row.pmc), (True, row.pdf))
                for at, name in enumerate(names)
            ],
        )

    def add_file(self, path: str) -> None:
        """Record that a file exists."""
        self._db.execute("INSERT INTO file VALUES (?)", (path,))

    def join(self) -> None:
        """Match the files with the tables' parses, once all tables and files are added."""
        for (path,) in self._db.execute("SELECT path FROM file"):
            self._db.execute("UPDATE parse SET present = 1 WHERE base = ? AND name = ?", self._key(path))

    def has_table_for(self, path: str) -> bool:
        """Whether a table lies in a folder around the file."""
        return self._base(path) is not None

    def is_named(self, path: str) -> bool:
        """Whether a table names the file."""
        return (
            self._first_row("SELECT 1 FROM parse WHERE base = ? AND name = ?", *self._key(path)) is not None
        )

    def wanting(self, path: str) -> list[Paper]:
        """The papers whose next candidate for the text is this file."""
        rows = self._db.execute(
            "SELECT number, uid, fields, rank FROM parse JOIN paper ON number = paper"
            " WHERE parse.base = ? AND name = ? AND NOT done AND rank ="
            " (SELECT min(rank) FROM parse WHERE paper = number AND present AND rank > tried) ORDER BY number",
            self._key(path),
        ).fetchall()
        return [Paper(number, uid, _decoded(fields), rank) for number, uid, fields, rank in rows]

    def lacking_abstract(self, path: str) -> list[int]:
        """The numbers of the papers whose abstract this file, not read before, may have."""
        rows = self._db.execute(
            "SELECT number FROM parse JOIN paper ON number = paper"
            " WHERE parse.base = ? AND name = ? AND is_pdf AND NOT read AND lacks_abstract AND NOT done",
            self._key(path),
        ).fetchall()
        return [number for (number,) in rows]

    def give_abstract(self, number: int, path: str, abstract: str) -> None:
        """Record the abstract that the file has for the paper; "" for none."""
        self._db.execute("UPDATE parse SET read = 1 WHERE paper = ? AND name = ?", (number, _name(path)))
        known = self._first_row("SELECT fields FROM paper WHERE number = ?", number)
        if abstract and known is not None:
            self._update(number, _merged(_decoded(known[0]), Fields("", abstract, {})))

    def must_wait(self, paper: Paper) -> bool:
        """Whether another, unread file may have the paper's abstract."""
        return not paper.fields.abstract and (
            self._first_row(
                "SELECT 1 FROM parse WHERE paper = ? AND present AND is_pdf AND NOT read", paper.number
            )
            is not None
        )

    def pass_over(self, paper: Paper) -> None:
        """Record that the paper's current parse has no text."""
        self._db.execute("UPDATE paper SET tried = ? WHERE number = ?", (paper.rank, paper.number))

    def finish(self, paper: Paper) -> int:
        """Record that the paper is done; returns the number of its other existing parses."""
        self._db.execute("UPDATE paper SET done = 1 WHERE number = ?", (paper.number,))
        (others,) = self._first_row(
            "SELECT count(*) FROM parse WHERE paper = ? AND present AND rank != ?", paper.number, paper.rank
        )
        return others

    def has_parses_left(self) -> bool:
        """Whether an existing parse may still complete an unfinished paper."""
        return (
            self._first_row(
                "SELECT 1 FROM parse JOIN paper ON number = paper"
                " WHERE NOT done AND present AND (rank > tried OR (is_pdf AND NOT read AND lacks_abstract))"
            )
            is not None
        )

    @property
    def changes(self) -> int:
        """A number that grows with every change of the index."""
        return self._db.total_changes

    def names_parses(self, paper: Paper) -> bool:
        """Whether a table names a parse of the paper."""
        return self._first_row("SELECT 1 FROM parse WHERE paper = ?", paper.number) is not None

    def unread(self) -> Iterator[Paper]:
        """The unfinished papers, in the order of the tables."""
        for number, uid, fields in self._db.execute(
            "SELECT number, uid, fields FROM paper WHERE NOT done ORDER BY number"
        ):
            yield Paper(number, uid, _decoded(fields))

    def _update(self, number: int, fields: Fields) -> None:
        self._db.execute(
            "UPDATE paper SET fields = ?, lacks_abstract = ? WHERE number = ?",
            (_encoded(fields), not fields.abstract, number),
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

    def _first_row(self, query: str, *values: str | int | None) -> Any:
        """The first row of the result, or None."""
        return self._db.execute(query, values).fetchone()


def _name(path: str) -> str:
    return path.rpartition("/")[2]


def _merged(first: Fields, second: Fields) -> Fields:
    return Fields(
        first.title or second.title, first.abstract or second.abstract, {**second.facts, **first.facts}
    )


_encoded = msgspec.msgpack.Encoder().encode
_decoded = msgspec.msgpack.Decoder(Fields).decode
