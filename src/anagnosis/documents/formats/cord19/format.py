"""CORD-19, the COVID-19 Open Research Dataset: releases, and single files of them.

    metadata.csv                                 a row a paper: metadata.py
    document_parses/pdf_json/<sha>.json          a paper's text, read from PDF: parse.py
    document_parses/pmc_json/<pmcid>.xml.json    the same, read from JATS

`release` reads a folder or an archive of these as papers: title, abstract and facts from the table, the text from the
best parse (index.py chooses it). `read` reads a single file: a parse gives a document with its paper_id, a table gives
abstracts. The id is the cord_uid, which relevance judgements use; PMID, PMCID and DOI are facts.

Source: Wang and others 2020, "CORD-19: The COVID-19 Open Research Dataset"; the README of allenai/cord19.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import BinaryIO, cast

from anagnosis.documents.document import Document, Section
from anagnosis.documents.formats.cord19 import metadata as cord19_metadata
from anagnosis.documents.formats.cord19 import parse as cord19_parse
from anagnosis.documents.formats.cord19.index import Paper, ReleaseIndex
from anagnosis.documents.formats.cord19.members import TABLE, Member, is_release, members
from anagnosis.documents.formats.cord19.parse import Parse
from anagnosis.documents.repairs import Repairs
from anagnosis.errors import InputError, TruncatedError
from anagnosis.io.paths import PathLike

__all__ = ["SUFFIXES", "is_release", "read", "release", "sniff"]

# Parses end in .json, as BioC does.
SUFFIXES = (TABLE, ".json")


def sniff(head: bytes) -> bool:
    """Whether a file that starts with these decompressed bytes is a parse or a table of CORD-19."""
    return cord19_parse.is_parse(head) or cord19_metadata.is_table(head)


def read(stream: BinaryIO, repairs: Repairs, name: str = "") -> Iterator[Document]:
    """The document of a parse, or those of a table (title, abstract and facts).

    repairs: gets the names of metadata.rows and parse.text_sections, cord_uid_repeated, and refusals.
    """
    # Buffered, so that we can peek at the first bytes of any stream.
    buffered = io.BufferedReader(cast(io.RawIOBase, stream))
    try:
        if buffered.peek(1).removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{"):
            parse = cord19_parse.read_parse(cast(BinaryIO, buffered), repairs, name)
            if parse is not None:
                yield cord19_parse.document(parse, repairs)
            return
        with ReleaseIndex() as index:
            _add_table(index, "", cast(BinaryIO, buffered), repairs, name)
            for paper in index.unread():
                yield _document(paper, None, repairs)
    finally:
        buffered.detach()


def release(path: PathLike, repairs: Repairs) -> Iterator[Document]:
    """Every paper of a release, in memory bounded by one paper. path: a folder or an archive, read several times.

    First those with a text, in the order of the files; then the others, in the order of the table.
    repairs: gets the names of `read`, parse_left_out (another parse of a paper), parse_without_row (a separate
    document), paper_without_text (the table names a parse, but no parse with a text exists). An unreadable table or
    parse is refused by its name, a row by its line. InputError: path contains no file of a release. TruncatedError: an
    archive breaks off; or, after all papers, a table or a parse does.
    """
    broken: list[TruncatedError] = []
    with ReleaseIndex() as index:
        has_members = False
        for member in members(path, repairs):
            has_members = True
            if member.is_table:
                _look_at_table(index, member, repairs, broken)
            else:
                index.add_file(member.path)
        if not has_members:
            raise InputError(
                "no metadata.csv and no parse in it", str(path), "give the folder of a CORD-19 release"
            )
        index.join()
        known, is_first = -1, True
        while is_first or (index.has_parses_left() and index.changes > known):
            known = index.changes
            for member in members(path, Repairs()):
                if member.is_table:
                    continue
                if index.is_named(member.path):
                    yield from _of_parse(index, member, repairs, broken)
                elif is_first:
                    yield from _alone(index, member, repairs, broken)
            is_first = False
        for paper in index.unread():
            repairs.count("paper_without_text", index.names_parses(paper))
            yield _document(paper, None, repairs)
    if broken:
        raise broken[0]


def _look_at_table(
    index: ReleaseIndex, member: Member, repairs: Repairs, broken: list[TruncatedError]
) -> None:
    try:
        with member.opened() as stream:
            _add_table(index, member.path.rpartition("/")[0], stream, repairs, member.name)
    except InputError as fault:
        _refuse(fault, repairs, broken)


def _add_table(index: ReleaseIndex, base: str, stream: BinaryIO, repairs: Repairs, name: str) -> None:
    for row in cord19_metadata.rows(stream, repairs, name):
        index.add(base, row, repairs)
    index.add_table(base)


def _refuse(fault: InputError, repairs: Repairs, broken: list[TruncatedError]) -> None:
    repairs.refuse(fault.where, fault.what)
    if isinstance(fault, TruncatedError):
        broken.append(fault)


def _parse(member: Member, repairs: Repairs, broken: list[TruncatedError]) -> Parse | None:
    try:
        with member.opened() as stream:
            return cord19_parse.read_parse(stream, repairs, member.name)
    except InputError as fault:
        _refuse(fault, repairs, broken)
        return None


def _alone(
    index: ReleaseIndex, member: Member, repairs: Repairs, broken: list[TruncatedError]
) -> Iterator[Document]:
    parse = _parse(member, repairs, broken)
    if parse is not None:
        repairs.count("parse_without_row", index.has_table_for(member.path))
        yield cord19_parse.document(parse, repairs)


def _of_parse(
    index: ReleaseIndex, member: Member, repairs: Repairs, broken: list[TruncatedError]
) -> Iterator[Document]:
    """The papers that this parse completes."""
    lacking = index.lacking_abstract(member.path)
    if not lacking and not index.wanting(member.path):
        return
    parse = _parse(member, repairs, broken)
    abstract = cord19_parse.abstract(parse, Repairs()) if parse is not None and lacking else ""
    for number in lacking:
        index.give_abstract(number, member.path, abstract)
    for paper in index.wanting(member.path):
        if parse is None or not cord19_parse.has_text(parse):
            index.pass_over(paper)
        elif not index.must_wait(paper):
            repairs.count("parse_left_out", index.finish(paper))
            yield _document(paper, parse, repairs)


def _document(paper: Paper, parse: Parse | None, repairs: Repairs) -> Document:
    fields = paper.fields
    text = () if parse is None else cord19_parse.text_sections(parse, repairs)
    abstract = cord19_metadata.abstract_sections(fields.abstract, repairs) if fields.abstract else []
    return Document(paper.uid, (Section("title", fields.title), *abstract, *text), facts=fields.facts)
