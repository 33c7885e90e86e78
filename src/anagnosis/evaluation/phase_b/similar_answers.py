"""Answers that are right by similarity alone: right under `fuzzy-90`, wrong under `thesis` (the thesis, Table 4.4).

Two answers are one if they are equal in lower case and right for the same synonym of a question. Of an entry the
synonym counts that is most similar to the answer; of several the first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from anagnosis.datasets.gold import Gold
from anagnosis.datasets.kinds.question import EXACT_TYPES
from anagnosis.evaluation.phase_b.rules import EQUAL, RULES, SIMILAR, pairs
from anagnosis.language.fuzzy import USUAL, similarity_named
from anagnosis.predictions import Matched


@dataclass(frozen=True, slots=True)
class SimilarAnswer:
    """An answer and the gold synonym that it is similar to.

    similarity: by WRatio, 90 to 100. systems: names of those that gave the answer.
    """

    question: str
    prediction: str
    gold: str
    similarity: int
    systems: tuple[str, ...]


def similar_answers(
    gold: Gold, runs: Iterable[tuple[str, Matched]], questions: Mapping[str, str]
) -> tuple[SimilarAnswer, ...]:
    """The similar answers of all runs, each answer once, by question. runs: (system, run). questions: id → text."""
    first: dict[tuple[int, str, str], SimilarAnswer] = {}
    for system, run in runs:
        for row, text, similarity, synonym in _right_by_similarity(gold, run):
            key, ident = (row, text.lower(), synonym), gold.ids.between(row, row + 1)[0]
            new = SimilarAnswer(questions.get(ident, ""), text, synonym, similarity, ())
            answer = first.get(key, new)
            first[key] = replace(answer, systems=tuple(dict.fromkeys((*answer.systems, system))))
    return tuple(first[key] for key in sorted(first))


def _right_by_similarity(gold: Gold, run: Matched) -> Iterator[tuple[int, str, int, str]]:
    """(row, answer, similarity, the most similar synonym) of a run's answers to factoid and list questions, by rank."""
    similarity, scored = similarity_named(USUAL), pairs(gold, run, SIMILAR)
    asked = sorted((row, type, pair) for type in EXACT_TYPES for row, pair in scored[type])
    for row, type, pair in asked:
        fuzzy, equal = RULES[SIMILAR].accepted(pair, type), RULES[EQUAL].accepted(pair, type)
        for text, similar_to, equal_to in zip(pair.answers, fuzzy, equal, strict=False):
            if text is not None and similar_to is not None and equal_to is None:
                every = [(similarity(text.lower(), each.lower()), each) for each in pair.entries[similar_to]]
                yield row, text, *max(every, key=lambda one: one[0])
