"""The records as JSON, and the JSON Schema of that.

A record's JSON has its fields, or the fields and properties that SHOWN names, under the same names. Fractions have four
decimal places.
"""

from __future__ import annotations

import types
import typing
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Annotated, Any, Literal, get_args, get_origin

import msgspec
from msgspec.structs import fields

from anagnosis.calibration.held_out import HeldOut
from anagnosis.searching.records.answers import AskAnswer, Decision, SearchAnswer, Verdict, Withheld
from anagnosis.searching.records.passage import Passage

Record = type[msgspec.Struct]
SHOWN: dict[Record, tuple[str, ...]] = {
    Passage: (
        *("document", "number", "section", "heading", "title", "date", "journal", "types", "notices"),
        *("links", "text", "entities", "title_entities"),
    ),
    Verdict: ("document", "title", "label", "probabilities", "counted", "notices", "evidence"),
    Withheld: ("document", "title", "notices", "evidence"),
    HeldOut: ("measure", "value", "low", "high", "baseline", "questions", "says"),
    Decision: (
        *("label", "undecided", "confidence", "means", "reader", "held_out", "calibrated"),
        *("verdicts", "withheld"),
    ),
    SearchAnswer: (
        *("question", "index_notes", "ranking", "left_out", "found", "more", "scorer", "scorer_says"),
        "calibrated",
    ),
    AskAnswer: (
        *("question", "index_notes", "kind", "left_out", "decision", "exact", "off", "evidence", "sure"),
        *("scorer", "scorer_says", "calibrated"),
    ),
}
DIGITS = 4
_SIMPLE: dict[Any, dict[str, str]] = {
    str: {"type": "string"},
    bool: {"type": "boolean"},
    int: {"type": "integer"},
    float: {"type": "number"},
    type(None): {"type": "null"},
}
_LIMITS = {"ge": "minimum", "le": "maximum", "description": "description"}


def plain(value: Any) -> Any:
    """A record as dictionaries, lists, texts and numbers."""
    if isinstance(value, msgspec.Struct):
        return {name: plain(getattr(value, name)) for name in _shown(type(value))}
    if isinstance(value, list | tuple):
        return [plain(each) for each in typing.cast("Sequence[Any]", value)]
    return round(value, DIGITS) + 0.0 if isinstance(value, float) else value  # + 0.0: no -0.0


def schema(record: Record) -> dict[str, Any]:
    """The JSON Schema of one record's JSON."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$ref": f"#/$defs/{record.__name__}",
        "$defs": components([record], "#/$defs/"),
    }


def components(records: Sequence[Record], prefix: str) -> dict[str, Any]:
    """name → schema, of the records and of all records inside them. prefix: of references to them."""
    made: dict[str, Any] = {}
    waiting = list(records)
    while waiting:
        record = waiting.pop()
        if record.__name__ not in made:
            types_of = _types(record)
            made[record.__name__] = {
                "title": record.__name__,
                "description": " ".join((record.__doc__ or "").split()),
                "type": "object",
                "properties": {name: _schema(each, prefix, waiting) for name, each in types_of.items()},
                "required": list(types_of),
                "additionalProperties": False,
            }
    return made


@cache
def _shown(record: Record) -> tuple[str, ...]:
    return SHOWN.get(record) or tuple(field.name for field in fields(record))


def _types(record: Record) -> Mapping[str, Any]:
    """shown name → its type."""
    hints = typing.get_type_hints(record, include_extras=True)
    return {
        name: hints[name]
        if name in hints
        else typing.get_type_hints(getattr(record, name).fget, include_extras=True)["return"]
        for name in _shown(record)
    }


def _schema(hint: Any, prefix: str, waiting: list[Record]) -> dict[str, Any]:
    """Of a type. waiting: gets the records that it refers to."""
    origin, inside = get_origin(hint), get_args(hint)
    if origin is Annotated:
        limits = {
            name: value
            for meta in inside[1:]
            for given, name in _LIMITS.items()
            if (value := getattr(meta, given)) is not None
        }
        return _schema(inside[0], prefix, waiting) | limits
    if origin is Literal:
        return {"enum": list(inside)}
    if origin in (types.UnionType, typing.Union):
        return {"anyOf": [_schema(each, prefix, waiting) for each in inside]}
    if hint in _SIMPLE:
        return dict(_SIMPLE[hint])
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        waiting.append(hint)
        return {"$ref": f"{prefix}{hint.__name__}"}
    if isinstance(origin, type) and issubclass(origin, Sequence):
        return {"type": "array", "items": _schema(inside[0], prefix, waiting)}
    raise TypeError(f"no JSON Schema of {hint}")
