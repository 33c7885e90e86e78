"""Measures counted by hand: plain loops over instances and lines, from their definitions.

A function here has the name of its measure. Those that a published program computes are held to its figures instead.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from tests.evaluation.measures.contract import Asked, ByHand, Line, Pairs


def count_of(name: str) -> ByHand | None:
    """How a measure of ours is counted by hand."""
    return globals().get(name)


def accuracy(pairs: Pairs, protocol: str) -> float:
    """BIOMRC, section 3.2: an equal share for each of the best candidates; else whether the answer is the right one."""

    def credit(asked: Asked, line: Line | None) -> float:
        if line is None:
            return 0.0
        if protocol == "expected" and line.scores is not None:
            best = [n for n, each in enumerate(line.scores) if each == max(line.scores)]
            return 1 / len(best) if asked.right in best else 0.0
        return float(line.answer == asked.keys[asked.right or 0])

    return sum(credit(*each) for each in pairs) / len(pairs)


def macro_f1(pairs: Pairs, protocol: str) -> float:
    """PubMedQA, section 4: the mean of the labels' F1, of every label that its program meets."""
    right = [asked.keys[asked.right or 0] for asked, _ in pairs]
    answers = [line.answer if line is not None else None for _, line in pairs]
    met = {one for one in (*right, *answers) if isinstance(one, str)}
    labels = met if protocol == "official" else met & set(pairs[0][0].keys)
    total = 0.0
    for label in labels:
        both = sum(one == other == label for one, other in zip(right, answers, strict=True))
        if both:
            precision, recall = both / answers.count(label), both / right.count(str(label))
            total += 2 * precision * recall / (precision + recall)
    return total / len(labels)


def _scores(asked: Asked, line: Line | None) -> Sequence[float] | None:
    """Of the three sentences; of a line that only answers, 1 for the answer, above the others. None: there are none."""
    if line is None or line.scores is not None:
        return None if line is None else line.scores
    return (
        [1.0 if key == line.answer else -math.inf for key in asked.keys]
        if line.answer in asked.keys
        else None
    )


def auc(pairs: Pairs, protocol: str) -> float:
    """Mann and Whitney 1947: the share of the pairs of sentences that are won, a tie counting half."""

    def won(right: int, scores: Sequence[float]) -> float:
        others = [score for n, score in enumerate(scores) if n != right]
        return sum((scores[right] > one) + (scores[right] == one) / 2 for one in others) / len(others)

    given = [
        won(asked.right, _scores(asked, line) or [0.0] * 3)
        for asked, line in pairs
        if asked.right is not None
    ]
    return sum(given) / len(given)


def pooled_auc(pairs: Pairs, protocol: str) -> float:
    """The same over the sentences of all instances, those without one that holds the answer too."""
    every = [
        (score, n == asked.right)
        for asked, line in pairs
        for n, score in enumerate(_scores(asked, line) or [-math.inf] * 3)
    ]
    held, others = ([score for score, holds in every if holds == wanted] for wanted in (True, False))
    won = sum((one > other) + (one == other) / 2 for one in held for other in others)
    return won / (len(held) * len(others))


def best_sentence(pairs: Pairs, protocol: str) -> float:
    """The first sentence with the highest score."""
    asked_of = [(asked.right, _scores(asked, line)) for asked, line in pairs if asked.right is not None]
    scored = [(right, scores) for right, scores in asked_of if scores]
    return sum([*scores].index(max(scores)) == right for right, scores in scored) / len(asked_of)
