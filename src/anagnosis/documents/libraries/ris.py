"""RIS, as PubMed, Embase, EndNote, Zotero, Mendeley and we ourselves export it.

    TY  - JOUR
    AU  - Hellinger, Frank R, Jr
    TI  - Does aspirin prevent stroke?
    L1  - file:///C:/papers/a.pdf
    ER  -

A record begins with TY and ends with ER. Source: "RIS Format Specifications", Research Information Systems 2011;
EndNote's help on names.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import BinaryIO

from anagnosis.documents.bibliography import page_range
from anagnosis.documents.io.malformed import empty_file
from anagnosis.documents.libraries.entry import Entry, authors, entry, names, pmid_of
from anagnosis.documents.libraries.files import attached
from anagnosis.documents.repairs import Repairs
from anagnosis.errors import InputError

KIND = "ris"
LONGEST = 16 << 20
"""Bytes of a record."""
_HEAD = 4096  # bytes; some programs write lines about themselves before the first record
_BEGINS = re.compile(rb"(?:\A|\n)(?:\xef\xbb\xbf)?TY[ \t]{1,3}-[ \t]*[A-Z]")
_START, _END = re.compile(rb"TY[ \t]{1,3}-"), re.compile(rb"ER[ \t]{1,3}-\s*\Z")
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
    the file is empty, or a record is longer than 16 MiB.
    """
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
    number = begins = size = 0
    last = b""
    for number, row in enumerate(iter(partial(stream.readline, LONGEST + 1), b""), 1):
        row = row.removeprefix(BOM_UTF8) if number == 1 else row
        is_start, is_end = _START.match(row), _END.match(row)
        last = row if row.strip() else last
        if lines and (is_start or is_end):
            repairs.count("ris_end_added", not is_end)
            yield begins, lines
            lines, size = [], 0
        elif not lines and not is_start:
            repairs.count("line_unreadable", bool(row.strip()))
        if is_start or (lines and not is_end):
            begins = begins if lines else number
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
    if last and not _END.match(last):
        repairs.refuse(f"{name}:{number}", "the file ends without ER: it may be cut short")


def _parsed(rows: list[str], repairs: Repairs) -> dict[str, list[str]]:
    """The values of each tag, behind two blanks, or those of the record's first field. Every tag may repeat."""
    field = re.compile(rf"([A-Z][A-Z0-9])(?:  |{rows[0][2 : rows[0].index('-')]})-[ \t]*(.*)")
    values: dict[str, list[str]] = {}
    tag = ""
    for row in rows:
        if match := field.match(row):
            tag, value = match.groups()
        elif tag == "TY":
            repairs.count("line_unreadable", bool(row.strip()))
            continue
        else:
            value = row
        if value := value.strip():
            values.setdefault(tag, []).append(value)
    return values


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
