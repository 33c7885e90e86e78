"""UMLS's semantic types of concepts, MRSTY.RRF, read beside MRCONSO.RRF.

    CUI|TUI|STN|STY|ATUI|CVF|

Each term has no name, only the semantic types (STY); the names come from MRCONSO. Not tried on a real release.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from typing import BinaryIO

from anagnosis.entities.formats.lines import looks_like, rows
from anagnosis.entities.term import Term

SUFFIXES = (".RRF", ".rrf")
COLUMNS = 6


def sniff(head: bytes) -> bool:
    """Whether the first line looks like a row."""
    return looks_like(head, range(4, 9))


def read(stream: BinaryIO, counts: Counter[str], name: str) -> Iterator[Term]:
    """One term for each run of rows with one CUI. InputError: a row without 6 columns."""
    for cui, group in groupby(rows(stream, name, COLUMNS), key=lambda row: row[0]):
        yield Term(cui, types=tuple(dict.fromkeys(row[3] for row in group)))
