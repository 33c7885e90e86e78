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
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from anagnosis.documents.states import UNNAMED
from anagnosis.searching.citing.reference import Reference
from anagnosis.showing import without_formula

_BOM = "\ufeff"
_JOINT = "; "
_DIGITS = 4  # decimal places of a score
# Fields of a reference whose name in a line differs.
_NAMES = {"abstract": "text", "best": "best_passage"}
COLUMNS = (
    *("rank", "id", "pmid", "pmcid", "doi", "title", "authors", "journal", "date", "year", "volume", "issue"),
    *("pages", "types", "keywords", "mesh", "language", "licence", "notices", "address", "abstract"),
    *("section", "passage", "score", "passage_pages"),
)


def csv_lines(references: Iterable[Reference]) -> Iterator[str]:
    """The header, then a row a piece."""
    yield _BOM + _row(COLUMNS)
    for one in references:
        cells = _cells(one)
        yield _row([without_formula(cells.get(name, "")) for name in COLUMNS])


def _cells(one: Reference) -> dict[str, str]:
    """Column → cell; of `best` those of the passage."""
    fields: dict[str, Any] = msgspec.structs.asdict(one) | {"notices": one.notes, "year": one.year}
    if (best := fields.pop("best")) is not None:
        fields |= {"rank": str(best.rank), "section": best.heading or best.section, "passage": best.text}
        fields |= {"score": f"{best.score:.{_DIGITS}f}", "passage_pages": map(str, best.pages)}
    return {name: value if isinstance(value, str) else _JOINT.join(value) for name, value in fields.items()}


def _row(cells: Iterable[str]) -> str:
    stream = io.StringIO()
    csv.writer(stream).writerow(cells)
    return stream.getvalue()


def json_lines(references: Iterable[Reference]) -> Iterator[str]:
    """A line a piece."""
    for one in references:
        fields = msgspec.structs.asdict(one) | {"notices": None}
        fields |= {notice.kind: notice.about or UNNAMED for notice in one.notices}
        if one.best is not None:
            fields["best"] = msgspec.structs.replace(one.best, score=round(one.best.score, _DIGITS))
        known = {
            _NAMES.get(name, name): value
            for name, value in fields.items()
            if value not in ("", (), None) or name in ("id", "title")
        }
        yield msgspec.json.encode(known).decode() + "\n"
