"""MetaMap's and MetaMapLite's fielded output (MMI), one concept of a document a line.

    00000000|MMI|14.64|Heart attack|C9100001|[dsyn]|["HEART ATTACK"-tx-1-"heart attack"-noun-0]|TX|26/12|C14.907
    id | MMI | ranking score | preferred name | CUI | [types] | [triggers] | location | positions | tree numbers

MetaMapLite has no location. Every trigger has its positions, parted by ";" from the next trigger's. `[54/6],[225/6]`
are two places, `55/6,66/5` parts of one. Releases differ in whether the first character is 0 or 1. No real release was
tried.

Source: "Understanding MetaMap output" (wiki of NCBI-Codeathons); issue 4 of lhncbc/metamaplite.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from typing import BinaryIO

from anagnosis.entities.formats import numbered
from anagnosis.entities.third_party import Annotation, Stream, whole_number
from anagnosis.errors import InputError

SUFFIXES = (".mmi",)
ORIGINS = (0, 1)

_KIND = 1  # field
_FIELDS = {10: (6, 8), 9: (6, 7)}  # number of fields → fields of triggers and positions
_ACRONYMS = frozenset(("AA", "UA"))
# Names may hold quotes and hyphens, so a trigger ends only before `,"` or at the end.
_TRIGGER = re.compile(r'"(.*?)"-[^-"]*-\d+-"(.*?)"-[^"]*?-[01](?=,"|$)')
_PLACE = re.compile(r"\[([^\[\]]*)\]")
_NO_ID = "00000000"


def sniff(head: bytes) -> bool:
    """Whether the first line has the fields of MMI."""
    fields = head.split(b"\n", 1)[0].split(b"|")
    return len(fields) > 2 and fields[_KIND] in (b"MMI", b"AA", b"UA")


def read(stream: BinaryIO, counts: Counter[str], name: str) -> Stream:
    """Every document's annotations; the lines of one document stand together.

    Counted: trigger_without_positions. InputError: another number of fields, or a position that is none.
    """
    for document, rows in groupby(_rows(stream, counts, name), key=lambda row: row[0]):
        yield "" if document == _NO_ID else document, [each for _, listed in rows for each in listed]


def _rows(stream: BinaryIO, counts: Counter[str], name: str) -> Iterator[tuple[str, list[Annotation]]]:
    for number, line in numbered(stream, name):
        fields, where = line.split("|"), f"{name}:{number}"
        if not line.strip() or (len(fields) > 1 and fields[_KIND] in _ACRONYMS):
            continue
        if len(fields) not in _FIELDS or fields[_KIND] != "MMI":
            what = f"{len(fields)} fields, MMI has 10 and MetaMapLite 9"
            raise InputError(what, where, "make the file with MetaMap's -N")
        yield fields[0], list(_annotations(fields, counts, where))


def _annotations(fields: list[str], counts: Counter[str], where: str) -> Iterator[Annotation]:
    triggers, positions = (fields[place] for place in _FIELDS[len(fields)])
    kind = fields[5].strip("[]")
    words = [match[2] for match in _TRIGGER.finditer(triggers.strip().strip("[]"))]
    groups = positions.split(";")
    if len(words) != len(groups):
        counts["trigger_without_positions"] += abs(len(words) - len(groups))
        words = [""] * len(groups)
    for text, group in zip(words, groups, strict=True):
        for place in _PLACE.findall(group) or [group]:
            spans = tuple(_span(part, where) for part in place.split(","))
            yield Annotation(spans, text, kind, fields[4], fields[3], where)


def _span(part: str, where: str) -> tuple[int, int]:
    start, _, length = part.partition("/")
    first = whole_number(start, where, "a position")
    return first, first + whole_number(length, where, "a length")
