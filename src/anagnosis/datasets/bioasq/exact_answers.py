"""The shapes of an exact answer in the organisers' JSON, of golden files and of submissions.

    "yes"                 a text
    ["a", "b"]            flat
    [["a", "b"], ["c"]]   nested: groups of texts; a group without a text vanishes

A number in a list is its spelling. The organisers' program ends with an exception on what is nothing of these.
"""

from __future__ import annotations

import json
from typing import Any, cast

import msgspec

Groups = tuple[tuple[str, ...], ...]


class Number(str):
    """A JSON number as it is spelled."""

    __slots__ = ()


class Shape(msgspec.Struct, frozen=True, gc=False):
    """An exact answer as it was read. text: of a text. groups: of a list. flat: whether its entries are texts."""

    text: str | None = None
    groups: Groups | None = None
    flat: bool = False


class ShapeError(Exception):
    """An exact answer of no shape; says why."""


def parsed(text: str) -> Any:
    """The value of JSON whose numbers stay as they are spelled."""
    return json.loads(text, parse_float=Number, parse_int=Number, parse_constant=Number)


def shape_of(value: Any) -> Shape:
    """The shape of a value that `parsed` gave. ShapeError: it has none."""
    if isinstance(value, str) and not isinstance(value, Number):
        return Shape(text=value)
    if not isinstance(value, list):
        raise ShapeError("the exact answer is no text and no list")
    listed = cast("list[Any]", value)
    nested = [isinstance(entry, list) for entry in listed]
    if any(nested) and not all(nested):
        raise ShapeError("the exact answer mixes texts and lists")
    if any(nested):
        return Shape(groups=tuple(tuple(map(_text, entry)) for entry in listed if entry))
    return Shape(groups=tuple((_text(part),) for part in listed), flat=bool(listed))


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ShapeError("an answer in the list is no text or number")
    return str(value)
