"""MeSH in ASCII (d2025.bin).

    *NEWRECORD
    MH = Myocardial Infarction
    ENTRY = Heart Attack|T047|NON|EQV|NLM (2000)|000101|abbcdef
    ENTRY = Infarction, Myocardial
    UI = D009203

An entry's fourth field is its relation (EQV, NRW, BRD, REL). An entry without fields is a permuted one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import BinaryIO

from anagnosis.entities.concepts import BROAD, EXACT, NARROW, RELATED, Synonym, Term
from anagnosis.entities.formats import numbered
from anagnosis.entities.formats.mesh_categories import RECORD_CLASSES, categories
from anagnosis.errors import InputError

SUFFIXES = (".bin",)
_NEW = "*NEWRECORD"
# Key of a descriptor, and of a supplementary record, with its name.
_NAMES = ("MH", "NM")
_ENTRIES = ("ENTRY", "PRINT ENTRY", "SY")
_SCOPES = {"EQV": EXACT, "NRW": NARROW, "BRD": BROAD, "REL": RELATED}


def sniff(head: bytes) -> bool:
    """Whether the text begins with a record."""
    return head.lstrip().startswith(_NEW.encode())


def read(stream: BinaryIO, counts: Counter[str], name: str) -> Iterator[Term]:
    """The term of each record. Counted: line_without_value. InputError: a record without UI or name."""
    start, fields = 0, dict[str, list[str]]()
    for number, line in numbered(stream, name):
        if line.strip() == _NEW:
            if start:
                yield _term(fields, f"{name}:{start}")
            start, fields = number, {}
        elif line.strip():
            key, sign, value = line.partition("=")
            if not sign:
                counts["line_without_value"] += 1
                continue
            fields.setdefault(key.strip(), []).append(value.strip())
    if start:
        yield _term(fields, f"{name}:{start}")


def _term(fields: dict[str, list[str]], where: str) -> Term:
    names = [value for key in _NAMES for value in fields.get(key, ())]
    if not fields.get("UI") or not names:
        missing = "UI" if names else " or ".join(_NAMES)
        raise InputError(f"a record without {missing}", where, "check whether the file is complete")
    by_class = RECORD_CLASSES.get(fields.get("SCR_CLASS", [""])[0])
    return Term(
        fields["UI"][0],
        names[0],
        tuple(_synonym(value) for key in _ENTRIES for value in fields.get(key, ())),
        categories(fields.get("MN", ())) or ((by_class,) if by_class else ()),
        tree_numbers=tuple(fields.get("MN", ())),
    )


def _synonym(value: str) -> Synonym:
    text, *more = value.split("|")
    return Synonym(text, _SCOPES.get(more[2] if len(more) > 2 else "EQV", RELATED))
