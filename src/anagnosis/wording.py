"""Numbers, and msgspec's types and faults, in a user's words.

Annotated[int, Meta(ge=2)]                          a whole number of at least 2
Expected `str`, got `int` - at `$.doc.keys[1]`      doc.keys[1]: text is wanted, not a whole number
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from msgspec import inspect

_BOUNDS = (("ge", "of at least {}"), ("gt", "above {}"), ("le", "of at most {}"), ("lt", "below {}"))


_NAMES = {
    "array": "a list",
    "bool": "true or false",
    "float": "a number",
    "int": "a whole number",
    "null": "null",
    "object": "an object",
    "str": "text",
}
_EXPECTED = re.compile(r"Expected `([a-z |]+)`(?:, got `(\w+)`| (>=|<=|>|<) (\S+))")
_MISSING = re.compile(r"Object missing required field `(.*)`")
_UNKNOWN = re.compile(r"Object contains unknown field `(.*)`", re.DOTALL)
_CHOICE = re.compile(r"Invalid enum value (.*)", re.DOTALL)
_SIGNS = {">=": "of at least", ">": "above", "<=": "of at most", "<": "below"}
_PLACE = re.compile(r" - at `(?:key in )?\$\.?(.*?)`$", re.DOTALL)


def counted(count: int, noun: str) -> str:
    """A number with its noun: `1 concept`, `2,000 concepts`. noun: in the singular; its plural ends in -s."""
    return f"{count:,} {noun}" + ("" if count == 1 else "s")


def shortened(value: str, longest: int = 60) -> str:
    """A value for an error line. longest: characters; the rest becomes `…`."""
    return value if len(value) <= longest else f"{value[:longest]}…"


def reworded(fault: Exception) -> str:
    """A decoding error in plain words, its field first: `seconds: a number of at least 0 is wanted`."""
    if isinstance(fault, RecursionError):
        return "its brackets are nested too deeply"
    text = str(fault) or type(fault).__name__
    from msgspec import ValidationError

    if not isinstance(fault, ValidationError):
        return text
    place = _PLACE.search(text)
    where, text = (place[1].replace("[...]", ""), text[: place.start()]) if place else ("", text)
    if (expected := _EXPECTED.fullmatch(text)) is not None:
        wanted = _either([_NAMES.get(name, name) for name in expected[1].split(" | ")])
        if expected[2]:
            text = f"{wanted} is wanted, not {_NAMES.get(expected[2], expected[2])}"
        else:
            text = f"{wanted} {_SIGNS[expected[3]]} {expected[4].removesuffix('.0')} is wanted"
    elif (missing := _MISSING.fullmatch(text)) is not None:
        text = f"the field {missing[1]!r} is missing"
    elif (unknown := _UNKNOWN.fullmatch(text)) is not None:
        text = f"there is no field {unknown[1]!r}"
    elif (choice := _CHOICE.fullmatch(text)) is not None:
        text = f"{choice[1]} is not one of its choices"
    return f"{where}: {text}" if where else text


def values_in_words(wanted: Any) -> str:
    """The values of a type in plain words. wanted: a type that msgspec converts to."""
    from msgspec import inspect

    return _words(inspect.type_info(wanted))


def _words(kind: inspect.Type) -> str:
    from msgspec import inspect

    match kind:
        case inspect.BoolType():
            return "true or false"
        case inspect.IntType():
            return f"a whole number{_bounds(kind)}"
        case inspect.FloatType():
            return f"a number{_bounds(kind)}"
        case inspect.StrType():
            return "text in quotes"
        case inspect.NoneType():
            return "left out"
        case inspect.LiteralType():
            return _either([str(value) for value in kind.values])
        case inspect.UnionType():
            return _either([_words(inner) for inner in kind.types])
        case inspect.ListType() | inspect.VarTupleType():
            return f"a list, each item {_words(kind.item_type)}"
        case inspect.TupleType():
            return (
                f"a list of {len(kind.item_types)}: {', '.join(_words(inner) for inner in kind.item_types)}"
            )
        case inspect.DictType():
            return f"a table, each value {_words(kind.value_type)}"
        case inspect.StructType():
            return f"a table of {', '.join(f'{inner.encode_name} ({_words(inner.type)})' for inner in kind.fields)}"
        case inspect.Metadata():
            return _words(kind.type)
        case _:
            return "a value of its kind"


def _bounds(kind: inspect.IntType | inspect.FloatType) -> str:
    if kind.ge is not None and kind.le is not None:
        return f" from {_plain(kind.ge)} to {_plain(kind.le)}"
    limits = [
        words.format(_plain(bound)) for name, words in _BOUNDS if (bound := getattr(kind, name)) is not None
    ]
    return f" {' and '.join(limits)}" if limits else ""


def _plain(bound: float) -> str:
    """A bound as text: `65,536`, `0.5`."""
    return f"{bound:,}".removesuffix(".0")


def _either(choices: list[str]) -> str:
    return " or ".join([", ".join(choices[:-1]), choices[-1]] if len(choices) > 1 else choices)
