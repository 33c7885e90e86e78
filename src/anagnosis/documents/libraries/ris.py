"""RIS, as PubMed, Embase, EndNote, Zotero, Mendeley and we ourselves export it.

    TY  - JOUR
    AU  - Hellinger, Frank R, Jr
    TI  - Does aspirin prevent stroke?
    L1  - file:///C:/papers/a.pdf
    ER  -

A record begins with TY and ends with ER; rispy reads its lines. It loses a record without ER, so we cut the records
and add what lacks. Source: "RIS Format Specifications", Research Information Systems 2011; EndNote's help on names.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any, BinaryIO

from anagnosis.documents.bibliography import page_range
from anagnosis.documents.io.malformed import empty_file
from anagnosis.documents.libraries.entry import Entry, authors, entry, names, pmid_of
from anagnosis.documents.libraries.files import attached
from anagnosis.documents.repairs import Repairs
from anagnosis.errors import InputError, missing_extra

KIND = "ris"
LONGEST = 16 << 20
"""Bytes of a record."""
_HEAD = 4096  # bytes; some programs write lines about themselves before the first record
_BEGINS = re.compile(rb"(?:\A|\n)(?:\xef\xbb\xbf)?TY[ \t]{1,3}-[ \t]*[A-Z]")
_START, _END = re.compile(rb"TY[ \t]{1,3}-"), re.compile(rb"ER[ \t]{1,3}-\s*\Z")
_FIELD = re.compile(r"[A-Z][A-Z0-9]  -")
_FILES = ("L1", "L2", "L3", "L4")
_NAMES = names(
    title="TI T1",
    abstract="AB N2",
    journal="T2 JF JO JA J2",
    date="DA PY Y1",
    volume="VL",
    issue="IS",
    doi="DO",
    issn="SN",
    language="LA",
    keywords="KW",
    extra="N1 M1",
)
_TYPES = {"JOUR": "Journal Article", "EJOUR": "Journal Article", "UNPB": "Preprint", "DATA": "Dataset"}
_TEXTS = ("TI", "T1", "AB", "N2")
"""Fields of one value, whose further lines continue it; of others each line is a value."""


def sniff(head: bytes) -> bool:
    """Whether a file that starts with these decompressed bytes is RIS."""
    return _BEGINS.search(head[:_HEAD]) is not None


def entries(stream: BinaryIO, repairs: Repairs, name: str = "", folder: Path = Path()) -> Iterator[Entry]:
    """The entry of each record, in order, in memory bounded by one. folder: of the library, for relative paths.

    repairs: gets ris_end_added (a record without ER), line_unreadable (outside a record, or that continues nothing),
    the names of `entry` and `attached`, and by "name:line" the refused records, and a last one without ER. InputError:
    rispy is not installed, the file is empty, or a record is longer than 16 MiB.
    """
    if find_spec("rispy") is None:
        raise missing_extra("rispy", "libraries", "to read RIS")
    for line, record in _records(stream, name, repairs):
        where = f"{name}:{line}"
        try:
            rows = b"".join(record).decode().replace("\r", "").split("\n")
        except UnicodeDecodeError:
            repairs.refuse(where, "a record that is not UTF-8; name its encoding with --encoding")
            continue
        values = _parsed(rows, repairs)
        stated = [(path, "") for tag in _FILES for path in values.get(tag, [])]
        files = attached(stated, folder, name, repairs, where)
        key = " ".join(values.get("ID", [])[:1])
        yield from entry(KIND, key, _fields(values), _NAMES, repairs, where, files=files)


def _records(stream: BinaryIO, name: str, repairs: Repairs) -> Iterator[tuple[int, list[bytes]]]:
    """(line, lines) of each record, from TY to before ER, the next TY or the end."""
    lines: list[bytes] = []
    number = begins = size = unended = 0
    while row := stream.readline(LONGEST + 1):
        number += 1
        row = row.removeprefix(BOM_UTF8) if number == 1 else row
        is_start, is_end = _START.match(row), _END.match(row)
        if lines and (is_start or is_end):
            repairs.count("ris_end_added", not is_end)
            yield begins, lines
            lines, size = [], 0
        elif not (lines or is_start) and row.strip():
            repairs.count("line_unreadable")
        unended = is_end is None if row.strip() else unended
        if is_start:
            begins = number
        if is_start or (lines and not is_end):
            lines.append(row)
            size += len(row)
        if size > LONGEST:
            what = f"a record longer than {LONGEST >> 20} MiB"
            raise InputError(what, f"{name}:{begins}", "split it, or check that this is RIS")
    if not number:
        raise empty_file(name)
    if lines:
        repairs.count("ris_end_added")
        yield begins, lines
    if unended:
        repairs.refuse(f"{name}:{number}", "the file ends without ER: it may be cut short")


def _parsed(rows: list[str], repairs: Repairs) -> dict[str, list[str]]:
    """The values of each tag, as rispy reads the rows, with the usual blanks. Every tag may repeat."""
    import rispy

    around = re.compile(rf"^([A-Z][A-Z0-9]){rows[0][2 : rows[0].index('-')]}-[ \t]*")
    rows = [around.sub(r"\1  - ", row) for row in rows]
    first = next((at for at, row in enumerate(rows[1:], 1) if _FIELD.match(row)), len(rows))
    repairs.count("line_unreadable", sum(bool(row.strip()) for row in rows[1:first]))
    # The tags of this record and no others, so that rispy knows each.
    tags = {tag: tag for tag in ("TY", "ER", *(row[:2] for row in rows[first:] if _FIELD.match(row)))}
    text = "\n".join((rows[0], *rows[first:], "ER  - "))
    (record,) = rispy.loads(text, mapping=tags, list_tags=[*tags], delimiter_tags_mapping={})
    given: dict[str, Any] = record
    return {tag: given[tag] if isinstance(given[tag], list) else [given[tag]] for tag in given}


def _fields(values: dict[str, list[str]]) -> Iterator[tuple[str, str]]:
    """(name in _NAMES, value)."""
    first, last, kind = (" ".join(values.get(tag, [])[:1]) for tag in ("SP", "EP", "TY"))
    databases = " ".join(each for tag in ("DB", "DP") for each in values.get(tag, []))
    yield "pages", page_range(first, last)
    yield "types", _TYPES.get(kind, "" if kind == "GEN" else kind)
    for tag, given in values.items():
        for value in [" ".join(given)] if tag in _TEXTS else given:
            if tag in ("AU", "A1"):
                yield from authors(value)
            elif tag == "AN" and pmid_of(value, databases):
                yield "pmid", value
            elif tag == "C2" and value[:3].upper() == "PMC":
                yield "pmcid", value
            else:
                yield tag, value
