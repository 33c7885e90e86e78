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
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from anagnosis.documents.bibliography import page_range
from anagnosis.documents.io.whole import whole_text
from anagnosis.documents.libraries import LARGEST
from anagnosis.documents.libraries.entry import Entry, authors, entry, names, pmid_of
from anagnosis.documents.libraries.files import attached
from anagnosis.documents.repairs import Repairs

KIND = "ris"
_HEAD = 4096  # bytes; some programs write lines about themselves before the first record
_BEGINS = re.compile(rb"(?:\A|\n)(?:\xef\xbb\xbf)?TY[ \t]{1,3}-[ \t]*[A-Z]")
_START, _END = re.compile(r"(?m)^(?=TY[ \t]{1,3}-)"), re.compile(r"(?m)^ER[ \t]{1,3}-[ \t]*$")
_FILES = ("L1", "L2", "L3", "L4")
_NAMES = names(
    title="TI T1",
    abstract="AB N2",
    journal="T2 JF JO JA J2",
    date="DA PY Y1",
    volume="VL",
    issue="IS",
    doi="DO",
    language="LA",
    keywords="KW",
    extra="N1 M1",
)
_TYPES = {"JOUR": "Journal Article", "EJOUR": "Journal Article", "UNPB": "Preprint", "DATA": "Dataset"}
_TEXTS = ("TI", "T1", "AB", "N2")
"""Fields of one value, whose further lines continue it; of others each line is a value."""


def sniff(head: bytes) -> bool:
    return _BEGINS.search(head[:_HEAD]) is not None


def entries(stream: BinaryIO, repairs: Repairs, name: str = "", folder: Path = Path()) -> Iterator[Entry]:
    """Counted: ris_end_added (a record without ER), line_unreadable (outside a record, or that continues nothing)."""
    text = whole_text(stream, name, LARGEST).replace("\r", "")
    before, *records = _START.split(text)
    outside, line = before, 1 + before.count("\n")
    for record in records:
        where = f"{name}:{line}"
        body, *behind = _END.split(record, maxsplit=1)
        repairs.count("ris_end_added", not behind)
        outside += "".join(behind)
        values = _values(body.split("\n"), repairs)
        stated = [(path, "") for tag in _FILES for path in values.get(tag, [])]
        files = attached(stated, folder, name, repairs, where)
        key = " ".join(values.get("ID", [])[:1])
        yield from entry(KIND, key, _fields(values), _NAMES, repairs, where, files=files)
        line += record.count("\n")
    repairs.count("line_unreadable", sum(bool(row.strip()) for row in outside.split("\n")))
    if not _END.match(text.rstrip().rpartition("\n")[2]):
        repairs.refuse(f"{name}:{line}", "the file ends without ER: it may be cut short")


def _values(rows: list[str], repairs: Repairs) -> dict[str, list[str]]:
    """The values of each tag, behind two blanks, or those of the record's first field. Every tag may repeat."""
    field = re.compile(rf"([A-Z][A-Z0-9])(?:  |{rows[0][2 : rows[0].index('-')]})-[ \t]*(.*)")
    values: dict[str, list[str]] = {}
    tag = ""
    for row in rows:
        match = field.match(row)
        tag, value = match.groups() if match else (tag, row)
        if not match and tag == "TY":
            repairs.count("line_unreadable", bool(row.strip()))
        elif value := value.strip():
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
