"""What the organisers' program and the thesis read in the shapes of an exact answer (datasets/bioasq/exact_answers.py).

A text answers yes/no questions; to others the program reads nothing in it. A flat list has the synonyms of a factoid
(golden files of edition 2), or one answer each (a submission), and stops the program after edition 2, as every other
value does. A nested list has entries of synonyms, or answers.
Source: BioASQ/Evaluation-Measures 8c8e689; what it does with each shape is in design/bioasq.md.
"""

from __future__ import annotations

import json
from typing import Any, Final, cast

from anagnosis.datasets.bioasq.exact_answers import Shape, ShapeError, shape_of
from anagnosis.errors import InputError

ThesisGroups = tuple[tuple[str | None, ...], ...]


class Marker:
    """In place of a value that is no JSON."""


ABSENT: Final = Marker()  # there is no such key
UNKNOWN: Final = Marker()  # no file is known


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


def read(value: Any, question: str, edition: int, *, flat: bool, first_only: bool) -> Shape | None:
    """The shape of a value as an edition of the program reads it; None where there is none.

    flat: whether the edition reads flat lists. first_only: keep the first text of each group, as editions 5, 8 and 9 do
    in submissions.
    """
    if value is ABSENT:
        return None
    try:
        shape = shape_of(value)
    except ShapeError as fault:
        raise OrganisersProgramError(str(fault), question, edition) from None
    if shape.flat and not flat:
        raise OrganisersProgramError("a flat list of answers", question, edition)
    if shape.groups is None or not first_only:
        return shape
    return Shape(groups=tuple(group[:1] for group in shape.groups), flat=shape.flat)


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
