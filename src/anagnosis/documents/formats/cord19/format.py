"""CORD-19, the COVID-19 Open Research Dataset: releases, and single files of them.

    metadata.csv                                 a row a paper: table.py
    document_parses/pdf_json/<sha>.json          a paper's text, read from PDF: parse.py
    document_parses/pmc_json/<pmcid>.xml.json    the same, read from JATS

`release` reads a folder or an archive of these as papers: title, abstract and facts from the table, the text from a
parse. `read` reads a single file: a parse gives a document with its paper_id, a table gives abstracts. The id is the
cord_uid, which relevance judgements use; PMID, PMCID and DOI are facts.

Each cord_uid of a table is one paper. If it has several rows, each field comes from the first row that has it, and the
parses of all rows belong to the paper, in their order. The text is that of the first parse with one: those of pmc_json
come first, since they are made of XML, then those of pdf_json. If no row has an abstract, it comes from the first parse
that has one. A release is read twice: first its tables, and of each parse whether it has a text; then the texts.

Source: Wang and others 2020, "CORD-19: The COVID-19 Open Research Dataset"; the README of allenai/cord19.
"""

from __future__ import annotations

import io
import sqlite3
from collections.abc import Iterator
from types import TracebackType
from typing import Any, BinaryIO, NamedTuple, cast

import msgspec

from anagnosis.documents.document import Document, Section
from anagnosis.documents.formats.cord19 import parse as cord19_parse
from anagnosis.documents.formats.cord19 import table as cord19_table
from anagnosis.documents.formats.cord19.parse import Parse
from anagnosis.documents.formats.cord19.table import TABLE, Member, Row, is_release, members
from anagnosis.documents.repairs import Repairs
from anagnosis.errors import InputError, TruncatedError
from anagnosis.io.paths import PathLike

__all__ = ["SUFFIXES", "is_release", "read", "release", "sniff"]

# Parses end in .json, as BioC does.
SUFFIXES = (TABLE, ".json")

_SCHEMA = """
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
BEGIN;
CREATE TABLE file (path TEXT, has_text INTEGER, abstract TEXT);
CREATE TABLE paper (number INTEGER PRIMARY KEY, base TEXT, uid TEXT, fields BLOB, done INTEGER DEFAULT 0,
    UNIQUE (base, uid));
CREATE TABLE parse (base TEXT, name TEXT, paper INTEGER, rank INTEGER, present INTEGER DEFAULT 0,
    has_text INTEGER DEFAULT 0, abstract TEXT DEFAULT '', UNIQUE (paper, name));
CREATE INDEX parse_name ON parse (base, name);
"""
# Added to the rank of parses of pdf_json, which come after all of pmc_json.
_PDF = 1 << 20
_PAPERS = """
SELECT number, uid, fields,
    (SELECT abstract FROM parse WHERE paper = number AND abstract != '' AND rank >= {pdf} ORDER BY rank LIMIT 1)
FROM paper WHERE NOT done {condition} ORDER BY number
"""
_UNREAD = _PAPERS.format(pdf=_PDF, condition="")
_WITH_TEXT = _PAPERS.format(
    pdf=_PDF,
    condition="""AND number IN (SELECT paper FROM parse AS chosen WHERE base = ? AND name = ?
        AND rank = (SELECT min(rank) FROM parse WHERE paper = chosen.paper AND has_text))""",
)


def sniff(head: bytes) -> bool:
    """Whether a file that starts with these decompressed bytes is a parse or a table of CORD-19."""
    return cord19_parse.is_parse(head) or cord19_table.is_table(head)


