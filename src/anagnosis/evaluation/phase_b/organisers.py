"""How the organisers' program reads a golden file and a submission, edition by edition, and at what it stops."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from anagnosis.datasets.bioasq.exact_answers import Groups, Shape
from anagnosis.datasets.kinds.question import YESNO
from anagnosis.evaluation.phase_b.questions import (
    ABSENT,
    UNKNOWN,
    GoldAnswer,
    OrganisersProgramError,
    Pair,
    SystemAnswer,
    read,
)


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
