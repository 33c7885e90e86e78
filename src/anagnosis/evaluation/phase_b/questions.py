"""A question's gold answer, what a system gives for it, and the two paired for scoring: their shapes, how each edition
of the organisers' program reads them, and at what it stops.

The shapes of an exact answer are those of datasets/bioasq/exact_answers.py. A text answers yes/no questions; to others
the program reads nothing in it. A flat list has the synonyms of a factoid (golden files of edition 2), or one answer
each (a submission), and stops the program after edition 2, as every other value does. A nested list has entries of
synonyms, or answers. Source: BioASQ/Evaluation-Measures 8c8e689; what it does with each shape is in design/bioasq.md.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
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


@dataclass(frozen=True, slots=True)
class Reading:
    """How an edition of the program reads.

    flat: whether it reads flat lists. first_only: whether of a group of a submission the first text counts alone.
    seen_flat: by type, whether the measures see flat lists alone; False: nested ones alone. leaves_out: whether a
    question without answer or gold answer is left out.
    """

    number: int
    flat: bool = False
    first_only: bool = True
    seen_flat: dict[str, bool] = field(default_factory=dict[str, bool])
    leaves_out: bool = False


def paired(edition: Reading, asked: GoldAnswer, given: SystemAnswer | None) -> Pair | None:
    """The question that the edition scores, None where it leaves it out; given None: the submission lacks it."""
    value = _gold_value(edition, asked)
    gold = read(value, asked.id, edition.number, flat=edition.flat, first_only=False)
    if given is None:
        if edition.leaves_out:
            return None
        remedy = "answer it, or take --protocol thesis or organisers-9"
        raise OrganisersProgramError("the submission lacks it", asked.id, edition.number, remedy)
    answer = read(
        _given_value(edition, asked.type, given),
        asked.id,
        edition.number,
        flat=edition.flat,
        first_only=edition.first_only,
    )
    if edition.leaves_out and (gold is None or (gold.text is None and not gold.groups)):
        return None
    if asked.type == YESNO:
        return _yes_or_no(edition, asked, gold, answer)
    if gold is None and answer is not None:
        raise OrganisersProgramError(
            "it has no gold answer, and the submission answers it", asked.id, edition.number
        )
    return Pair(_seen(edition, asked.type, gold), _seen(edition, asked.type, answer))


def _yes_or_no(edition: Reading, asked: GoldAnswer, gold: Shape | None, answer: Shape | None) -> Pair:
    if gold is None or gold.text is None:
        raise OrganisersProgramError("a yes/no question has no gold answer", asked.id, edition.number)
    if answer is not None and answer.text is None:
        raise OrganisersProgramError("the answer to a yes/no question is a list", asked.id, edition.number)
    return Pair(((gold.text,),), () if answer is None or answer.text is None else ((answer.text,),))


def _seen(edition: Reading, type: str, shape: Shape | None) -> Groups:
    """What the measures of a type see of a list."""
    if shape is None or shape.groups is None:
        return ()
    return shape.groups if edition.seen_flat.get(type, shape.flat) == shape.flat else ()


def _gold_value(edition: Reading, asked: GoldAnswer) -> Any:
    if asked.value is not UNKNOWN:
        return asked.value
    if asked.entries is None:
        return ABSENT
    if asked.type == YESNO:
        return asked.entries[0][0] if asked.entries else ABSENT
    if edition.seen_flat.get(asked.type):
        return [synonym for entry in asked.entries for synonym in entry]
    return [[*entry] for entry in asked.entries]


def _given_value(edition: Reading, type: str, given: SystemAnswer) -> Any:
    if given.value is not UNKNOWN:
        return given.value
    if not given.texts:
        return ABSENT
    if type == YESNO:
        return given.texts[0]
    return [*given.texts] if edition.seen_flat.get(type) else [[text] for text in given.texts]
