"""CORD-19, the COVID-19 Open Research Dataset: the unpacked folder of a release, and single files of it.

    metadata.csv                                 a row a paper, and the names of its parses
    document_parses/pdf_json/<sha>.json          a paper's text, read from PDF
    document_parses/pmc_json/<pmcid>.xml.json    the same, read from JATS

A paper's id is its cord_uid, which relevance judgements use; a parse that no row names has its paper_id. If a cord_uid
has several rows, each field comes from the first that has it. The text is that of the first parse with one, pmc_json
before pdf_json; an abstract that the rows lack comes from the parses read. Until May 2020 tables named parses by `sha`
and `has_pmc_xml_parse`. Folders of parses differ between releases, so we find a parse by its file's name, among the
files of the folder alone.

A parse is JSON; we do not read its bibliography, spans and coordinates:

    {"paper_id": "PMC140314", "metadata": {"title": …, "authors": [PERSON, …]},
     "abstract": [PARAGRAPH, …],                                                          pmc_json has no abstract
     "body_text": [PARAGRAPH, …], "back_matter": [PARAGRAPH, …],
     "ref_entries": {"FIGREF0": {"text": …, "type": "figure"}}}

    PERSON = {"first": "Krista", "middle": ["D."], "last": "DiSano", "suffix": ""}
    PARAGRAPH = {"text": "We …", "section": "Aerosol procedures ::: Methods"}

Sections: "body" and "back", one for consecutive paragraphs under one heading, a paragraph a line; title: the headings
from the outermost, "Methods › Aerosol procedures". Then the captions, "figure" and "table"; title: the label at the
caption's start.

Facts: date, year, journal, authors, doi, pmcid, pmid, licence, and the state that the title gives.

Source: Wang and others 2020, "CORD-19: The COVID-19 Open Research Dataset"; the README of allenai/cord19.
"""

from __future__ import annotations

import csv
import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from functools import partial
from itertools import chain, count, groupby
from pathlib import Path
from typing import BinaryIO

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
from anagnosis.io.paths import PathLike, naming_faults, walk
from anagnosis.showing import masked_line

_TABLE = "metadata.csv"
SUFFIXES = (_TABLE, ".json")  # BioC's files end in .json too
LONGEST_FIELD = 4 << 20
LONGEST_ROW = 100  # lines; in the releases a row is one
_NEEDED = ("cord_uid", "title", "abstract")
# Files of a release that are no papers.
_ABOUT = re.compile(r"json_schema\.txt|cord_19_embeddings.*|document_parses\.tar.*")
# The rows of a paper stand together, where its first row stood.
_SCHEMA = """
PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN;
CREATE TABLE row (paper INTEGER, number INTEGER, uid TEXT, cells BLOB, PRIMARY KEY (paper, number)) WITHOUT ROWID;
CREATE INDEX row_uid ON row (uid, paper);
"""
_OF_PARSES = ("pmc_json_files", "pdf_json_files", "sha", "has_pmc_xml_parse")
_ADD = "INSERT INTO row VALUES (coalesce((SELECT min(paper) FROM row WHERE uid = ?2), ?1), ?1, ?2, ?3)"

# Some abstracts begin with their heading; "Summary of …" is no heading.
_HEADING = re.compile(
    r"(?i:abstract)[\s:.]+(?!(?:and|from|of)\b)"
    r"|(?i:abstract|(?:publisher )?summary|résumé)[\s:.]*(?=[\"'“‘(\[]?[A-ZÀ-Þ0-9])"
)
_NO_ABSTRACT = frozenset(("unknown", "no abstract", "n/a", "none", "nan"))
LONGEST_PARSE = 64 << 20
# The footer of a preprint's pages. In a parse from PDF it is a separate paragraph, or stands inside one.
_FOOT = re.compile(
    r"the copyright holder for this preprint|\(which was not (?:certified by )?peer[- ]review(?:ed)?\)|author/funder"
    r"|,? ?who has granted (?:bio|med)rxiv a license to display the preprint in perpetuity"
    r"|(?:it )?is made available under"
    r"|cc0?-?(?:by)?(?:-[a-z]{2})* [\d.]+ international license|all rights reserved|no reuse allowed without permission"
    r"|https?://(?:dx\.)?doi\.org/\S+|doi:|(?:bio|med)rxiv preprint|this version posted \w+ \d+, \d+",
    re.IGNORECASE,
)
_SIGN_OF_FOOT = re.compile(r"peer[- ]review|preprint|author/funder|CC-BY")
_WORD = re.compile(r"[^\W\d_]{3}|[^\W\d_a-zA-Z]{2}")
_WORD_OF_TEXT = re.compile(r"[^\W\d_]{4}")
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
        return
    broken: list[InputError] = []
    for row in _papers([(name, chain((first,), _lines(stream)))], repairs, broken.append):
        yield _document(row, (), repairs)
    if broken:
        raise broken[0]


