"""CSV for spreadsheets: a header, and a row a paper (RFC 4180, UTF-8 with a byte order mark, by which Excel reads it).

Spreadsheets run a cell that begins like a formula; such a cell gets an apostrophe in front, which they do not show.
Source: OWASP, "CSV Injection".
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator

from anagnosis.searching.citing.reference import BestPassage, Reference

TITLE = "CSV"
SUFFIX = ".csv"
MEDIA_TYPE = "text/csv; charset=utf-8"
_BOM = "\ufeff"
_JOINT = "; "
# Spreadsheets take the wide forms of East Asian keyboards as formulas too.
_BEGINS_FORMULA = frozenset("=+-@\t\r\n\uff1d\uff0b\uff0d\uff20")
_SHOWN = 4  # decimal places of a score

_COLUMNS: dict[str, Callable[[Reference], str]] = {
    "rank": lambda one: str(one.best.rank) if one.best else "",
    "id": lambda one: one.id,
    "pmid": lambda one: one.pmid,
    "pmcid": lambda one: one.pmcid,
    "doi": lambda one: one.doi,
    "title": lambda one: one.title,
    "authors": lambda one: _JOINT.join(one.authors),
    "journal": lambda one: one.journal,
    "date": lambda one: one.date,
    "year": lambda one: one.year,
    "volume": lambda one: one.volume,
    "issue": lambda one: one.issue,
    "pages": lambda one: one.pages,
    "types": lambda one: _JOINT.join(one.types),
    "keywords": lambda one: _JOINT.join(one.keywords),
    "mesh": lambda one: _JOINT.join(one.mesh),
    "language": lambda one: one.language,
    "licence": lambda one: one.licence,
    "notices": lambda one: _JOINT.join(one.notice_words),
    "address": lambda one: one.address,
    "abstract": lambda one: one.abstract,
    "section": lambda one: _of_best(one.best, lambda best: best.heading or best.section),
    "passage": lambda one: _of_best(one.best, lambda best: best.text),
    "score": lambda one: _of_best(one.best, lambda best: f"{best.score:.{_SHOWN}f}"),
}
COLUMNS = tuple(_COLUMNS)


def lines(references: Iterable[Reference]) -> Iterator[str]:
    """The header, then a row a piece."""
    yield _BOM + _row(COLUMNS)
    for one in references:
        yield _row([guarded(value(one)) for value in _COLUMNS.values()])


def guarded(cell: str) -> str:
    """The cell, with an apostrophe in front where a spreadsheet would run it."""
    return f"'{cell}" if cell[:1] in _BEGINS_FORMULA else cell


def _of_best(best: BestPassage | None, value: Callable[[BestPassage], str]) -> str:
    return value(best) if best else ""


def _row(cells: Iterable[str]) -> str:
    stream = io.StringIO()
    csv.writer(stream).writerow(cells)
    return stream.getvalue()
