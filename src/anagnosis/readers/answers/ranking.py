"""Answers to a question: where they occur in its snippets, and the list, ranked, grouped and cut (the thesis, 4.2.1).

    rank     by falling score; equal scores, and answers without scores, keep their order
    group    from the best answer on, drop each answer that is over 90 similar to one that is kept
    cut      the first five answers to a factoid question, the first ten to a list question

An answer occurs as whole words, in any case, whatever white space lies between the words.

The thesis takes a similarity of fuzzywuzzy and does not name the function; ours is WRatio (language/fuzzy.py).
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence

from anagnosis.language.fuzzy import at_least
from anagnosis.language.question_kinds import FACTOID, LIST
from anagnosis.predictions import Answer

MOST = {
    FACTOID: 5,
    LIST: 10,
}  # answers to a question of that type (the thesis, 4.1 and 4.2.1; BioASQ's submissions)
LEVEL = 91  # of a similarity in whole numbers: "over 90"


def ranked(answers: Sequence[Answer], type: str, *, group: bool) -> list[Answer]:
    """The best answers first, at most MOST of the question's type; none for another type.

    group: whether to keep one of similar answers.
    """
    kept: list[Answer] = []
    for answer in by_score(answers):
        if len(kept) == MOST.get(type, 0):
            break
        if not (group and any(at_least(answer.text, better.text, LEVEL) for better in kept)):
            kept.append(answer)
    return kept


def by_score(answers: Sequence[Answer]) -> list[Answer]:
    """By falling score; answers without one last."""
    return sorted(answers, key=lambda answer: math.inf if answer.score is None else -answer.score)


_WORD = re.compile(r"\w")


def occurrences(text: str, synonyms: Iterable[str]) -> list[tuple[int, int]]:
    """(begin, end) of each occurrence, in code points, end exclusive; ascending, without duplicates.

    A synonym that begins or ends with a letter, digit or underscore does not occur inside a longer word. Occurrences of
    different synonyms may overlap; those of one synonym do not.
    """
    places: set[tuple[int, int]] = set()
    for synonym in dict.fromkeys(" ".join(each.split()) for each in synonyms):
        if synonym:
            places.update(match.span() for match in _pattern(synonym).finditer(text))
    return sorted(places)


def placed(text: str, score: float | None, snippets: Sequence[str], place: int) -> Answer:
    """An answer from the snippet at that place, and where it occurs there first."""
    spans = occurrences(snippets[place], [text])
    return Answer(text, score, place, *spans[0]) if spans else Answer(text, score, place)


def _pattern(synonym: str) -> re.Pattern[str]:
    words = r"\s+".join(map(re.escape, synonym.split(" ")))
    before = r"(?<!\w)" if _WORD.match(synonym[0]) else ""
    after = r"(?!\w)" if _WORD.match(synonym[-1]) else ""
    return re.compile(f"{before}{words}{after}", re.IGNORECASE)
