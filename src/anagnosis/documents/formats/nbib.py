"""The MEDLINE text that PubMed exports (.nbib, "PubMed format"): a tag of up to four letters, a hyphen, the value.

    PMID- 27000083
    TI  - Does aspirin prevent stroke? A trial with a title so long that it goes on in
          the next line, behind six blanks.
    AB  - METHODS: We asked 20 people. RESULTS: Ten answered.

A blank line ends a record; so does a second PMID. A document has the sections and facts of `medline.py`, but for other
abstracts and classes of labels; we find labels in the running text (`text.py`).
Source: PubMed's help, "PubMed format field descriptions".
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from functools import partial
from operator import itemgetter
from typing import BinaryIO

from anagnosis.documents import bibliography
from anagnosis.documents.bibliography import JOINT, join_values
from anagnosis.documents.dates import written_date
from anagnosis.documents.document import Document, Section
from anagnosis.documents.formats.medline import PMCID
from anagnosis.documents.identifiers import bare_doi
from anagnosis.documents.io.malformed import FETCH_AGAIN, empty_file, ends_inside_line
from anagnosis.documents.repairs import Repairs
from anagnosis.documents.states import OF_LINK, states
from anagnosis.documents.text import split_at_labels, tidied
from anagnosis.errors import InputError, TruncatedError

SUFFIXES = (".nbib",)
LONGEST = 64 << 20  # bytes of a record
# A record begins with one of these tags; RIS, which looks alike, with TY.
_FIRST = re.compile(
    rb"(?:AB|AID|AU|BTI|CN|DA|DP|FAU|IS|JT|LA|LID|MH|OAB|OT|OWN|PG|PMC|PMCR|PMID|PT|RN|STAT|TA|TI|TT|VI|VR) {0,2}-"
)
_BOM = b"\xef\xbb\xbf"
_FIELD = re.compile(r"([A-Z][A-Z0-9]{1,3}) {0,2}- ?(.*)", re.DOTALL)
_DOI = re.compile(r"(?:doi: ?)?(10\.\d{4,9}/\S+?)(?: \[doi\])?")
_PMID_IN_LINK = re.compile(r"\bPMID: ?(\d+)")
_Fields = list[tuple[str, str]]  # (tag, its lines joined)


def sniff(head: bytes) -> bool:
    """Whether a file that starts with these decompressed bytes is MEDLINE text."""
    return _FIRST.match(head.removeprefix(_BOM).lstrip()) is not None


def read(stream: BinaryIO, repairs: Repairs, name: str = "") -> Iterator[Document]:
    """Every document of a stream, in order, in memory bounded by a record.

    repairs: gets windows_line_end, line_unreadable, book_left_out, citation_without_date,
    publication_day_impossible, bibliography.COUNTED, and by "name:line" the refused records, which are not UTF-8 or
    have no PMID. TruncatedError, after the documents: the stream breaks off or the last record is incomplete.
    """
    for line, record in _records(stream, name):
        try:
            text = record.decode()
        except UnicodeDecodeError as fault:
            bad = line + record.count(b"\n", 0, fault.start)
            repairs.refuse(f"{name}:{bad}", "not UTF-8; convert it to UTF-8")
        else:
            yield from _documents(_fields(text, line, name, repairs), repairs, f"{name}:{line}")


def _records(stream: BinaryIO, name: str) -> Iterator[tuple[int, bytes]]:
    """(line, bytes) of each record: from a non-empty line to an empty one, or to a second PMID."""
    record, number, begins, seen, has_source = bytearray(), 0, 0, False, False
    for number, row in enumerate(iter(partial(stream.readline, LONGEST + 1), b""), 1):
        line = row.removeprefix(_BOM) if number == 1 else row
        if not seen and line.strip() and not sniff(line):
            what = "no line like `PMID- 27000083`: not MEDLINE text"
            raise InputError(what, f"{name}:1", "check the format, or name it with --format")
        is_empty = line in (b"\n", b"\r\n", b"\r")
        if record and (is_empty or (line.startswith(b"PMID-") and _has(b"PMID-", record))):
            has_source = has_source or _has(b"SO  -", record)
            yield begins, bytes(record)
            record.clear()
        if not is_empty:
            begins = begins if record else number
            record += line
            seen = seen or bool(line.strip())
        if len(record) > LONGEST:
            what = f"a document longer than {LONGEST >> 20} MiB"
            raise InputError(what, f"{name}:{begins}", "split it, or check that this is MEDLINE text")
    if not seen:
        raise empty_file(name)
    if record:
        yield begins, bytes(record)
        # MEDLINE text has no end tag; PubMed puts the source last.
        lacks_source = has_source and not _has(b"SO  -", record)
        if ends_inside_line(
            bytes(record), lambda line: lacks_source or not (line.startswith(" ") or _FIELD.fullmatch(line))
        ):
            raise TruncatedError("the file ends inside a record", f"{name}:{number}", FETCH_AGAIN)


def _has(tag: bytes, record: bytearray) -> bool:
    return record.startswith(tag) or b"\n" + tag in record


def _fields(text: str, line: int, name: str, repairs: Repairs) -> _Fields:
    """The fields of a record."""
    fields: list[tuple[str, list[str]]] = []
    repairs.count("windows_line_end", text.count("\r\n") + text.endswith("\r"))
    for number, row in enumerate(text.replace("\0", " ").replace("\r", " ").split("\n"), line):
        if row.startswith(" ") and fields:
            fields[-1][1].append(row)
        elif field := _FIELD.fullmatch(row):
            fields.append((field[1], [field[2]]))
        elif row.strip():
            repairs.count("line_unreadable")
            repairs.note(f"{name}:{number}", "a line that is no field and continues none")
    return [(tag, tidied(" ".join(rows))) for tag, rows in fields]


def _documents(fields: _Fields, repairs: Repairs, where: str) -> Iterator[Document]:
    """The document of a record; none without PMID, which is refused, and of a book, counted."""
    values = defaultdict[str, list[str]](list)
    for tag, value in filter(itemgetter(1), fields):
        values[tag].append(value)

    def first(*tags: str) -> str:
        return next((values[tag][0] for tag in tags if values[tag]), "")

    if not fields:
        return
    if not (ident := first("PMID")):
        repairs.refuse(where, "a record without PMID")
        return
    if first("BTI"):
        repairs.count("book_left_out")
        repairs.note(where, f"PMID {ident} is a book, left out")
        return
    title = " ".join(values["TI"])
    date, exists = written_date(first("DP"))
    repairs.count("publication_day_impossible", not exists)
    repairs.count("citation_without_date", not date)
    dois = filter(None, map(_DOI.fullmatch, values["AID"] + values["LID"]))
    facts = {
        "version": first("VR"),
        "date": date,
        "year": date[:4],
        "journal": first("JT", "TA"),
        "language": JOINT.join(values["LA"]),
        "doi": next((bare_doi(doi[1]) for doi in dois), ""),
        "pmcid": next(filter(PMCID.fullmatch, values["PMC"]), ""),
        "types": (types := JOINT.join(values["PT"])),
        "mesh": JOINT.join(heading.removeprefix("*").partition("/")[0] for heading in values["MH"]),
        **states(title, types, _links(fields)),
        "authors": join_values(_authors(fields), repairs, "author"),
        "corporate_authors": join_values(values["CN"], repairs, "corporate_author"),
        "keywords": join_values((each.removeprefix("*") for each in values["OT"]), repairs, "keyword"),
        **bibliography.place({"volume": first("VI"), "issue": first("IP"), "pages": first("PG")}, repairs),
    }
    parts = (part for text in values["AB"] for part in split_at_labels(text))
    own = (Section("abstract", text, label) for label, text in parts)
    sections = (Section("title", title), *own)
    yield Document(ident, sections, facts={name: fact for name, fact in facts.items() if fact})


def _links(fields: _Fields) -> Iterator[tuple[str, str]]:
    """(state, the other paper by PMID or else by citation) of each link."""
    for tag, value in fields:
        if value and tag in OF_LINK:
            pmid = _PMID_IN_LINK.search(value)
            yield OF_LINK[tag], pmid[1] if pmid else value


def _authors(fields: _Fields) -> Iterator[str]:
    """The authors by their full names; by initials only without a full name in front."""
    has_full_name = False
    for tag, value in fields:
        if tag == "FAU" or (tag == "AU" and not has_full_name):
            yield value if tag == "FAU" else bibliography.person_with_initials(value)
        has_full_name = bool(value) if tag == "FAU" else has_full_name and tag != "AU"
