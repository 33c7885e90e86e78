"""A question's gold answer, what a system gives for it, and the two paired for scoring."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from anagnosis.datasets.bioasq.exact_answers import Groups
from anagnosis.datasets.kinds.question import FACTOID, LIST, YESNO
from anagnosis.evaluation.phase_b.scores import Answers, Entries
from anagnosis.evaluation.phase_b.shapes import UNKNOWN

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


def pair_of(entries: Entries, texts: Sequence[str]) -> Pair:
    """A question with answers that are one text each, best first."""
    return Pair(entries, tuple((text,) for text in texts))
