"""The rows of a CORD-19 release's table (metadata.csv): the fields of a paper and the names of its parses.

    cord_uid,sha,source_x,title,doi,pmcid,pubmed_id,license,abstract,publish_time,authors,journal,…,
      pdf_json_files,pmc_json_files,url                              from May 2020 on
      has_pdf_parse,has_pmc_xml_parse,full_text_file,url             before

We find columns by their names, and parses by the names of their files alone ("<sha>.json", "<pmcid>.xml.json"), since
their folders differ between releases. A field may have several, joined by "; ". A path that leads out of the release is
refused and never opened.

Facts, absent if unknown: date, year, journal, authors, doi, pmcid, pmid, licence, and the state that the title gives.
"""

from __future__ import annotations

import csv
import re
from collections import deque
from collections.abc import Callable, Generator, Iterator
from contextlib import AbstractContextManager, closing, nullcontext, suppress
from functools import partial
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import BinaryIO, NamedTuple

import msgspec

from anagnosis.documents.bibliography import join_values, listed_people
from anagnosis.documents.dates import written_date
from anagnosis.documents.document import Section
from anagnosis.documents.formats.detect import left_out_counter
from anagnosis.documents.identifiers import bare_doi, plain_pmcid, plain_pmid
from anagnosis.documents.repairs import Repairs
from anagnosis.documents.states import states
from anagnosis.documents.text import split_at_labels, tidied
from anagnosis.errors import InputError
from anagnosis.io.archives import Opened, looks_packed, open_each, open_inside
from anagnosis.io.compression import without_compression
from anagnosis.io.files import display_name, open_input
from anagnosis.io.paths import PathLike, walk
from anagnosis.showing import masked_line

LONGEST_FIELD = 4 << 20
LONGEST_ROW = 100  # lines; in the releases a row is one
_KEY = "cord_uid"
_NEEDED = (_KEY, "title", "abstract")
# Some abstracts begin with their heading; "Summary of …" is no heading.
_HEADING = re.compile(
    r"(?i:abstract)[\s:.]+(?!(?:and|from|of)\b)"
    r"|(?i:abstract|(?:publisher )?summary|résumé)[\s:.]*(?=[\"'“‘(\[]?[A-ZÀ-Þ0-9])"
)
_NO_ABSTRACT = frozenset(("unknown", "no abstract", "n/a", "none", "nan"))
_UNCLOSED = "a quotation mark that is not closed"
_DRIVE = re.compile(r"[A-Za-z]:")


class Row(msgspec.Struct, gc=False):
    """A paper in the table. pdf, pmc: the names of its parses, in the table's order."""

    uid: str
    title: str
    abstract: str
    facts: dict[str, str]
    pdf: list[str]
    pmc: list[str]


def is_table(head: bytes) -> bool:
    """Whether a file that starts with these decompressed bytes is a table of CORD-19."""
    first = head.removeprefix(b"\xef\xbb\xbf").split(b"\n", 1)[0].rstrip(b"\r").replace(b'"', b"").split(b",")
    return all(name.encode() in first for name in _NEEDED)


def rows(stream: BinaryIO, repairs: Repairs, name: str = "") -> Iterator[Row]:
    """Every row, in order, in memory bounded by one.

    An unclosed quotation mark costs only its row: if the next row begins, or several lines turn out to be no row, the
    first line is refused and reading continues with the second.
    repairs: gets publication_day_impossible, article_without_date, pubmed_id_unreadable, abstract_heading_left_out,
    path_outside_release, author_left_out (as in bibliography.py), and the refused rows by "name:line". InputError: the
    table lacks a column.
    """
    # The limit holds for the process; its default of 128 KiB is less than some abstracts.
    csv.field_size_limit(max(csv.field_size_limit(), LONGEST_FIELD))
    columns = _columns(stream.readline(LONGEST_FIELD), name)
    number, waiting = 2, deque[bytes]()
    while lines := _lines_of_row(stream, waiting, columns):
        where, fault, cells = f"{name}:{number}", "", list[str]()
        try:
            cells = _cells(lines, columns)
        except (csv.Error, UnicodeDecodeError) as error:
            why = str(error) if isinstance(error, csv.Error) else "not UTF-8"
            fault = f"a row of the table: {why}"
            waiting.extendleft(line for line in reversed(lines[1:]) if line)
            del lines[1:]
        if cells and len(cells) != len(columns):
            fault = f"a row of {len(cells)} columns, where {len(columns)} are named"
        row = dict(zip(columns, map(str.strip, cells), strict=False))
        if not fault and cells and not row[_KEY]:
            fault = "a row without cord_uid"
        number += sum(line.endswith(b"\n") for line in lines)
        if fault:
            repairs.refuse(where, fault)
        elif cells:
            yield _row(row, repairs, where)


