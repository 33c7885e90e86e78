"""JSON lines: a paper a line, which `anagnosis` reads as documents (format jsonl) and other programs as plain records.

    {"id": "27000083", "title": "…", "text": "…", "authors": ["Hellinger, Frank R"], "date": "2016-03", …}

text is the abstract. Unknown fields are left out. A notice is a key of its kind, as in a document's facts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from anagnosis.searching.citing.reference import Reference
from anagnosis.searching.records.passage import UNNAMED

TITLE = "JSON lines"
SUFFIX = ".jsonl"
MEDIA_TYPE = "application/x-ndjson"
# Fields of a reference whose name in a line differs.
_NAMES = {"abstract": "text", "best": "best_passage"}
_DIGITS = 4


def lines(references: Iterable[Reference]) -> Iterator[str]:
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
