"""A question's gold answer, what a system gives for it, and the two paired for scoring; and which shapes they have.

The shapes of an exact answer are those of datasets/bioasq/exact_answers.py. A text answers yes/no questions; to others
the program reads nothing in it. A flat list has the synonyms of a factoid (golden files of edition 2), or one answer
each (a submission), and stops the program after edition 2, as every other value does. A nested list has entries of
synonyms, or answers. Source: BioASQ/Evaluation-Measures 8c8e689; what it does with each shape is in design/bioasq.md.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

from anagnosis.datasets.bioasq.exact_answers import Groups, Shape, ShapeError, shape_of
from anagnosis.datasets.kinds.question import FACTOID, LIST, YESNO
from anagnosis.errors import InputError
from anagnosis.evaluation.phase_b.scores import Answers, Entries

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


SCORED = (YESNO, FACTOID, LIST)  # types that have an exact answer


@dataclass(frozen=True, slots=True)
class GoldAnswer:
    """To a question. entries: each its synonyms, None where there is none.

    value: as the golden file has it; where it is UNKNOWN, each edition is given the shape that it reads.
    """

    id: str
    type: str
    entries: Groups | None
    value: Any = UNKNOWN


@dataclass(frozen=True, slots=True)
class SystemAnswer:
    """What a system gives for a question.

    texts: its answers, best first. value: as a submission has it, ABSENT where the question has no exact answer.
    """

    texts: tuple[str, ...] = ()
    value: Any = UNKNOWN


@dataclass(frozen=True, slots=True)
class Pair:
    """A question to be scored."""

    entries: Entries
    answers: Answers


def pair_of(entries: Entries, texts: Sequence[str]) -> Pair:
    """A question with answers that are one text each, best first."""
    return Pair(entries, tuple((text,) for text in texts))
