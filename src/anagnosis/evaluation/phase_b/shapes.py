"""The shapes of an exact answer in the organisers' JSON, and what their program and the thesis read in each.

    "yes"                 a text: to yes/no questions; to others the program reads nothing
    ["a", "b"]            flat: of a factoid synonyms (golden files of edition 2), of a submission one answer each
    [["a", "b"], ["c"]]   nested: entries of synonyms, or answers; a group without a text vanishes

A number in a list is its spelling. What is nothing of these stops the program, and so does a flat list after edition 2.
Source: BioASQ/Evaluation-Measures 8c8e689; what it does with each shape is in design/bioasq.md.
"""

from __future__ import annotations

import json
from typing import Any, Final, cast

import msgspec

from anagnosis.errors import InputError

Groups = tuple[tuple[str, ...], ...]
ThesisGroups = tuple[tuple[str | None, ...], ...]


class Marker:
    """In place of a value that is no JSON."""


ABSENT: Final = Marker()  # there is no such key
UNKNOWN: Final = Marker()  # no file is known


class Number(str):
    """A JSON number as it is spelled."""

    __slots__ = ()


class Shape(msgspec.Struct, frozen=True, gc=False):
    """An exact answer as it was read. text: of a text. groups: of a list. flat: whether its entries are texts."""

    text: str | None = None
    groups: Groups | None = None
    flat: bool = False


class OrganisersProgramError(InputError):
    """The organisers' program ends with an exception, and prints no figures."""

    def __init__(
        self,
        why: str,
        question: str,
        edition: int,
        remedy: str = "correct the question, or take --protocol thesis",
    ) -> None:
        what = f"the organisers' program of edition {edition} stops: {why}"
        super().__init__(what, f"question {question}", remedy)


def parsed(text: str) -> Any:
    """The value of JSON whose numbers stay as they are spelled."""
    return json.loads(text, parse_float=Number, parse_int=Number, parse_constant=Number)


def read(value: Any, question: str, edition: int, *, flat: bool, first_only: bool) -> Shape | None:
    """The shape of a value as an edition of the program reads it; None where there is none.

    flat: whether the edition reads flat lists. first_only: keep the first text of each group, as editions 5, 8 and 9 do
    in submissions.
    """
    if value is ABSENT:
        return None
    if isinstance(value, str) and not isinstance(value, Number):
        return Shape(text=value)
    if not isinstance(value, list):
        raise OrganisersProgramError(f"the exact answer is {_in_words(value)}", question, edition)
    listed = cast("list[Any]", value)
    nested = [isinstance(entry, list) for entry in listed]
    if any(nested) and not all(nested):
        raise OrganisersProgramError("a list of texts and of lists", question, edition)
    if any(nested):
        groups = tuple(tuple(_text(part, question, edition) for part in entry) for entry in listed if entry)
        return Shape(groups=tuple(group[:1] if first_only else group for group in groups))
    if listed and not flat:
        raise OrganisersProgramError("a flat list of answers", question, edition)
    return Shape(groups=tuple((_text(part, question, edition),) for part in listed), flat=bool(listed))


def read_leniently(value: Any) -> ThesisGroups:
    """The answers of a submission in either shape: the first text of a group; None for null, which keeps its place."""
    if value is ABSENT or value is None:
        return ()
    listed = cast("list[Any]", value) if isinstance(value, list) else [value]
    firsts = (cast("list[Any]", entry)[:1] if isinstance(entry, list) else [entry] for entry in listed)
    return tuple((_spelled(part),) for first in firsts for part in first)


def _spelled(value: Any) -> str | None:
    if value is None:
        return None
    return str(value) if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _text(value: Any, question: str, edition: int) -> str:
    if not isinstance(value, str):
        raise OrganisersProgramError(f"an answer is {_in_words(value)}", question, edition)
    return str(value)


def _in_words(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Number):
        return f"the number {value}"
    return "a list" if isinstance(value, list) else "an object"