def abstract_sections(abstract: str) -> list[Section]:
    """The sections of an abstract, cut at its labels if it begins with one."""
    return [Section("abstract", text, label) for label, text in split_at_labels(abstract) if text or label]


def _columns(line: bytes, name: str) -> list[str]:
    try:
        columns = next(csv.reader([line.decode()]), [])
    except (csv.Error, UnicodeDecodeError):
        columns = []
    missing = [column for column in _NEEDED if column not in columns]
    if missing:
        raise InputError(
            f"no column {', '.join(missing)}", f"{name}:1", "give the metadata.csv of a CORD-19 release"
        )
    return columns


def _lines_of_row(stream: BinaryIO, waiting: deque[bytes], columns: list[str]) -> list[bytes]:
    """The lines of the next row: those that the csv reader asks for, b"" where it asks in vain; [] at the end.

    waiting: lines that were read before, which come first. A line that is a row by itself stays there.
    """
    lines: list[bytes] = []

    def texts() -> Iterator[str]:
        # The csv reader asks for another line only inside quotation marks.
        while len(lines) < LONGEST_ROW and sum(map(len, lines)) <= LONGEST_FIELD:
            line = waiting.popleft() if waiting else stream.readline(LONGEST_FIELD)
            if lines and _is_row(line, columns):
                waiting.appendleft(line)
                line = b""
            if line or lines:
                lines.append(line)
            if not line:
                return
            yield line.decode(errors="replace")

    with suppress(csv.Error):
        next(csv.reader(texts()), None)
    return lines


def _cells(lines: list[bytes], columns: list[str]) -> list[str]:
    """The cells of these lines. Raises csv.Error, or UnicodeDecodeError for a row of one line."""
    if len(lines) == 1:
        return next(csv.reader([lines[0].decode()]))
    try:
        (cells,) = csv.reader([line.decode() for line in lines if line], strict=True)
    except (ValueError, csv.Error):
        cells = []
    if len(cells) != len(columns):
        # A quotation mark of one row closed that of another.
        raise csv.Error(_UNCLOSED)
    return cells


def _is_row(line: bytes, columns: list[str]) -> bool:
    """Whether a line alone is a row: it has all columns, and one word as cord_uid."""
    try:
        cells = next(csv.reader([line.decode()]), [])
    except (csv.Error, UnicodeDecodeError):
        return False
    return len(cells) == len(columns) and len(cells[columns.index(_KEY)].split()) == 1


def _row(row: dict[str, str], repairs: Repairs, where: str) -> Row:
    title, abstract = tidied(row["title"]), _abstract(row["abstract"], repairs)
    date, exists = written_date(row.get("publish_time", "").replace("-", " "))
    repairs.count("publication_day_impossible", not exists)
    repairs.count("article_without_date", not date)
    pmid = plain_pmid(row.get("pubmed_id", ""))
    repairs.count("pubmed_id_unreadable", bool(row.get("pubmed_id")) and not pmid)
    pmcid = plain_pmcid(row.get("pmcid", ""))
    facts = {
        "date": date,
        "year": date[:4],
        "journal": tidied(row.get("journal", "")),
        "authors": join_values(listed_people(row.get("authors", "")), repairs, "author"),
        "doi": bare_doi(row.get("doi", "")),
        "pmcid": pmcid,
        "pmid": pmid,
        "licence": row.get("license", ""),
        **states(title),
    }
    facts = {name: fact for name, fact in facts.items() if fact}
    return Row(row[_KEY], title, abstract, facts, *_parses(row, pmcid, repairs, where))


def _abstract(text: str, repairs: Repairs) -> str:
    text = tidied(text)
    if text.lower().rstrip(".") in _NO_ABSTRACT:
        return ""
    heading = _HEADING.match(text)
    if heading is None or heading.end() == len(text):
        return text
    repairs.count("abstract_heading_left_out")
    return text[heading.end() :]


def _parses(row: dict[str, str], pmcid: str, repairs: Repairs, where: str) -> tuple[list[str], list[str]]:
    if "pdf_json_files" in row or "pmc_json_files" in row:
        pdf, pmc = row.get("pdf_json_files", ""), row.get("pmc_json_files", "")
    else:
        pdf = "; ".join(f"{sha.strip()}.json" for sha in row.get("sha", "").split(";") if sha.strip())
        pmc = f"{pmcid}.xml.json" if pmcid and row.get("has_pmc_xml_parse", "").lower() == "true" else ""
    return _names(pdf, repairs, where), _names(pmc, repairs, where)


def _names(paths: str, repairs: Repairs, where: str) -> list[str]:
    """The file names in a field of paths."""
    names: list[str] = []
    for path in filter(None, map(str.strip, paths.split(";"))):
        parts = path.replace("\\", "/").split("/")
        if not parts[0] or ".." in parts or _DRIVE.match(path):
            repairs.count("path_outside_release")
            repairs.note(where, f"the path {path[:100]!r} leads out of the release")
        else:
            names.append(PurePosixPath(path).name)
    return names


