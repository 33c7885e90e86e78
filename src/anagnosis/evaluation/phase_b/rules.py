"""The protocols of exact answers: how answers are read, compared and counted under each.

    thesis         equal texts; the first five answers to a factoid question, the first ten to a list (section 4.1)
    organisers-E   edition E of the organisers' program (2, 3, 5, 8, 9): no cut, its own reading of shapes
    fuzzy-90       as thesis, with a similarity of at least 90 in place of equality, by WRatio (section 4.6)
    fuzzy-90-F     by another function F of `language/fuzzy.py`
    same-name      as thesis, with the same name in place of equality

A question that no answer is given to counts 0, but for edition 9, which leaves it out; editions 2, 3, 5 and 8 stop at a
question that the submission does not hold, or that has no gold answer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from anagnosis.datasets.bioasq.exact_answers import Groups, Shape
from anagnosis.datasets.kinds.question import FACTOID, LIST, YESNO
from anagnosis.errors import unknown_name
from anagnosis.evaluation.phase_b import scores
from anagnosis.evaluation.phase_b.equality import Same, equal, same_name, similar_by
from anagnosis.evaluation.phase_b.scores import Answers, Entries, FactoidScore, ListScore
from anagnosis.evaluation.phase_b.shapes import (
    ABSENT,
    UNKNOWN,
    OrganisersProgramError,
    read,
    read_leniently,
)
from anagnosis.language.fuzzy import SIMILARITIES

FIRST_FACTOID = 5
FIRST_LIST = 10
SCORED = (YESNO, FACTOID, LIST)  # types that have an exact answer
_USUAL = "WRatio"
WRONG, LEFT_OUT, STOPS = (
    "wrong",
    "left out",
    "stops",
)  # what becomes of a question without answer or gold answer


@dataclass(frozen=True, slots=True)
class Asked:
    """A question's gold answer. entries: each its synonyms, None where there is none.

    value: as the golden file has it; where it is UNKNOWN, each edition is given the shape that it reads.
    """

    id: str
    type: str
    entries: Groups | None
    value: Any = UNKNOWN


@dataclass(frozen=True, slots=True)
class Given:
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


@dataclass(frozen=True, slots=True)
class ExactRules:
    """One protocol. pair: the question that is scored, None where it is left out; given None: it is not answered.

    first: of a type, how many answers count; all where it is not named. strict_entries: see `scores.factoid`. missing,
    withheld: what becomes of a question that the system lacks, or that has no gold answer. settings: what a signature
    adds to the protocol's name.
    """

    what: str
    pair: Callable[[Asked, Given | None], Pair | None]
    same: Same = equal
    first: dict[str, int] = field(default_factory=dict[str, int])
    recall: scores.Recall = scores.over_entries
    strict_entries: int | None = None
    missing: str = WRONG
    withheld: str = LEFT_OUT
    settings: tuple[tuple[str, str], ...] = ()

    def factoid(self, pair: Pair) -> FactoidScore:
        """The scores of a factoid question."""
        answers = pair.answers[: self.first.get(FACTOID)]
        return scores.factoid(pair.entries, answers, self.same, strict_entries=self.strict_entries)

    def listed(self, pair: Pair) -> ListScore:
        """The scores of a list question."""
        return scores.listed(pair.entries, pair.answers[: self.first.get(LIST)], self.same, self.recall)


@dataclass(frozen=True, slots=True)
class Edition:
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


def pair_of(entries: Entries, texts: Sequence[str]) -> Pair:
    """A question with answers that are one text each, best first."""
    return Pair(entries, tuple((text,) for text in texts))


def _thesis(asked: Asked, given: Given | None) -> Pair | None:
    if asked.entries is None:
        return None
    if given is None:
        return Pair(asked.entries, ())
    if given.value is UNKNOWN:
        return pair_of(asked.entries, given.texts)
    return Pair(asked.entries, read_leniently(given.value))


def _by_program(edition: Edition, asked: Asked, given: Given | None) -> Pair | None:
    value = _gold_value(edition, asked)
    gold = read(value, asked.id, edition.number, flat=edition.flat, first_only=False)
    if given is None:
        if edition.leaves_out:
            return None
        raise OrganisersProgramError("the submission lacks it", asked.id, edition.number)
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


def _yes_or_no(edition: Edition, asked: Asked, gold: Shape | None, answer: Shape | None) -> Pair:
    if gold is None or gold.text is None:
        raise OrganisersProgramError("a yes/no question has no gold answer", asked.id, edition.number)
    if answer is not None and answer.text is None:
        raise OrganisersProgramError("the answer to a yes/no question is a list", asked.id, edition.number)
    return Pair(((gold.text,),), () if answer is None or answer.text is None else ((answer.text,),))


def _seen(edition: Edition, type: str, shape: Shape | None) -> Groups:
    """What the measures of a type see of a list."""
    if shape is None or shape.groups is None:
        return ()
    return shape.groups if edition.seen_flat.get(type, shape.flat) == shape.flat else ()


def _gold_value(edition: Edition, asked: Asked) -> Any:
    if asked.value is not UNKNOWN:
        return asked.value
    if asked.entries is None:
        return ABSENT
    if asked.type == YESNO:
        return asked.entries[0][0]
    if edition.seen_flat.get(asked.type):
        return [synonym for entry in asked.entries for synonym in entry]
    return [[*entry] for entry in asked.entries]


def _given_value(edition: Edition, type: str, given: Given) -> Any:
    if given.value is not UNKNOWN:
        return given.value
    if not given.texts:
        return ABSENT
    if type == YESNO:
        return given.texts[0]
    return [*given.texts] if edition.seen_flat.get(type) else [[text] for text in given.texts]


def _thesis_rules(what: str, same: Same = equal, settings: tuple[tuple[str, str], ...] = ()) -> ExactRules:
    first = {FACTOID: FIRST_FACTOID, LIST: FIRST_LIST}
    return ExactRules(what, _thesis, same, first, settings=settings)


def _program(edition: Edition) -> ExactRules:
    ends = LEFT_OUT if edition.leaves_out else STOPS
    return ExactRules(
        f"Edition {edition.number} of the organisers' program.",
        partial(_by_program, edition),
        recall=scores.over_missed,
        missing=ends,
        withheld=ends,
    )


def _fuzzy(function: str) -> ExactRules:
    what = f"As thesis, but a similarity of at least 90 by {function} is enough."
    return _thesis_rules(what, similar_by(function), (("similarity", function),))


RULES: dict[str, ExactRules] = {
    "thesis": _thesis_rules("The thesis's measures: equal texts, the first five or ten answers."),
    "organisers-2": replace(
        _program(Edition(2, flat=True, first_only=False, seen_flat={FACTOID: True, LIST: False})),
        strict_entries=1,
    ),
    "organisers-3": _program(Edition(3, first_only=False)),
    "organisers-5": _program(Edition(5)),
    "organisers-8": _program(Edition(8)),
    "organisers-9": _program(Edition(9, leaves_out=True)),
    "fuzzy-90": _fuzzy(_USUAL),
    "same-name": _thesis_rules("As thesis, but the same name is enough.", same_name),
    **{f"fuzzy-90-{name}": _fuzzy(name) for name in SIMILARITIES if name != _USUAL},
}


def rules_of(protocol: str) -> ExactRules:
    """The rules of that protocol. InputError: there are none."""
    if protocol not in RULES:
        raise unknown_name("protocol of exact answers", protocol, tuple(RULES), "--protocol")
    return RULES[protocol]
