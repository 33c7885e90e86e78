"""Numbers, and msgspec's faults, in a user's words.

Expected `str`, got `int` - at `$.doc.keys[1]`      doc.keys[1]: text is wanted, not a whole number
"""

from __future__ import annotations

import re
from collections.abc import Sequence

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
        wanted = either([_NAMES.get(name, name) for name in expected[1].split(" | ")])
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


def either(choices: Sequence[str]) -> str:
    """Choices in words: `a, b or c`."""
    return " or ".join([", ".join(choices[:-1]), choices[-1]] if len(choices) > 1 else choices)
