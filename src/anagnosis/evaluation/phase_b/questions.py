"""A question's gold answer, what a system gives for it, and the two paired for scoring: their shapes, how edition 9 of
the organisers' program reads them, and at what it stops.

The shapes of an exact answer are those of datasets/bioasq/exact_answers.py. A text answers yes/no questions; to others
the program reads nothing in it. A flat list stops it, as every other value does. A nested list has entries of
synonyms, or answers, of which a submission's first text counts. Source: BioASQ/Evaluation-Measures 8c8e689; what it
does with each shape is in design/bioasq.md.
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


class Marker:
    """In place of a value that is no JSON."""


ABSENT: Final = Marker()  # there is no such key
UNKNOWN: Final = Marker()  # no file is known


class OrganisersProgramError(InputError):
    """The organisers' program ends with an exception, and prints no figures."""

    def __init__(self, why: str, question: str) -> None:
        what = f"the organisers' program of edition 9 stops: {why}"
        super().__init__(what, f"question {question}", "correct the question, or take --protocol thesis")


def read(value: Any, question: str) -> Shape | None:
    """The shape of a value as the program reads it; None where there is none."""
    if value is ABSENT:
        return None
    try:
        shape = shape_of(value)
    except ShapeError as fault:
        raise OrganisersProgramError(str(fault), question) from None
    if shape.flat:
        raise OrganisersProgramError("a flat list of answers", question)
    return shape


def read_leniently(value: Any) -> tuple[str | None, ...]:
    """The answers of a submission in either shape: the first text of a group; None for null, which keeps its place."""
    if value is ABSENT or value is None:
        return ()
    listed = cast("list[Any]", value) if isinstance(value, list) else [value]
    firsts = (cast("list[Any]", entry)[:1] if isinstance(entry, list) else [entry] for entry in listed)
    return tuple(_spelled(part) for first in firsts for part in first)


def _spelled(value: Any) -> str | None:
    if value is None:
        return None
    return str(value) if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


SCORED = (YESNO, FACTOID, LIST)  # types that have an exact answer


@dataclass(frozen=True, slots=True)
class GoldAnswer:
    """To a question. entries: each its synonyms, None where there is none.

    value: as the golden file has it; where it is UNKNOWN, the program is given the shape that it reads.
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
    return Pair(entries, tuple(texts))


def paired(asked: GoldAnswer, given: SystemAnswer | None) -> Pair | None:
    """The question that edition 9 scores; None where the submission lacks it, or it has no gold answer."""
    gold = read(_gold_value(asked), asked.id)
    if given is None:
        return None
    answer = read(_given_value(asked.type, given), asked.id)
    if gold is None or (gold.text is None and not gold.groups):
        return None
    if asked.type != YESNO:
        return Pair(gold.groups or (), tuple(group[0] for group in (answer and answer.groups) or ()))
    if gold.text is None:
        raise OrganisersProgramError("a yes/no question has no gold answer", asked.id)
    if answer is not None and answer.text is None:
        raise OrganisersProgramError("the answer to a yes/no question is a list", asked.id)
    return Pair(((gold.text,),), () if answer is None or answer.text is None else (answer.text,))


def _gold_value(asked: GoldAnswer) -> Any:
    if asked.value is not UNKNOWN:
        return asked.value
    if asked.entries is None:
        return ABSENT
    if asked.type == YESNO:
        return asked.entries[0][0] if asked.entries else ABSENT
    return [[*entry] for entry in asked.entries]


def _given_value(type: str, given: SystemAnswer) -> Any:
    if given.value is not UNKNOWN:
        return given.value
    if not given.texts:
        return ABSENT
    return given.texts[0] if type == YESNO else [[text] for text in given.texts]