def release(path: PathLike, repairs: Repairs) -> Iterator[Document]:
    """Every paper of a release's folder, in the order of the table, then the parses that no row names.

    The table waits in a temporary file of SQLite, the names of the parses in memory.
    repairs: gets the names of docs/receipts.md, and refusals: a row by its line, and a table or a parse that cannot be
    read by its name. TruncatedError: a table breaks off. Then the parses that no row names are not given, since the
    rest of the table may name them.
    """
    root, name = Path(path), display_name(path)

    def shown(path: Path) -> str:
        return f"{name}/{masked_line(path.relative_to(root).as_posix())}"

    def refuse(fault: InputError) -> None:
        repairs.refuse(fault.where, fault.what)

    broken: list[TruncatedError] = []

    def refuse_table(fault: InputError) -> None:
        if isinstance(fault, TruncatedError):
            broken.append(fault)
        else:
            refuse(fault)

    def lines(path: Path) -> Iterator[bytes]:
        with open_input(path) as stream:
            yield from _lines(stream)

    def parses(paths: Iterable[Path]) -> Iterator[_Parse]:
        for path in paths:
            try:
                with open_input(path) as stream:
                    yield _parse(stream, shown(path))
            except InputError as fault:
                refuse(fault)

    tables, there, are_named = list[Path](), dict[str, Path](), set[str]()
    for folder, _, files in walk(root):
        for file in files:
            plain = without_compression(file)
            if plain.endswith(_TABLE):
                tables.append(folder / file)
            elif plain.endswith(SUFFIXES):
                there.setdefault(plain, folder / file)
            elif file.startswith("document_parses.tar") and not (folder / "document_parses").exists():
                repairs.refuse_file(shown(folder / file), "parses are read once their archive is unpacked")
    for row in _papers(((shown(table), lines(table)) for table in tables), repairs, refuse_table):
        names = [each for each in _names(row) if each in there]
        are_named.update(names)
        yield _document(row, parses(there[each] for each in names), repairs)
    if broken:
        raise broken[0]
    for parse in parses(path for name, path in there.items() if name not in are_named):
        repairs.count("parse_without_row", bool(tables))
        yield _document_of(parse, repairs)


def _has_columns(head: bytes) -> bool:
    """Whether the first line names the columns of a table of CORD-19."""
    first = head.removeprefix(b"\xef\xbb\xbf").split(b"\n", 1)[0].strip().replace(b'"', b"").split(b",")
    return {name.encode() for name in _NEEDED} <= set(first)


def _lines(stream: BinaryIO) -> Iterator[bytes]:
    return iter(partial(stream.readline, LONGEST_FIELD), b"")


def _papers(
    tables: Iterable[tuple[str, Iterable[bytes]]], repairs: Repairs, on_fault: Callable[[InputError], None]
) -> Iterator[dict[str, str]]:
    """The row of every paper, in order: of several rows the first value of each column, and all parses."""
    number = count()
    full = naming_faults("a temporary file", "free some space", "writing", also=(sqlite3.Error,))
    with full, closing(sqlite3.connect("", isolation_level=None)) as database:
        database.executescript(_SCHEMA)
        for name, lines in tables:
            try:
                for row in _rows(lines, repairs, name):
                    database.execute(_ADD, (next(number), row["cord_uid"], msgspec.msgpack.encode(row)))
            except InputError as fault:
                on_fault(fault)
        every = database.execute("SELECT paper, cells FROM row ORDER BY paper, number")
        for _, same in groupby(every, key=lambda row: row[0]):
            rows = [msgspec.msgpack.decode(cells, type=dict[str, str]) for _, cells in same]
            repairs.count("cord_uid_repeated", len(rows) - 1)
            several = {name: ";".join(row.get(name, "") for row in rows) for name in _OF_PARSES}
            yield {name: value for row in reversed(rows) for name, value in row.items() if value} | several


