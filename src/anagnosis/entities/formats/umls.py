"""UMLS's tables, of which no real release was tried.

    MRCONSO.RRF   CUI|LAT|TS|LUI|STT|SUI|ISPREF|AUI|SAUI|SCUI|SDUI|SAB|TTY|CODE|STR|SRL|SUPPRESS|CVF|   names
    MRSTY.RRF     CUI|TUI|STN|STY|ATUI|CVF|                                             semantic types

The preferred name of a concept is English with TS = P, STT = PF and ISPREF = Y. A term of MRSTY has only its semantic
types (STY); its names come from MRCONSO.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import BinaryIO

from anagnosis.entities.concepts import Synonym, Term
from anagnosis.entities.formats import numbered
from anagnosis.errors import InputError

SUFFIXES = (".RRF", ".rrf")
COLUMNS, COLUMNS_OF_TYPES = 18, 6
_FEWEST_OF_NAMES = 12  # bars of a row; with fewer it is one of types
_CUI, _LAT, _TS, _STT, _ISPREF, _STR, _SUPPRESS = 0, 1, 2, 4, 6, 14, 16
_STY = 3


def sniff(head: bytes) -> bool:
    """Whether the first line looks like a row; one column too few or too many is refused when it is read."""
    line = head.split(b"\n", 1)[0]
    return line[:1] == b"C" and line[1:8].isdigit() and line[8:9] == b"|" and 4 <= line.count(b"|") < 25


def read(stream: BinaryIO, counts: Counter[str], name: str) -> Iterator[Term]:
    """One term for each run of rows with one CUI. InputError: a row with another number of columns."""
    for cui, group in groupby(_rows(stream, name), key=lambda row: row[_CUI]):
        rows = list(group)
        if len(rows[0]) == COLUMNS_OF_TYPES:
            yield Term(cui, types=tuple(dict.fromkeys(row[_STY] for row in rows)))
        else:
            yield _named(cui, rows)


def _rows(stream: BinaryIO, name: str) -> Iterator[list[str]]:
    columns = 0
    for number, line in numbered(stream, name):
        if not line:
            continue
        columns = columns or (COLUMNS if line.count("|") >= _FEWEST_OF_NAMES else COLUMNS_OF_TYPES)
        *cells, end = line.split("|")
        if len(cells) != columns or end:
            what = f"{len(cells) + bool(end)} columns, not {columns} with a | behind each"
            raise InputError(what, f"{name}:{number}", "give the file as UMLS ships it")
        yield cells


def _named(cui: str, rows: Sequence[list[str]]) -> Term:
    preferred, synonyms = "", dict[Synonym, None]()
    for row in rows:
        if not preferred and (row[_LAT], row[_TS], row[_STT], row[_ISPREF]) == ("ENG", "P", "PF", "Y"):
            preferred = row[_STR]
        else:
            applies = {"other_language": row[_LAT] != "ENG", "suppressed_name": row[_SUPPRESS] != "N"}
            synonyms[Synonym(row[_STR], tuple(rule for rule in applies if applies[rule]))] = None
    return Term(cui, preferred, tuple(synonyms))
