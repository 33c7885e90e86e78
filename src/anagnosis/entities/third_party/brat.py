"""brat's standoff annotations (.ann), beside a text of the same name.

    T1	Sign_symptom 31 38;42 45	healthy man
    N1	Reference T1 UMLS:C9100001	Heart attack

Offsets count characters, end exclusive; a text may have tabs. N gives a mention's identifier and the concept's name.
Source: brat's documentation, "brat standoff format"; files of MACCROBAT 2020.
"""

from __future__ import annotations

from collections import Counter
from typing import BinaryIO

import msgspec

from anagnosis.entities.formats import numbered
from anagnosis.entities.third_party import Annotation, Stream, whole_number
from anagnosis.errors import InputError

SUFFIXES = (".ann",)
ORIGINS = (0,)


def sniff(head: bytes) -> bool:
    """Whether the first line is a text-bound annotation."""
    fields = head.split(b"\n", 1)[0].split(b"\t", 2)
    return len(fields) == 3 and fields[0][:1] == b"T" and fields[0][1:].isdigit() and b" " in fields[1]


def read(stream: BinaryIO, counts: Counter[str], name: str) -> Stream:
    """The annotations of the file's one text. InputError: a mention that does not have three fields."""
    del counts
    listed: dict[str, Annotation] = {}
    for number, line in numbered(stream, name):
        if not line.strip():
            continue
        fields, where = line.split("\t", 2), f"{name}:{number}"
        kind, key = line[0], fields[0]
        target = fields[1].split(" ") if len(fields) > 1 else []
        if kind == "T":
            listed[key] = _mention(fields, where)
        elif kind == "N" and len(target) == 3 and target[1] in listed:
            concept = fields[2] if len(fields) > 2 else ""
            listed[target[1]] = msgspec.structs.replace(listed[target[1]], identifier=target[2], name=concept)
    yield "", list(listed.values())


def _mention(fields: list[str], where: str) -> Annotation:
    if len(fields) != 3 or " " not in fields[1]:
        raise InputError("a mention needs three fields", where, 'write "T1⇥type start end⇥text"')
    kind, _, places = fields[1].partition(" ")
    spans: list[tuple[int, int]] = []
    for place in places.split(";"):
        start, _, end = place.partition(" ")
        spans.append((whole_number(start, where, "an offset"), whole_number(end, where, "an offset")))
    return Annotation(tuple(spans), fields[2], kind, "", where=where)
