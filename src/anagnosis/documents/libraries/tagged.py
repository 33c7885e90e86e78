"""Text with a tag in front of each field: RIS, and the plain text that Web of Science saves.

    TY  - JOUR                             PT J
    AU  - Hellinger, Frank R, Jr           AU Hellinger, FR
    TI  - Does aspirin prevent stroke?        Smith, J
    L1  - file:///C:/papers/a.pdf          TI Does aspirin
    ER  -                                     prevent stroke?
                                           ER

RIS comes from PubMed, Embase, EndNote, Zotero, Mendeley and ourselves; a record begins with TY. In Web of Science it
begins with PT, further lines of a field with three blanks; FN and VR stand before the first record, EF behind the last.
Source: "RIS Format Specifications", Research Information Systems 2011; EndNote's help on names; Clarivate, "Web of
Science Core Collection Field Tags".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import BinaryIO, NamedTuple

from anagnosis.documents.bibliography import page_range
from anagnosis.documents.io.whole import whole_text
from anagnosis.documents.libraries import LARGEST
from anagnosis.documents.libraries.entry import Entry, authors, entry, names, pmid_of
from anagnosis.documents.libraries.files import attached
from anagnosis.documents.repairs import Repairs

_HEAD = 4096  # bytes; some programs write lines about themselves before the first record
_FILES = ("L1", "L2", "L3", "L4")
_RIS_TYPES = {"JOUR": "Journal Article", "EJOUR": "Journal Article", "UNPB": "Preprint", "DATA": "Dataset"}
_Values = dict[str, list[str]]


class Tagged(NamedTuple):
    """A kind of tagged text.

    begins: finds the first record of a file. start: of a record. end, outside: lines that end one, and that may stand
    around them. field: of tag and value; {} is what stands behind the tag of the record's first field. key: tag of a
    record's key. texts: tags of one value, whose further lines continue it; of others each line is a value. fields: of
    a record's values, (name in names, value).
    """

    kind: str
    begins: re.Pattern[bytes]
    start: re.Pattern[str]
    end: re.Pattern[str]
    outside: re.Pattern[str]
    field: str
    key: str
    texts: tuple[str, ...]
    names: Mapping[str, str]
    fields: Callable[[_Values], Iterator[tuple[str, str]]]

    def sniff(self, head: bytes) -> bool:
        return self.begins.search(head[:_HEAD]) is not None

    def entries(
        self, stream: BinaryIO, repairs: Repairs, name: str = "", folder: Path = Path()
    ) -> Iterator[Entry]:
        """Counted: ris_end_added (a record without ER), line_unreadable (outside of one, or that continues nothing)."""
        text = whole_text(stream, name, LARGEST).replace("\r", "")
        around, *records = self.start.split(text)
        line = 1 + around.count("\n")
        for record in records:
            where = f"{name}:{line}"
            body, *behind = self.end.split(record, maxsplit=1)
            repairs.count("ris_end_added", not behind)
            around += "".join(behind)
            values = self._values(body.split("\n"), repairs)
            stated = [(path, "") for tag in _FILES for path in values.get(tag, [])]
            files = attached(stated, folder, name, repairs, where)
            key = " ".join(values.get(self.key, [])[:1])
            yield from entry(self.kind, key, self.fields(values), self.names, repairs, where, files=files)
            line += record.count("\n")
        rows = (row for row in around.split("\n") if row.strip() and not self.outside.fullmatch(row))
        repairs.count("line_unreadable", sum(1 for _ in rows))
        if not self.end.match(text.rstrip().rpartition("\n")[2]):
            repairs.refuse(f"{name}:{line}", "the file ends without ER: it may be cut short")

    def _values(self, rows: list[str], repairs: Repairs) -> _Values:
        """The values of each tag. Every tag may repeat."""
        first = rows[0][:2]
        field = re.compile(self.field.format(rows[0][2:].partition("-")[0]))
        values: _Values = {}
        tag = ""
        for row in rows:
            match = field.match(row)
            tag, value = match.groups() if match else (tag, row)
            if not match and tag == first:
                repairs.count("line_unreadable", bool(row.strip()))
            elif value := value.strip():
                values.setdefault(tag, []).append(value)
        return {tag: [" ".join(each)] if tag in self.texts else each for tag, each in values.items()}


def _of_ris(values: _Values) -> Iterator[tuple[str, str]]:
    first, last, kind = (" ".join(values.get(tag, [])[:1]) for tag in ("SP", "EP", "TY"))
    databases = " ".join(each for tag in ("DB", "DP") for each in values.get(tag, []))
    yield "pages", page_range(first, last)
    yield "types", _RIS_TYPES.get(kind, "" if kind == "GEN" else kind)
    for tag, given in values.items():
        for value in given:
            if tag in ("AU", "A1"):
                yield from authors(value)
            elif tag == "AN" and pmid_of(value, databases):
                yield "pmid", value
            elif tag == "C2" and value[:3].upper() == "PMC":
                yield "pmcid", value
            else:
                yield tag, value


def _of_web_of_science(values: _Values) -> Iterator[tuple[str, str]]:
    first, last, number = (" ".join(values.get(tag, [])) for tag in ("BP", "EP", "AR"))
    yield "pages", page_range(first, last) or number
    if "PY" not in values:  # published ahead of print
        yield "PY", " ".join(values.get("EY", []))
    for name in values.get("AF") or values.get("AU", []):
        yield from authors("" if name == "[Anonymous]" else name)
    for tag, given in values.items():
        separated = tag in ("CA", "DE", "DT")
        yield from ((tag, each) for value in given for each in (value.split(";") if separated else [value]))


RIS = Tagged(
    kind="ris",
    begins=re.compile(rb"(?:\A|\n)(?:\xef\xbb\xbf)?TY[ \t]{1,3}-[ \t]*[A-Z]"),
    start=re.compile(r"(?m)^(?=TY[ \t]{1,3}-)"),
    end=re.compile(r"(?m)^ER[ \t]{1,3}-[ \t]*$"),
    outside=re.compile("(?!)"),  # none
    field=r"([A-Z][A-Z0-9])(?:  |{})-[ \t]*(.*)",
    key="ID",
    texts=("TI", "T1", "AB", "N2"),
    names=names(
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
    ),
    fields=_of_ris,
)
WEB_OF_SCIENCE = Tagged(
    kind="web-of-science",
    begins=re.compile(rb"\A(?:\xef\xbb\xbf)*FN [^\r\n]+\r?\nVR \d"),
    start=re.compile(r"(?m)^(?=PT [A-Z])"),
    end=re.compile(r"(?m)^E[RF][ \t]*$"),
    outside=re.compile(r"\ufeff?FN .*|VR [\d.]+|EF\s*"),
    field=r"([A-Z][A-Z0-9]) (.*)",
    key="UT",
    texts=("TI", "SO", "AB", "DE", "DT"),
    names=names(
        title="TI",
        abstract="AB",
        journal="SO J9 JI",
        date="PY PD",
        volume="VL",
        issue="IS",
        doi="DI",
        pmid="PM",
        language="LA",
        types="DT",
        keywords="DE",
        corporate_authors="CA",
    ),
    fields=_of_web_of_science,
)