def _rows(lines: Iterable[bytes], repairs: Repairs, name: str) -> Iterator[dict[str, str]]:
    """Every row of a table. InputError: it lacks a column. TruncatedError: a row is no CSV; nobody knows where the next
    begins."""
    # The limit holds for the process; its default of 128 KiB is less than some abstracts.
    csv.field_size_limit(max(csv.field_size_limit(), LONGEST_FIELD))

    def texts() -> Iterator[str]:
        for line in lines:
            if table.line_num >= begins + LONGEST_ROW:
                raise csv.Error(f"it has more than {LONGEST_ROW} lines")
            yield line.decode()

    begins, table = 1, csv.reader(texts(), strict=True)
    try:
        columns = next(table, [])
        if missing := [column for column in _NEEDED if column not in columns]:
            what = f"no column {', '.join(missing)}"
            raise InputError(what, f"{name}:1", "give the metadata.csv of a CORD-19 release")
        begins = table.line_num + 1
        for cells in filter(None, table):
            where, begins = f"{name}:{begins}", table.line_num + 1
            row = dict(zip(columns, map(str.strip, cells), strict=False))
            if len(cells) != len(columns):
                repairs.refuse(where, f"a row of {len(cells)} columns, where {len(columns)} are named")
            elif not row["cord_uid"]:
                repairs.refuse(where, "a row without cord_uid")
            else:
                yield row
    except (csv.Error, UnicodeDecodeError) as fault:
        why = "not UTF-8" if isinstance(fault, UnicodeDecodeError) else fault
        raise TruncatedError(f"a row of the table: {why}", f"{name}:{begins}", FETCH_AGAIN) from fault


def _names(row: dict[str, str]) -> list[str]:
    """The names of a paper's parses, the best first."""
    pmc, pdf, shas = (filter(None, map(str.strip, row[name].split(";"))) for name in _OF_PARSES[:3])
    names = [path.rpartition("/")[2] for path in (*pmc, *pdf)] or [f"{sha}.json" for sha in shas]
    if (pmcid := plain_pmcid(row.get("pmcid", ""))) and "true" in row["has_pmc_xml_parse"].lower():
        names.insert(0, f"{pmcid}.xml.json")
    return list(dict.fromkeys(names))


def _document(row: dict[str, str], parses: Iterable[_Parse], repairs: Repairs) -> Document:
    """The paper of a row, with the text of the first of the parses that has one."""
    title, abstract = tidied(row.get("title", "")), _own_abstract(tidied(row.get("abstract", "")), repairs)
    text: tuple[Section, ...] = ()
    for parse in parses:
        abstract = abstract or _abstract_of(parse, Repairs())
        if any(each.text and each.text.strip() for each in parse.body_text):
            text = tuple(_text_sections(parse, repairs))
            break
    else:
        repairs.count("paper_without_text", bool(_names(row)))
    date, exists = written_date(row.get("publish_time", "").replace("-", " "))
    pmid = plain_pmid(row.get("pubmed_id", ""))
    repairs.count("publication_day_impossible", not exists)
    repairs.count("article_without_date", not date)
    repairs.count("pubmed_id_unreadable", "pubmed_id" in row and not pmid)
    facts = {
        "date": date,
        "year": date[:4],
        "journal": tidied(row.get("journal", "")),
        "authors": join_values(listed_people(row.get("authors", "")), repairs, "author"),
        "doi": bare_doi(row.get("doi", "")),
        "pmcid": plain_pmcid(row.get("pmcid", "")),
        "pmid": pmid,
        "licence": row.get("license", ""),
        **states(title),
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
    abstract = _abstract_of(parse, repairs)
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
        **states(title),
    }
    return _made(ident, title, abstract, _text_sections(parse, repairs), facts)


def _made(ident: str, title: str, abstract: str, text: Iterable[Section], facts: dict[str, str]) -> Document:
    """The document with its abstract cut at its labels, and without empty facts."""
    parts = (Section("abstract", part, label) for label, part in split_at_labels(abstract) if part or label)
    known = {name: fact for name, fact in facts.items() if fact}
    return Document(ident, (Section("title", title), *parts, *text), facts=known)


def _abstract_of(parse: _Parse, repairs: Repairs) -> str:
    return " ".join(filter(None, (_text(each, repairs) for each in parse.abstract)))


def _text_sections(parse: _Parse, repairs: Repairs) -> Iterator[Section]:
    """Body, back matter and captions."""
    for label, paragraphs in (("body", parse.body_text), ("back", parse.back_matter)):
        read = ((_title(each.section or "", repairs), _text(each, repairs)) for each in paragraphs)
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
    words = [part for part in reversed(parts) if _WORD.search(part) and not _is_foot(part)]
    repairs.count("heading_without_word", len(words) < len(list(filter(None, parts))))
    return HEADING_PATH.join(words)


def _text(paragraph: _Part, repairs: Repairs) -> str:
    """The text of a paragraph; "" for the footer of a page."""
    text = tidied(paragraph.text or "")
    if _SIGN_OF_FOOT.search(text) and _is_foot(text):
        repairs.count("preprint_foot_left_out")
        return ""
    return text


def _is_foot(text: str) -> bool:
    rest = _FOOT.sub(" ", text)
    return rest != text and _WORD_OF_TEXT.search(rest) is None
