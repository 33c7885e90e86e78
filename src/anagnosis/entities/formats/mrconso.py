"""UMLS's names of concepts, MRCONSO.RRF: 18 columns, of which we read six.

    CUI|LAT|TS|LUI|STT|SUI|ISPREF|AUI|SAUI|SCUI|SDUI|SAB|TTY|CODE|STR|SRL|SUPPRESS|CVF|

The preferred name of a concept is English with TS = P, STT = PF and ISPREF = Y. Not tried on a real release.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from typing import BinaryIO

from anagnosis.entities.formats.lines import looks_like, rows
from anagnosis.entities.term import EXACT, Synonym, Term

SUFFIXES = (".RRF", ".rrf")
COLUMNS = 18
_CUI, _LAT, _TS, _STT, _ISPREF, _TTY, _STR, _SUPPRESS = 0, 1, 2, 4, 6, 12, 14, 16
_PERMUTED = frozenset(("PM",))  # term type of MeSH's turned-round forms
_ABBREVIATIONS = frozenset(("AB", "ACR"))


def sniff(head: bytes) -> bool:
    """Whether the first line looks like a row; one column too few or too many is refused when it is read."""
    return looks_like(head, range(12, 25))


def read(stream: BinaryIO, counts: Counter[str], name: str) -> Iterator[Term]:
    """One term for each run of rows with one CUI. InputError: a row without 18 columns."""
    for cui, group in groupby(rows(stream, name, COLUMNS), key=lambda row: row[_CUI]):
        preferred, synonyms = "", dict[Synonym, None]()
        for row in group:
            if not preferred and (row[_LAT], row[_TS], row[_STT], row[_ISPREF]) == ("ENG", "P", "PF", "Y"):
                preferred = row[_STR]
            else:
                synonyms[Synonym(row[_STR], EXACT, _marks(row))] = None
        yield Term(cui, preferred, tuple(synonyms))


def _marks(row: list[str]) -> tuple[str, ...]:
    return tuple(
        mark
        for mark, applies in (
            ("other language", row[_LAT] != "ENG"),
            ("suppressed", row[_SUPPRESS] != "N"),
            ("permuted", row[_TTY] in _PERMUTED),
            ("abbreviation", row[_TTY] in _ABBREVIATIONS),
        )
        if applies
    )
