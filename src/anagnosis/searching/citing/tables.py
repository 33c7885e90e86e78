"""A paper a line: CSV for spreadsheets, and JSON lines.

CSV (RFC 4180) is UTF-8 with a byte order mark, by which Excel reads it. A cell that begins like a formula gets an
apostrophe in front, which spreadsheets do not show.

JSON lines are read by `anagnosis` as documents (format jsonl) and by other programs as plain records:

    {"id": "27000083", "title": "…", "text": "…", "authors": ["Hellinger, Frank R"], "date": "2016-03", …}

text is the abstract. Unknown fields are left out. A notice is a key of its kind, as in a document's facts.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import msgspec

from anagnosis.documents.states import UNNAMED
from anagnosis.searching.citing.reference import BestPassage, Reference
from anagnosis.showing import without_formula

_BOM = "\ufeff"
_JOINT = "; "
_DIGITS = 4  # decimal places of a score
# Fields of a reference whose name in a line differs.
_NAMES = {"abstract": "text", "best": "best_passage"}

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
    "notices": lambda one: _JOINT.join(one.notes),
    "address": lambda one: one.address,
    "abstract": lambda one: one.abstract,
    "section": lambda one: _of_best(one.best, lambda best: best.heading or best.section),
    "passage": lambda one: _of_best(one.best, lambda best: best.text),
    "score": lambda one: _of_best(one.best, lambda best: f"{best.score:.{_DIGITS}f}"),
    "passage_pages": lambda one: _of_best(one.best, lambda best: _JOINT.join(map(str, best.pages))),
}
COLUMNS = tuple(_COLUMNS)


def csv_lines(references: Iterable[Reference]) -> Iterator[str]:
    """The header, then a row a piece."""
    yield _BOM + _row(COLUMNS)
    for one in references:
        yield _row([without_formula(value(one)) for value in _COLUMNS.values()])


def _of_best(best: BestPassage | None, value: Callable[[BestPassage], str]) -> str:
    return value(best) if best else ""


def _row(cells: Iterable[str]) -> str:
    stream = io.StringIO()
    csv.writer(stream).writerow(cells)
    return stream.getvalue()


def json_lines(references: Iterable[Reference]) -> Iterator[str]:
    """A line a piece."""
    for one in references:
        yield msgspec.json.encode(_record(one)).decode() + "\n"


def _record(one: Reference) -> dict[str, Any]:
    fields = {
        _NAMES.get(name, name): getattr(one, name) for name in one.__struct_fields__ if name != "notices"
    }
    fields |= {notice.kind: notice.about or UNNAMED for notice in one.notices}
    if one.best is not None:
        fields["best_passage"] = {**msgspec.structs.asdict(one.best), "score": round(one.best.score, _DIGITS)}
    return {
        name: value
        for name, value in fields.items()
        if value not in ("", (), None) or name in ("id", "title")
    }
