"""Each measure counted by hand: plain loops over instances and lines, from its definition.

A function here has the name of its measure. Another package gives its own as an entry point of the group
`anagnosis.measures.by_hand`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from anagnosis.errors import InputError
from anagnosis.evaluation.measures import GROUP, MEASURES
from anagnosis.evaluation.measures.contract import SYNONYM, Asked, ByHand, Line, Pairs
from anagnosis.registry import find

COUNTS = {name: f"{__name__}:{name}" for name in MEASURES}


def count_of(name: str) -> ByHand | None:
    """How a measure is counted by hand; None where another package does not say."""
    try:
        return find(COUNTS, f"{GROUP}.by_hand", name, "count by hand")
    except InputError:
        return None


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
    """PubMedQA, section 4: the mean of the labels' F1; its program takes every label that it meets."""
    right = [asked.keys[asked.right or 0] for asked, _ in pairs]
    answers = [line.answer if line is not None else None for _, line in pairs]
    met = {one for one in (*right, *answers) if isinstance(one, str)}
    labels = met if protocol == "official" else set(pairs[0][0].keys)
    total = 0.0
    for label in labels:
        both = sum(one == other == label for one, other in zip(right, answers, strict=True))
        if both:
            precision, recall = both / answers.count(label), both / right.count(str(label))
            total += 2 * precision * recall / (precision + recall)
    return total / len(labels)


def auc(pairs: Pairs, protocol: str) -> float:
    """Mann and Whitney 1947: the share of the pairs of sentences that are won, a tie counting half."""

    def won(right: int, scores: Sequence[float]) -> float:
        others = [score for n, score in enumerate(scores) if n != right]
        return sum((scores[right] > one) + (scores[right] == one) / 2 for one in others) / len(others)

    given = [
        won(asked.right, line.scores if line and line.scores else [0.0] * 3)
        for asked, line in pairs
        if asked.right is not None
    ]
    return sum(given) / len(given)


def pooled_auc(pairs: Pairs, protocol: str) -> float:
    """The same over the sentences of all instances, those without one that holds the answer too."""
    every = [
        (score, n == asked.right)
        for asked, line in pairs
        for n, score in enumerate(line.scores if line and line.scores else [-math.inf] * 3)
    ]
    held, others = ([score for score, holds in every if holds == wanted] for wanted in (True, False))
    won = sum((one > other) + (one == other) / 2 for one in held for other in others)
    return won / (len(held) * len(others))


def best_sentence(pairs: Pairs, protocol: str) -> float:
    """The first sentence with the highest score."""
    asked_of = [(asked.right, line) for asked, line in pairs if asked.right is not None]
    scored = [(right, line.scores) for right, line in asked_of if line and line.scores]
    return sum(scores.index(max(scores)) == right for right, scores in scored) / len(asked_of)


def of_type(type: str, count: Callable[[Pairs], float]) -> ByHand:
    """The count over the questions of one type."""
    return lambda pairs, protocol: count([each for each in pairs if each[0].type == type])


def hits(asked: Asked, line: Line | None) -> list[bool]:
    """Whether each answer of a line is the right key or its synonym."""
    given = line.answer if line is not None and line.answer is not None else []
    right = (asked.keys[asked.right or 0].lower(), SYNONYM)
    return [one.lower() in right for one in (given if isinstance(given, list) else [given])]


def first_right(most: int) -> Callable[[Pairs], float]:
    """The share of questions with a right answer among so many."""
    return lambda pairs: sum(any(hits(*each)[:most]) for each in pairs) / len(pairs)


def mrr(pairs: Pairs) -> float:
    """Tsatsaronis et al. 2015."""
    ranks = [[*hits(*each)[:5], True].index(True) + 1 for each in pairs]
    return sum(1 / rank for rank, each in zip(ranks, pairs, strict=True) if any(hits(*each)[:5])) / len(pairs)


def over_lists(value: Callable[[int, int], float]) -> Callable[[Pairs], float]:
    """The mean over lists of a value of (1 if the one entry is named, answers); the entry counts once."""

    def mean(pairs: Pairs) -> float:
        given = [hits(*each)[:10] for each in pairs]
        return sum(value(int(any(one)), len(one)) if one else 0.0 for one in given) / len(pairs)

    return mean


def yes_no(asked: Asked, line: Line | None) -> tuple[str, str]:
    """The right label and that of the first answer."""
    given = line.answer if line is not None else None
    text = (given[0] if isinstance(given, list) else given or "").lower()
    return asked.keys[asked.right or 0].lower(), next((label for label in ("yes", "no") if label in text), "")


def agreement(pairs: Pairs) -> float:
    return sum(right == answer for right, answer in (yes_no(*each) for each in pairs)) / len(pairs)


def f1_of_both(pairs: Pairs) -> float:
    """BioASQ/Evaluation-Measures: every wrong answer counts against both labels."""
    answers = [yes_no(*each) for each in pairs]
    wrong = sum(right != answer for right, answer in answers)
    both = [answers.count((label, label)) for label in ("yes", "no")]
    return sum(2 * right / (2 * right + wrong) if right else 0.0 for right in both) / 2


factoid_strict = of_type("factoid", first_right(1))
factoid_lenient = of_type("factoid", first_right(5))
factoid_mrr = of_type("factoid", mrr)
list_precision = of_type("list", over_lists(lambda right, answers: right / answers))
list_recall = of_type("list", over_lists(lambda right, answers: right))
list_f1 = of_type("list", over_lists(lambda right, answers: 2 * right / (1 + answers)))
yesno_accuracy = of_type("yesno", agreement)
yesno_macro_f1 = of_type("yesno", f1_of_both)
