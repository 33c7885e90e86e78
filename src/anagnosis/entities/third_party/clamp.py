"""CLAMP's text output: rows of named entities, sentences and tokens.

    NamedEntity	26	38	semantic=problem	assertion=present	cui=C9100001	ne=heart attack
    Sentence	0	44	section=
    Token	0	1	pos=DT

Offsets count characters, end exclusive. Six fields, or seven with a CUI. No real release was tried.

Source: readme of UTHealth-CCB/clamp-support; for what is refused also the program of CliCR (clips/clicr).
"""

from __future__ import annotations

from collections import Counter
from typing import BinaryIO

from anagnosis.entities.formats import numbered
from anagnosis.entities.third_party import Annotation, Stream, whole_number
from anagnosis.errors import InputError

SUFFIXES = (".txt", ".clamp")
ORIGINS = (0,)
_KINDS = ("NamedEntity", "Sentence", "Token")
_FIELDS = (6, 7)
_KEYS = ("semantic", "assertion", "ne")


def sniff(head: bytes) -> bool:
    """Whether the first line is a row of CLAMP."""
    return head.startswith(tuple(f"{kind}\t".encode() for kind in _KINDS))


def read(stream: BinaryIO, counts: Counter[str], name: str) -> Stream:
    """The annotations of the file's one text.

    InputError: an entity with another number of fields or without one of them, or an offset that is no number.
    """
    del counts
    listed: list[Annotation] = []
    for number, line in numbered(stream, name):
        fields, where = line.split("\t"), f"{name}:{number}"
        if not line.startswith(_KINDS[0]):
            continue
        if len(fields) not in _FIELDS:
            what = f"an entity of {len(fields)} fields, CLAMP has 6 or 7"
            raise InputError(what, where, "part fields by tabs")
        values = dict(field.split("=", 1) for field in fields[3:] if "=" in field)
        if missing := [key for key in _KEYS if key not in values]:
            raise InputError(f"an entity without {missing[0]}=", where, "write all fields")
        start, end = (whole_number(field, where, "an offset") for field in fields[1:3])
        identifier = values.get("cui", "")
        listed.append(Annotation(((start, end),), values["ne"], values["semantic"], identifier, "", where))
    yield "", listed
