"""The JSON of the records, and its JSON Schema.

The JSON of a record has its fields, or the fields and properties in SHOWN, under their names. Fractions have four
decimal places.
"""

from __future__ import annotations

import functools
import operator
import types
import typing
from collections.abc import Sequence
from typing import Annotated, Any, get_args, get_origin

import msgspec

from anagnosis.searching.records.answers import AskAnswer, SearchAnswer
from anagnosis.searching.records.conclusions import Conclusion, StanceFigures
from anagnosis.searching.records.matches import Facets
from anagnosis.searching.records.names import NameFigures
from anagnosis.searching.records.passage import Passage
from anagnosis.searching.records.understood import Understood

Record = type[msgspec.Struct]
SHOWN: dict[Record, tuple[str, ...]] = {
    Passage: (
        *("document", "number", "section", "heading", "title", "date", "journal", "types", "notices"),
        *("links", "text", "entities", "title_entities", "source"),
    ),
    Conclusion: (
        *("document", "title", "kind", "year", "size", "covered", "evidence", "stance", "counted", "notices"),
    ),
    StanceFigures: (
        *(
            "questions",
            "decided",
            "accuracy",
            "low",
            "high",
            "majority",
            "f1_of_no",
            "f1_of_yes",
            "data",
            "date",
        ),
        *("earned", "says"),
    ),
    Facets: ("years", "journals", "types", "sections"),
    Understood: ("line", "parts", "repairs", "query", "papers"),
    NameFigures: (
        *(
            "questions",
            "share",
            "names",
            "precision",
            "low",
            "high",
            "lenient",
            "data",
            "date",
            "earned",
            "says",
        ),
    ),
    SearchAnswer: (
        *(
            "record",
            "question",
            "understood",
            "index_notes",
            "ranking",
            "left_out",
            "expanded",
            "did_you_mean",
        ),
        *(
            "by",
            "sort",
            "matches",
            "facets",
            "found",
            "papers",
            "more",
            "scorer",
            "scorer_says",
            "calibrated",
        ),
    ),
    AskAnswer: (
        *("record", "question", "understood", "index_notes", "kind", "left_out", "expanded", "did_you_mean"),
        *("conclusions", "names", "evidence", "state", "scorer", "scorer_says", "calibrated"),
    ),
}
DIGITS = 4


def plain(value: Any) -> Any:
    """A record as dictionaries, lists, texts and numbers."""
    if isinstance(value, msgspec.Struct):
        return {name: plain(getattr(value, name)) for name in _names(type(value))}
    if isinstance(value, list | tuple):
        return [plain(each) for each in typing.cast("Sequence[Any]", value)]
    return round(value, DIGITS) + 0.0 if isinstance(value, float) else value  # + 0.0: no -0.0


def components(records: Sequence[Record], prefix: str) -> dict[str, Any]:
    """name → JSON Schema, of the records and of all records inside them. prefix: of references to them."""
    return msgspec.json.schema_components(map(shown, records), ref_template=prefix + "{name}")[1]


@functools.cache
def shown(record: Record) -> Record:
    """The record type with exactly the fields of the JSON, all of them required."""
    hints = typing.get_type_hints(record, include_extras=True)
    for name in _names(record):
        if name not in hints:
            hints[name] = typing.get_type_hints(getattr(record, name).fget, include_extras=True)["return"]
    return msgspec.defstruct(
        record.__name__,
        [(name, _shown_inside(hints[name])) for name in _names(record)],
        namespace={"__doc__": " ".join((record.__doc__ or "").split())},
        forbid_unknown_fields=True,
    )


def _shown_inside(hint: Any) -> Any:
    """A type hint whose records are replaced by those that `shown` makes of them."""
    origin, inside = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return Annotated[_shown_inside(inside[0]), *inside[1:]]
    if origin in (types.UnionType, typing.Union):
        return functools.reduce(operator.or_, map(_shown_inside, inside))
    if origin in (Sequence, list, tuple):
        return list[_shown_inside(inside[0])]
    return shown(hint) if isinstance(hint, type) and issubclass(hint, msgspec.Struct) else hint


def _names(record: Record) -> tuple[str, ...]:
    return SHOWN.get(record) or record.__struct_fields__