TABLE = "metadata.csv"
_PARSE = ".json"
_INNER = "document_parses.tar"
_SUFFIXES = (TABLE, _PARSE, _INNER)
# Names of files and folders that only a release has.
_SIGNS = re.compile(
    r"document_parses(?:\.tar(?:\.\w+)?)?|(?:pdf|pmc)_json|cord_19_embeddings.*|(?:[0-9a-f]{40}|PMC\d+\.xml)\.json"
)
# Names of files of a release that are no papers.
_ABOUT = re.compile(r"json_schema\.txt|cord_19_embeddings.*")
_LOOKED_AT = 64
_HEAD = 1 << 12


class Member(NamedTuple):
    """path: from the root. name: for errors. opened: gives the decompressed bytes, valid until the next member."""

    path: str
    name: str
    opened: Callable[[], AbstractContextManager[BinaryIO]]

    @property
    def is_table(self) -> bool:
        return _has_name(self.path, TABLE)


def is_release(path: PathLike) -> bool:
    """Whether the names in a folder or an archive show a release of CORD-19 or a part of one.

    We check only the first 64 members of an archive, so that other archives are not read in vain.
    """
    path = Path(path)
    try:
        if path.is_dir():
            return any(map(_is_sign, path.iterdir()))
        if not path.is_file():
            return False
        with closing(open_each(path, ("",))) as each:
            return any(
                opened.is_member
                and (
                    any(map(_SIGNS.fullmatch, opened.name.split("/")[1:]))
                    or (_has_name(opened.name, TABLE) and is_table(opened.stream.peek(_HEAD)))
                )
                for opened in islice(each, _LOOKED_AT)
            )
    except (InputError, OSError):
        # Reading it raises the error again.
        return False


def is_part(name: str) -> bool:
    """Whether a file of this name in a release belongs to it; another file is a separate input."""
    return without_compression(name).endswith(_SUFFIXES) or _ABOUT.fullmatch(name) is not None


def members(path: PathLike, repairs: Repairs) -> Iterator[Member]:
    """The tables and parses of a release, in the archive's order or by their paths.

    repairs: gets what archives leave out, by name, and archive_link for links that lead out of a folder.
    """
    root = Path(path)
    name = display_name(root)
    if root.is_dir():
        yield from _in_folder(root, name, repairs)
    else:
        for opened in open_each(root, _SUFFIXES, on_left_out=left_out_counter(repairs)):
            yield from _of_archive(opened, name, repairs)


def _has_name(path: str, ending: str) -> bool:
    return without_compression(path).endswith(ending)


def _is_sign(path: Path) -> bool:
    if _has_name(path.name, TABLE) and path.is_file():
        with open_input(path) as stream:
            return is_table(stream.peek(_HEAD))
    return _SIGNS.fullmatch(path.name) is not None


def _in_folder(root: Path, name: str, repairs: Repairs) -> Iterator[Member]:
    real = root.resolve()
    for folder, folders, files in walk(root, follow=False):
        for linked in (folder / name for name in folders if (folder / name).is_symlink()):
            repairs.count("archive_link")
            repairs.note(
                f"{name}/{masked_line(linked.relative_to(root).as_posix())}",
                "a link to a folder, which is not followed",
            )
        for file in files:
            path = folder / file
            relative = masked_line(path.relative_to(root).as_posix())
            where = f"{name}/{relative}"
            if not without_compression(file).endswith(_SUFFIXES):
                continue
            if path.is_symlink() and not path.resolve().is_relative_to(real):
                repairs.count("archive_link")
                repairs.note(where, "a link that leads out of the folder, which is not followed")
            elif _has_name(file, _INNER):
                for opened in open_each(path, _SUFFIXES, name=where, on_left_out=left_out_counter(repairs)):
                    yield from _of_archive(opened, name, repairs)
            else:
                yield Member(relative, where, partial(open_input, path))  # pyright: ignore[reportArgumentType]  (a buffered reader is one)


def _of_archive(opened: Opened, name: str, repairs: Repairs) -> Generator[Member]:
    if not _has_name(opened.name, _INNER):
        stream: BinaryIO = opened.stream  # pyright: ignore[reportAssignmentType]  (a buffered reader is one)
        yield Member(opened.name.removeprefix(f"{name}/"), opened.name, lambda: nullcontext(stream))
    elif looks_packed(opened.stream.peek(512)):
        for inner in open_inside(opened, _SUFFIXES, on_left_out=left_out_counter(repairs)):
            yield from _of_archive(inner, name, repairs)
    else:
        repairs.refuse(opened.name, "it is called a tar archive and is none")
