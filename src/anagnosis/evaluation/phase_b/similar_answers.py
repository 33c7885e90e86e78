"""The answers that are right by similarity alone: right under `fuzzy-90`, wrong under `thesis` (the thesis, Table 4.4).

Two answers are one if they are equal in lower case and right for the same synonym of a question. Of an entry the
synonym counts that is most similar to the answer; of several the first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from hashlib import sha256

from anagnosis.datasets.gold import Gold
from anagnosis.datasets.kinds.question import EXACT_TYPES
from anagnosis.evaluation.phase_b.answer_classes import answer_class
from anagnosis.evaluation.phase_b.columns import pairs
from anagnosis.evaluation.phase_b.rules import EQUAL, RULES, SIMILAR, USUAL_SIMILARITY
from anagnosis.language.fuzzy import similarity_named
from anagnosis.predictions import Matched

_DIGITS = 10  # of an id, hexadecimal


@dataclass(frozen=True, slots=True)
class SimilarAnswer:
    """An answer and the gold synonym that it is similar to.

    id: the question's, a colon, and a hash of both texts. similarity: by WRatio, 90 to 100. class_by_rule: one of
    `answer_classes.CLASSES`. systems: names of those that gave the answer.
    """

    id: str
    question: str
    prediction: str
    gold: str
    similarity: int
    class_by_rule: str
    systems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RightBySimilarity:
    """An answer of a run. row: of its question in the split. rank: its place among the run's answers, from 1.

    others: the further gold entries of the question.
    """

    row: int
    rank: int
    prediction: str
    gold: str
    similarity: int
    others: tuple[tuple[str, ...], ...]


def right_by_similarity(gold: Gold, run: Matched) -> Iterator[RightBySimilarity]:
    """The run's answers to factoid and list questions that are right by similarity alone, by question and rank."""
    fuzzy, equal = RULES[SIMILAR], RULES[EQUAL]
    scored = pairs(gold, run, SIMILAR)
    asked = sorted((row, type, pair) for type in EXACT_TYPES for row, pair in scored[type])
    for row, type, pair in asked:
        both = zip(fuzzy.accepted(pair, type), equal.accepted(pair, type), strict=True)
        for rank, (similar_to, equal_to) in enumerate(both, 1):
            text = pair.answers[rank - 1][0]
            if similar_to is not None and equal_to is None and text is not None:
                similarity, synonym = _most_similar(text, pair.entries[similar_to])
                others = tuple(tuple(own) for own in pair.entries if own is not pair.entries[similar_to])
                yield RightBySimilarity(row, rank, text, synonym, similarity, others)


def similar_answers(
    gold: Gold, runs: Iterable[tuple[str, Matched]], questions: Mapping[str, str]
) -> tuple[SimilarAnswer, ...]:
    """Those of all runs, each answer once, by question. runs: (system, run). questions: id → text."""
    first: dict[tuple[int, str, str], SimilarAnswer] = {}
    for system, run in runs:
        for each in right_by_similarity(gold, run):
            key = (each.row, each.prediction.lower(), each.gold)
            answer = first.get(key) or _described(gold, each, questions)
            first[key] = replace(answer, systems=tuple(dict.fromkeys((*answer.systems, system))))
    return tuple(first[key] for key in sorted(first))


def _described(gold: Gold, each: RightBySimilarity, questions: Mapping[str, str]) -> SimilarAnswer:
    ident = gold.ids.between(each.row, each.row + 1)[0]
    texts = f"{each.prediction.lower()}\0{each.gold}".encode("utf-8", "surrogatepass")
    question = questions.get(ident, "")
    return SimilarAnswer(
        f"{ident}:{sha256(texts).hexdigest()[:_DIGITS]}",
        question,
        each.prediction,
        each.gold,
        each.similarity,
        answer_class(question, each.prediction, each.gold, each.others),
        (),
    )


def _most_similar(text: str, synonyms: Iterable[str]) -> tuple[int, str]:
    similarity = similarity_named(USUAL_SIMILARITY)
    return max(
        ((similarity(text.lower(), each.lower()), each) for each in synonyms), key=lambda pair: pair[0]
    )