def read(stream: BinaryIO, repairs: Repairs, name: str = "") -> Iterator[Document]:
    """The document of a parse, or those of a table (title, abstract and facts).

    repairs: gets the names of table.rows and parse.text_sections, cord_uid_repeated, and refusals.
    """
    # Buffered, so that we can peek at the first bytes of any stream.
    buffered = io.BufferedReader(cast(io.RawIOBase, stream))
    try:
        if buffered.peek(1).removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{"):
            parse = cord19_parse.read_parse(cast(BinaryIO, buffered), repairs, name)
            if parse is not None:
                yield cord19_parse.document(parse, repairs)
            return
        with _Release() as papers:
            papers.add_table("", cast(BinaryIO, buffered), repairs, name)
            for paper in papers.unread():
                yield _document(paper, None, repairs)
    finally:
        buffered.detach()


def release(path: PathLike, repairs: Repairs) -> Iterator[Document]:
    """Every paper of a release, in memory bounded by one paper. path: a folder or an archive, read twice.

    First those with a text, in the order of the files; then the others, in the order of the table.
    repairs: gets the names of `read`, parse_without_row (a separate document), paper_without_text (the table names a
    parse, but no parse with a text exists). An unreadable table or parse is refused by its name, a row by its line.
    InputError: path contains no file of a release. TruncatedError: an
    archive breaks off; or, after all papers, a table or a parse does.
    """
    broken: list[TruncatedError] = []
    with _Release() as papers:
        has_members = False
        for member in members(path, repairs):
            has_members = True
            try:
                with member.opened() as stream:
                    if member.is_table:
                        papers.add_table(member.path.rpartition("/")[0], stream, repairs, member.name)
                    else:
                        papers.add_file(member.path, cord19_parse.read_parse(stream, repairs, member.name))
            except InputError as fault:
                repairs.refuse(fault.where, fault.what)
                if isinstance(fault, TruncatedError):
                    broken.append(fault)
        if not has_members:
            raise InputError(
                "no metadata.csv and no parse in it", str(path), "give the folder of a CORD-19 release"
            )
        papers.join()
        for member in members(path, Repairs()):
            if not member.is_table:
                yield from _of_parse(papers, member, repairs)
        for paper in papers.unread():
            repairs.count("paper_without_text", papers.names_parses(paper))
            yield _document(paper, None, repairs)
    if broken:
        raise broken[0]


class _Paper(NamedTuple):
    """number: in the order of the tables. fields: of its rows, with the abstract of a parse if the rows have none."""

    number: int
    uid: str
    fields: _Fields


class _Fields(msgspec.Struct, array_like=True, gc=False):
    title: str
    abstract: str
    facts: dict[str, str]


class _Release:
    """The papers of the tables and the parses that exist, kept on disk, so that memory does not grow with them.

    A base is the folder of a table, which describes the files below it. The SQLite database has no name: it is a
    temporary file that disappears when it is closed.
    """

    def __init__(self) -> None:
        self._db = sqlite3.connect("", isolation_level=None)
        self._db.executescript(_SCHEMA)
        self._bases: set[str] = set()

    def __enter__(self) -> _Release:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._db.close()

    def add_table(self, base: str, stream: BinaryIO, repairs: Repairs, name: str) -> None:
        """Add the rows of the table in `base`. Counted: cord_uid_repeated, and the names of table.rows."""
        for row in cord19_table.rows(stream, repairs, name):
            self._add_row(base, row, repairs)
        self._bases.add(base)

    def _add_row(self, base: str, row: Row, repairs: Repairs) -> None:
        fields = _Fields(row.title, row.abstract, row.facts)
        known = self._first("SELECT number, fields FROM paper WHERE base = ? AND uid = ?", base, row.uid)
        if known is None:
            number = self._db.execute(
                "INSERT INTO paper (base, uid, fields) VALUES (?, ?, ?)", (base, row.uid, _encoded(fields))
            ).lastrowid
        else:
            repairs.count("cord_uid_repeated")
            number, first = known[0], _decoded(known[1])
            merged = _Fields(
                first.title or fields.title,
                first.abstract or fields.abstract,
                {**fields.facts, **first.facts},
            )
            self._db.execute("UPDATE paper SET fields = ? WHERE number = ?", (_encoded(merged), number))
        (ranked,) = self._first("SELECT count(*) FROM parse WHERE paper = ?", number)
        self._db.executemany(
            "INSERT OR IGNORE INTO parse (base, name, paper, rank) VALUES (?, ?, ?, ?)",
            [
                (base, name, number, first + ranked + at)
                for first, names in ((0, row.pmc), (_PDF, row.pdf))
                for at, name in enumerate(names)
            ],
        )

    def add_file(self, path: str, parse: Parse | None) -> None:
        """Record a file, and what its parse has; None for one that is refused."""
        has_text = parse is not None and cord19_parse.has_text(parse)
        abstract = "" if parse is None else cord19_parse.abstract(parse, Repairs())
        self._db.execute("INSERT INTO file VALUES (?, ?, ?)", (path, has_text, abstract))

    def join(self) -> None:
        """Match the files with the tables' parses, once all tables and files are added."""
        for path, *found in self._db.execute("SELECT path, has_text, abstract FROM file"):
            self._db.execute(
                "UPDATE parse SET present = 1, has_text = ?, abstract = ? WHERE base = ? AND name = ?",
                (*found, *self._key(path)),
            )

    def has_table_for(self, path: str) -> bool:
        """Whether a table lies in a folder around the file."""
        return self._key(path)[0] is not None

    def is_named(self, path: str) -> bool:
        """Whether a table names the file."""
        return self._first("SELECT 1 FROM parse WHERE base = ? AND name = ?", *self._key(path)) is not None

    def with_text(self, path: str) -> list[_Paper]:
        """The papers whose text is in this file."""
        return [_paper(*row) for row in self._db.execute(_WITH_TEXT, self._key(path)).fetchall()]

    def finish(self, paper: _Paper) -> None:
        """Record that the text of the paper is read."""
        self._db.execute("UPDATE paper SET done = 1 WHERE number = ?", (paper.number,))

    def names_parses(self, paper: _Paper) -> bool:
        """Whether a table names a parse of the paper."""
        return self._first("SELECT 1 FROM parse WHERE paper = ?", paper.number) is not None

    def unread(self) -> Iterator[_Paper]:
        """The papers whose text is not read, in the order of the tables."""
        for row in self._db.execute(_UNREAD):
            yield _paper(*row)

    def _key(self, path: str) -> tuple[str | None, str]:
        """The nearest folder around a file in which a table lies, None for none; the file's name."""
        base, _, name = path.rpartition("/")
        while base not in self._bases:
            if not base:
                return None, name
            base = base.rpartition("/")[0]
        return base, name

    def _first(self, query: str, *values: str | int | None) -> Any:
        """The first row of the result, or None."""
        return self._db.execute(query, values).fetchone()


_encoded = msgspec.msgpack.Encoder().encode
_decoded = msgspec.msgpack.Decoder(_Fields).decode


def _paper(number: int, uid: str, encoded: bytes, abstract: str | None) -> _Paper:
    fields = _decoded(encoded)
    return _Paper(number, uid, _Fields(fields.title, fields.abstract or abstract or "", fields.facts))


def _of_parse(papers: _Release, member: Member, repairs: Repairs) -> Iterator[Document]:
    """The papers whose text this file has, or the document of a parse that no table names."""
    with_text = papers.with_text(member.path)
    if not with_text and papers.is_named(member.path):
        return
    try:
        with member.opened() as stream:
            # Its faults were counted when it was read first.
            parse = cord19_parse.read_parse(stream, Repairs(), member.name)
    except InputError:
        return
    if parse is None:
        return
    for paper in with_text:
        papers.finish(paper)
        yield _document(paper, parse, repairs)
    if not with_text:
        repairs.count("parse_without_row", papers.has_table_for(member.path))
        yield cord19_parse.document(parse, repairs)


def _document(paper: _Paper, parse: Parse | None, repairs: Repairs) -> Document:
    fields = paper.fields
    text = () if parse is None else cord19_parse.text_sections(parse, repairs)
    abstract = cord19_table.abstract_sections(fields.abstract) if fields.abstract else []
    return Document(paper.uid, (Section("title", fields.title), *abstract, *text), facts=fields.facts)
