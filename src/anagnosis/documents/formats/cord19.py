"""CORD-19, the COVID-19 Open Research Dataset: the unpacked folder of a release, and single files of it.

    metadata.csv                                 a row a paper, and the names of its parses
    document_parses/pdf_json/<sha>.json          a paper's text, read from PDF
    document_parses/pmc_json/<pmcid>.xml.json    the same, read from JATS

A paper's id is its cord_uid, which relevance judgements use; the first of its rows counts. Its text is that of one
parse: PMC's if it is there, else the PDF's, which also gives an abstract that the row lacks. A parse that no row names
has its paper_id. Until May 2020 tables named parses by `sha` and `has_pmc_xml_parse`. A parse is found by its file's
name, since folders differ between releases. Of its JSON we read

    {"paper_id": "PMC140314", "metadata": {"title": …, "authors": [{"first": "Krista", "middle": ["D."], …}]},
     "abstract": [PARAGRAPH, …], "body_text": [PARAGRAPH, …], "back_matter": [PARAGRAPH, …],
     "ref_entries": {"FIGREF0": {"text": …, "type": "figure"}}}

    PARAGRAPH = {"text": "We …", "section": "Aerosol procedures ::: Methods"}

Sections: "body" and "back", one for consecutive paragraphs under one heading, a paragraph a line; title: "Methods ›
Aerosol procedures". Then the captions, "figure" and "table"; title: the label at the caption's start. Facts: date,
year, journal, authors, doi, pmcid, pmid, licence, and the state that the title gives.

Source: Wang and others 2020, "CORD-19: The COVID-19 Open Research Dataset"; the README of allenai/cord19.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import chain, groupby
from pathlib import Path
from typing import Any, BinaryIO

import msgspec

from anagnosis.documents.bibliography import join_values, listed_people, person
from anagnosis.documents.dates import written_date
from anagnosis.documents.document import HEADING_PATH, Document, Section
from anagnosis.documents.identifiers import bare_doi, plain_pmcid, plain_pmid
from anagnosis.documents.io.malformed import FETCH_AGAIN, MalformedError
from anagnosis.documents.io.whole import decoded_json, whole
from anagnosis.documents.repairs import Repairs
from anagnosis.documents.states import states
from anagnosis.documents.text import split_at_labels, tidied
from anagnosis.errors import InputError, TruncatedError
from anagnosis.io.compression import without_compression
from anagnosis.io.files import display_name, open_input
from anagnosis.io.paths import PathLike, walk
from anagnosis.showing import masked_line

_TABLE = "metadata.csv"
SUFFIXES = (_TABLE, ".json")  # BioC's files end in .json too
LONGEST_FIELD = 4 << 20
LONGEST_PARSE = 64 << 20
_NEEDED = ("cord_uid", "title", "abstract")
# Files of a release that are no papers.
_ABOUT = re.compile(r"json_schema\.txt|cord_19_embeddings.*|document_parses\.tar.*")

# Some abstracts begin with their heading; "Summary of …" is no heading.
_HEADING = re.compile(
    r"(?i:abstract)[\s:.]+(?!(?:and|from|of)\b)"
    r"|(?i:abstract|(?:publisher )?summary|résumé)[\s:.]*(?=[\"'“‘(\[]?[A-ZÀ-Þ0-9])"
)
_NO_ABSTRACT = frozenset(("unknown", "no abstract", "n/a", "none", "nan"))
_WORD = re.compile(r"[^\W\d_]{3}|[^\W\d_a-zA-Z]{2}")
_LABEL = re.compile(
    r"((?:supplementary |extended data )?(?:fig(?:ure|\.)?|table|tab\.) ?S?\d+[A-Z]?)(?:[.:|]+\s*|\Z)",
    re.IGNORECASE,
)


class _Part(msgspec.Struct, gc=False):
    """A paragraph with its section, or an entry with its type."""

    text: str | None = None
    section: str | None = None
    type: str | None = None


class _Person(msgspec.Struct, gc=False):
    first: str | None = None
    middle: list[str] | None = None
    last: str | None = None
    suffix: str | None = None


class _Metadata(msgspec.Struct, gc=False):
    title: str | None = None
    authors: list[_Person] | None = None


class _Parse(msgspec.Struct, gc=False):
    paper_id: str
    metadata: _Metadata = msgspec.field(default_factory=_Metadata)
    abstract: list[_Part] = []
    body_text: list[_Part] = []
    back_matter: list[_Part] = []
    ref_entries: dict[str, _Part] = {}


def sniff(head: bytes) -> bool:
    """Whether a file that starts with these decompressed bytes is a parse or a table of CORD-19."""
    return _has_columns(head) or (
        head.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{") and b'"paper_id"' in head[: 1 << 12]
    )


def is_release(path: PathLike) -> bool:
    """Whether a folder holds a table of CORD-19, whose rows and the parses below it together are papers."""
    try:
        for file in Path(path).glob(f"*{_TABLE}*") if Path(path).is_dir() else ():
            with open_input(file) as stream:
                if _has_columns(stream.peek(1 << 12)):
                    return True
    except (InputError, OSError):
        pass  # reading it raises the error again
    return False


def is_part(name: str) -> bool:
    """Whether a file of this name in a release belongs to it; another file is a separate input."""
    return without_compression(name).endswith(SUFFIXES) or _ABOUT.fullmatch(name) is not None


def read(stream: BinaryIO, repairs: Repairs, name: str = "") -> Iterator[Document]:
    """The document of a parse, or those of a table (title, abstract and facts). Counted: as by `release`."""
    first = stream.readline(LONGEST_FIELD)
    if not first.strip() or first.lstrip().startswith(b"{"):
        yield _document_of(_parse(stream, name, first), repairs)
    else:
        uids = set[str]()
        for row in _rows(chain((first,), _lines(stream)), repairs, name):
            if _is_new(row, uids, repairs):
                yield _document(row, None, repairs)


def release(path: PathLike, repairs: Repairs) -> Iterator[Document]:
    """Every paper of a release's folder, in the order of the table, then the parses that no row names.

    repairs: gets the names of docs/receipts.md, and refusals: a row by its line, and a table or a parse that cannot be
    read by its name. TruncatedError: a table breaks off; then nobody knows which parses have no row.
    """
    root, name = Path(path), display_name(path)
    tables, there, named, uids = list[Path](), dict[str, Path](), set[str](), set[str]()
    for folder, _, files in walk(root):
        for file in files:
            plain = without_compression(file)
            if plain.endswith(_TABLE):
                tables.append(folder / file)
            elif plain.endswith(SUFFIXES):
                there.setdefault(plain, folder / file)

    def shown(path: Path) -> str:
        return f"{name}/{masked_line(path.relative_to(root).as_posix())}"

    def parse(path: Path) -> _Parse | None:
        try:
            with open_input(path) as stream:
                return _parse(stream, shown(path))
        except InputError as fault:
            repairs.refuse(fault.where, fault.what)

    for table in tables:
        try:
            with open_input(table) as stream:
                for row in _rows(_lines(stream), repairs, shown(table)):
                    names = [each for each in _names(row) if each in there]
                    named.update(names)
                    if _is_new(row, uids, repairs):
                        yield _document(row, parse(there[names[0]]) if names else None, repairs)
        except TruncatedError:
            raise
        except InputError as fault:
            repairs.refuse(fault.where, fault.what)
    for path in (path for name, path in there.items() if name not in named):
        if (found := parse(path)) is not None:
            repairs.count("parse_without_row", bool(tables))
            yield _document_of(found, repairs)


def _has_columns(head: bytes) -> bool:
    """Whether the first line names the columns of a table of CORD-19."""
    first = head.removeprefix(b"\xef\xbb\xbf").split(b"\n", 1)[0].strip().replace(b'"', b"").split(b",")
    return {name.encode() for name in _NEEDED} <= set(first)


def _lines(stream: BinaryIO) -> Iterator[bytes]:
    return iter(partial(stream.readline, LONGEST_FIELD), b"")


def _is_new(row: dict[str, str], uids: set[str], repairs: Repairs) -> bool:
    """Whether a row is the first of its paper; then its uid joins the others. Counted: cord_uid_repeated."""
    repairs.count("cord_uid_repeated", is_repeated := row["cord_uid"] in uids)
    uids.add(row["cord_uid"])
    return not is_repeated


def _rows(lines: Iterable[bytes], repairs: Repairs, name: str) -> Iterator[dict[str, str]]:
    """The rows. InputError: the table lacks a column. TruncatedError: a row is no CSV; where is the next one?"""
    # The limit holds for the process; its default of 128 KiB is less than some abstracts.
    csv.field_size_limit(max(csv.field_size_limit(), LONGEST_FIELD))
    table, line = csv.DictReader((line.decode() for line in lines), strict=True), 0
    try:
        if missing := [column for column in _NEEDED if column not in (table.fieldnames or ())]:
            what = f"no column {', '.join(missing)}"
            raise InputError(what, f"{name}:1", "give the metadata.csv of a CORD-19 release")
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


def _names(row: dict[str, str]) -> list[str]:
    """The names of a paper's parses, the best first."""
    pmc, pdf, shas = (
        filter(None, map(str.strip, row.get(column, "").split(";")))
        for column in ("pmc_json_files", "pdf_json_files", "sha")
    )
    names = [path.rpartition("/")[2] for path in (*pmc, *pdf)] or [f"{sha}.json" for sha in shas]
    if (pmcid := plain_pmcid(row.get("pmcid", ""))) and "true" in row.get("has_pmc_xml_parse", "").lower():
        names.insert(0, f"{pmcid}.xml.json")
    return names


