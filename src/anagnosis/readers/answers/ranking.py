"""Rank the answers to a question, group similar ones, and cut the list (the thesis, section 4.2.1).

    rank     by falling score; equal scores, and answers without scores, keep their order
    group    from the best answer on, drop each answer that is over 90 similar to one that is kept
    cut      the first five answers to a factoid question, the first ten to a list question

The thesis takes a similarity of fuzzywuzzy and does not name the function; ours is WRatio by default
(language/fuzzy.py).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial

from anagnosis.language.fuzzy import at_least, similarity_named
from anagnosis.language.question_kinds import FACTOID, LIST
from anagnosis.predictions import Answer

MOST = {
    FACTOID: 5,
    LIST: 10,
}  # answers to a question of that type (the thesis, 4.1 and 4.2.1; BioASQ's submissions)
LEVEL = 91  # of a similarity in whole numbers: "over 90"
WRATIO = "WRatio"

Similar = Callable[[str, str], bool]


def similar_by(function: str = WRATIO) -> Similar:
    """Whether two texts are over 90 similar by that function of `fuzzy.SIMILARITIES`. InputError: there is none."""
    similarity_named(function)
    return partial(at_least, level=LEVEL, function=function)


def ranked(
    answers: Sequence[Answer], type: str, *, group: bool, similar: Similar | None = None
) -> list[Answer]:
    """The best answers first, at most MOST of the question's type; none for another type.

    group: whether to keep one of similar answers. similar: by default over 90 by WRatio.
    """
    ordered, most = by_score(answers), MOST.get(type, 0)
    return grouped(ordered, similar or similar_by(), most) if group else ordered[:most]


def by_score(answers: Sequence[Answer]) -> list[Answer]:
    """By falling score; answers without one last."""
    return sorted(answers, key=lambda answer: math.inf if answer.score is None else -answer.score)


def grouped(answers: Sequence[Answer], similar: Similar, most: int) -> list[Answer]:
    """At most `most` answers in their order, without those that are similar to a kept one."""
    kept: list[Answer] = []
    for answer in answers:
        if len(kept) == most:
            break
        if not any(similar(answer.text, better.text) for better in kept):
            kept.append(answer)
    return kept
