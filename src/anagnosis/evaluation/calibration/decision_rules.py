"""From probabilities of labels to a decision: the most probable one, or one that macro-F1 gains by.

A rule adds a number to the log-probability of each label and takes the highest. *plain* adds nothing. *never-maybe*
never takes one label. *macro-f1* is chosen on questions that the model was not trained on: of all offsets on a grid,
those with the highest

    expected macro-F1 + PRICE · expected accuracy

both under the model's own probabilities there, which should be calibrated first: a label that has the probability p
counts as p of a right answer. So no offset is fitted to 50 labels; the labels only set the temperature. Offsets that
maximised the same on the labels themselves gained nothing on other questions (`design/pubmedqa.md`, which has the
measurements behind PRICE too). Why offsets: the decision that maximises F1 takes a label above a threshold that is
half of the F1 reached (Lipton et al. 2014), so a rare label wants a low one. Ties go to the offsets nearest to none.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np

from anagnosis.array_types import Floats, Longs
from anagnosis.errors import InputError, unknown_name

PLAIN, MACRO_F1, NEVER_MAYBE = "plain", "macro-f1", "never-maybe"
RULES = (PLAIN, MACRO_F1, NEVER_MAYBE)
MAYBE = "maybe"
PRICE = 2.0  # points of macro-F1 that a point of accuracy is worth
STEP, REACH = 0.1, 3.0  # of the grid; exp(3) = 20 times as probable
_FLAT = 1e-9


def offsets(rule: str, labels: Sequence[str], log_probabilities: Floats) -> Floats:
    """float64 [k]: what a rule adds to the log-probabilities of k labels, -inf for one that is never taken.

    log_probabilities: float64 [n, k], normalised, of questions that the model was not trained on; only macro-f1 reads
    them.
    """
    if rule not in RULES:
        raise unknown_name("rule", rule, RULES)
    found = np.zeros(len(labels))
    if rule == NEVER_MAYBE:
        if MAYBE not in labels:
            raise InputError(f"there is no label {MAYBE}", f"rule {rule}", "choose another rule")
        found[list(labels).index(MAYBE)] = -np.inf
    return _best(log_probabilities) if rule == MACRO_F1 else found


def decided(log_probabilities: Floats, offsets: Floats) -> Longs:
    """int64 [n]: the label of each question, the first of those that tie."""
    return (log_probabilities + offsets).argmax(1)


def worth(truth: Floats, answers: Longs) -> tuple[float, float]:
    """(macro-F1, accuracy) of answers int64 [n] where the labels of n questions have the probabilities float64 [n, k].

    Of known labels, rows of 1 and 0, both are what they always are; else F1 is that of expectations,
    2·E[right] / (E[true] + answered).
    """
    said = answers[:, None] == np.arange(truth.shape[1])
    right = np.where(said, truth, 0).sum(0)
    total = truth.sum(0) + said.sum(0)
    f1 = np.divide(2 * right, total, out=np.zeros_like(total), where=total > 0)
    return float(f1.mean()), float(right.sum()) / len(answers)


def _best(log_probabilities: Floats) -> Floats:
    """Over all offsets of all labels but the first, whose offset is 0."""
    k = log_probabilities.shape[1]
    steps = np.arange(-round(REACH / STEP), round(REACH / STEP) + 1) * STEP
    if len(steps) ** (k - 1) > 10_000:
        raise ValueError(f"a grid over {k} labels is too large")
    best, found = -np.inf, np.zeros(k)
    grid = sorted(product(steps.tolist(), repeat=k - 1), key=lambda own: (sum(map(abs, own)), own))
    seen: set[bytes] = set()
    probabilities = np.exp(log_probabilities)
    for own in grid:  # those nearest to none first
        tried = np.array([0.0, *own])
        answers = decided(log_probabilities, tried)
        if (pattern := answers.astype(np.int8).tobytes()) in seen:
            continue
        seen.add(pattern)
        macro_f1, accuracy = worth(probabilities, answers)
        if macro_f1 + PRICE * accuracy > best + _FLAT:
            best, found = macro_f1 + PRICE * accuracy, tried
    return found