def _document(row: dict[str, str], parse: _Parse | None, repairs: Repairs) -> Document:
    """The paper of a row, with the text of its parse."""
    title, abstract = tidied(row["title"]), _own_abstract(tidied(row["abstract"]), repairs)
    text: tuple[Section, ...] = ()
    if parse is not None:
        abstract = abstract or _abstract_of(parse)
        text = tuple(_text_sections(parse, repairs))
    repairs.count("paper_without_text", bool(_names(row)) and not text)
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
    return _made(row["cord_uid"], title, abstract, text, facts)


def _own_abstract(text: str, repairs: Repairs) -> str:
    """The abstract of a row without its heading."""
    if text.lower().rstrip(".") in _NO_ABSTRACT:
        return ""
    heading = _HEADING.match(text)
    if heading is None or heading.end() == len(text):
        return text
    repairs.count("abstract_heading_left_out")
    return text[heading.end() :]


def _parse(stream: BinaryIO, name: str, head: bytes = b"") -> _Parse:
    """A parse. InputError: it is none, or breaks off."""
    data = whole(stream, name, LONGEST_PARSE, head=head)
    parse: _Parse = decoded_json(data, name, _Parse)
    if not parse.paper_id.strip():
        raise MalformedError("a parse without paper_id", name, "check how it was made")
    return parse


