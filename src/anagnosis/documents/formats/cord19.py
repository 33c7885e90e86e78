"""CORD-19, the COVID-19 Open Research Dataset: its table, metadata.csv, and its parses, each a file of its own.

    {"paper_id": "PMC140314", "metadata": {"title": …}, "abstract": [PARAGRAPH, …], "body_text": [PARAGRAPH, …]}

    PARAGRAPH = {"text": "We …", "section": "Aerosol procedures ::: Methods"}

A row of the table gives title, abstract and facts; its id is the cord_uid, which relevance judgements use; the first of
its rows counts. A parse gives the text under its paper_id, a PMCID or a SHA-1. Sections: "body", one for consecutive
paragraphs under one heading, a paragraph a line. Captions and back matter are left out.

Source: Wang and others 2020, "CORD-19: The COVID-19 Open Research Dataset"; the README of allenai/cord19.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import chain, groupby
from typing import Any, BinaryIO

import msgspec

from anagnosis.documents.bibliography import join_values, listed_people
from anagnosis.documents.dates import written_date
from anagnosis.documents.document import HEADING_PATH, Document, Section
from anagnosis.documents.identifiers import bare_doi, plain_pmcid, plain_pmid
from anagnosis.documents.io.malformed import FETCH_AGAIN, MalformedError
from anagnosis.documents.io.whole import decoded_json, whole
from anagnosis.documents.repairs import Repairs
from anagnosis.documents.states import states
from anagnosis.documents.text import split_at_labels, tidied
from anagnosis.errors import TruncatedError

SUFFIXES = ("metadata.csv", ".json")  # BioC's files end in .json too
LONGEST_FIELD = 4 << 20
LONGEST_PARSE = 64 << 20
_NEEDED = ("cord_uid", "title", "abstract")
# Most abstracts of the table begin with their heading; "Summary of …" is no heading.
_HEADING = re.compile(r"(?i:abstract|summary)[\s:.]*(?=[\"'“‘(\[]?[A-ZÀ-Þ0-9])")
_WORD = re.compile(r"[^\W\d_]{3}")


class _Part(msgspec.Struct, gc=False):
    """A paragraph with its section."""

    text: str | None = None
    section: str | None = None


class _Metadata(msgspec.Struct, gc=False):
    title: str | None = None


class _Parse(msgspec.Struct, gc=False):
    paper_id: str
    metadata: _Metadata = msgspec.field(default_factory=_Metadata)
    abstract: list[_Part] = []
    body_text: list[_Part] = []


def sniff(head: bytes) -> bool:
    """Whether a file that starts with these decompressed bytes is a parse or a table of CORD-19."""
    text = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    columns = text.split(b"\n", 1)[0].strip().replace(b'"', b"").split(b",")
    is_table = {name.encode() for name in _NEEDED} <= set(columns)
    return is_table or (text.startswith(b"{") and b'"paper_id"' in head[: 1 << 12])


def read(stream: BinaryIO, repairs: Repairs, name: str = "") -> Iterator[Document]:
    """The document of a parse, or those of a table.

    Counted: cord_uid_repeated, publication_day_impossible, article_without_date, pubmed_id_unreadable. TruncatedError:
    a row is no CSV; nobody knows where the next one begins.
    """
    first = stream.readline(LONGEST_FIELD)
    if not first.strip() or first.lstrip().startswith(b"{"):
        yield _of_parse(stream, repairs, name, first)
        return
    uids = set[str]()
    for row in _rows(chain((first,), iter(partial(stream.readline, LONGEST_FIELD), b"")), repairs, name):
        repairs.count("cord_uid_repeated", row["cord_uid"] in uids)
        if row["cord_uid"] not in uids:
            uids.add(row["cord_uid"])
            yield _of_row(row, repairs)


def _rows(lines: Iterable[bytes], repairs: Repairs, name: str) -> Iterator[dict[str, str]]:
    # The limit holds for the process; its default of 128 KiB is less than some abstracts.
    csv.field_size_limit(max(csv.field_size_limit(), LONGEST_FIELD))
    table, line = csv.DictReader((line.decode() for line in lines), strict=True), 0
    try:
        if missing := [column for column in _NEEDED if column not in (table.fieldnames or ())]:
            what = f"no column {', '.join(missing)}"
            raise MalformedError(what, f"{name}:1", "give the metadata.csv of a CORD-19 release")
        line = table.line_num
        for cells in table:
            where, line = f"{name}:{line + 1}", table.line_num
            row: dict[Any, Any] = {column: cell and cell.strip() for column, cell in cells.items() if column}
            if None in cells or None in cells.values():
                repairs.refuse(where, "a row with more or fewer cells than columns")
            elif not row["cord_uid"]:
                repairs.refuse(where, "a row without cord_uid")
            else:
                yield row
    except (csv.Error, UnicodeDecodeError) as fault:
        why = "not UTF-8" if isinstance(fault, UnicodeDecodeError) else fault
        raise TruncatedError(f"a row of the table: {why}", f"{name}:{line + 1}", FETCH_AGAIN) from fault


def _of_row(row: dict[str, str], repairs: Repairs) -> Document:
    abstract = tidied(row["abstract"])
    date, exists = written_date(row.get("publish_time", "").replace("-", " "))
    pmid = plain_pmid(row.get("pubmed_id", ""))
    repairs.count("publication_day_impossible", not exists)
    repairs.count("article_without_date", not date)
    repairs.count("pubmed_id_unreadable", bool(row.get("pubmed_id")) and not pmid)
    facts = {
        "date": date,
        "year": date[:4],
        "journal": tidied(row.get("journal", "")),
        "authors": join_values(listed_people(row.get("authors", "")), repairs, "author"),
        "doi": bare_doi(row.get("doi", "")),
        "pmcid": plain_pmcid(row.get("pmcid", "")),
        "pmid": pmid,
        "licence": row.get("license", ""),
    }
    abstract = "" if abstract.lower() == "unknown" else _HEADING.sub("", abstract, count=1)
    return _made(row["cord_uid"], tidied(row["title"]), abstract, (), facts)


def _of_parse(stream: BinaryIO, repairs: Repairs, name: str, head: bytes) -> Document:
    parse: _Parse = decoded_json(whole(stream, name, LONGEST_PARSE, head=head), name, _Parse)
    if not (ident := parse.paper_id.strip()):
        raise MalformedError("a parse without paper_id", name, "check how it was made")
    facts = {"pmcid": plain_pmcid(ident) if ident.startswith("PMC") else ""}
    abstract = " ".join(filter(None, (tidied(part.text or "") for part in parse.abstract)))
    return _made(ident, tidied(parse.metadata.title or ""), abstract, _body(parse), facts)


def _made(ident: str, title: str, abstract: str, text: Iterable[Section], facts: dict[str, str]) -> Document:
    """The document with its abstract cut at its labels, and without empty facts."""
    parts = (Section("abstract", part, label) for label, part in split_at_labels(abstract) if part or label)
    known = {name: fact for name, fact in (facts | states(title)).items() if fact}
    return Document(ident, (Section("title", title), *parts, *text), facts=known)


def _body(parse: _Parse) -> Iterator[Section]:
    read = ((_title(part.section or ""), tidied(part.text or "")) for part in parse.body_text)
    for title, same in groupby((part for part in read if part[1]), key=lambda part: part[0]):
        yield Section("body", "\n".join(text for _, text in same), title)


def _title(section: str) -> str:
    """The path of headings, the outermost first; a program reads line numbers as headings, too, which have no word."""
    parts = (tidied(part).rstrip(" .:") for part in reversed(section.split(" ::: ")))
    return HEADING_PATH.join(part for part in parts if _WORD.search(part))