def _document_of(parse: _Parse, repairs: Repairs) -> Document:
    """The document of a parse that no table names; its id is the paper_id, a SHA-1 or a PMCID."""
    ident, title = parse.paper_id.strip(), tidied(parse.metadata.title or "")
    abstract = _abstract_of(parse)
    # One without a last name is most often a torn line of a PDF.
    authors = (
        tidied(
            person(each.last, " ".join(filter(None, (each.first, *(each.middle or ())))), each.suffix or "")
        )
        for each in parse.metadata.authors or ()
        if each.last
    )
    facts = {
        "pmcid": plain_pmcid(ident) if ident.startswith("PMC") else "",
        "authors": join_values(authors, repairs, "author"),
    }
    return _made(ident, title, abstract, _text_sections(parse, repairs), facts)


def _made(ident: str, title: str, abstract: str, text: Iterable[Section], facts: dict[str, str]) -> Document:
    """The document with its abstract cut at its labels, and without empty facts."""
    parts = (Section("abstract", part, label) for label, part in split_at_labels(abstract) if part or label)
    known = {name: fact for name, fact in (facts | states(title)).items() if fact}
    return Document(ident, (Section("title", title), *parts, *text), facts=known)


def _abstract_of(parse: _Parse) -> str:
    return " ".join(filter(None, (tidied(each.text or "") for each in parse.abstract)))


def _text_sections(parse: _Parse, repairs: Repairs) -> Iterator[Section]:
    """Body, back matter and captions."""
    for label, paragraphs in (("body", parse.body_text), ("back", parse.back_matter)):
        read = ((_title(each.section or "", repairs), tidied(each.text or "")) for each in paragraphs)
        for title, same in groupby((each for each in read if each[1]), key=lambda each: each[0]):
            yield Section(label, "\n".join(text for _, text in same), title)
    for entry in parse.ref_entries.values():
        label, caption = (entry.type or "").lower(), tidied(entry.text or "")
        if label in ("figure", "table") and caption:
            match = _LABEL.match(caption)
            rest = caption[match.end() :] if match else ""
            yield Section(label, rest or caption, match[1] if match and rest else "")


def _title(section: str, repairs: Repairs) -> str:
    parts = [tidied(part).rstrip(" .:") for part in section.split(" ::: ")]  # the innermost first
    words = [part for part in reversed(parts) if _WORD.search(part)]
    repairs.count("heading_without_word", len(words) < len(list(filter(None, parts))))
    return HEADING_PATH.join(words)
