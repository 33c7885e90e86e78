"""Measures of sentences by their scores: AUC and the best sentence.

AUC is the chance that a sentence that holds an answer scores above one that does not (Mann and Whitney 1947). A
sentence without a score ranks below all that have one.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from anagnosis.array_types import Bools, Floats
from anagnosis.datasets.gold import Gold
from anagnosis.errors import InputError
from anagnosis.evaluation.measures.measure import Measure
from anagnosis.predictions import Matched

_BELOW_ALL = -np.inf


def auc(scores: Floats, held: Bools) -> float | None:
    """The chance that one that is held scores above one that is not, ties at half; None where a kind is missing.

    scores: float64 [n]. held: bool [n].
    """
    ours, theirs = np.sort(scores[held]), np.sort(scores[~held])
    if not len(ours) or not len(theirs):
        return None
    below = np.searchsorted(theirs, ours, "left")
    not_above = np.searchsorted(theirs, ours, "right")
    # Whole numbers, so that the order of the sentences changes no digit.
    return int((below + not_above).sum()) / (2 * len(ours) * len(theirs))


def _auc_values(gold: Gold, run: Matched, protocol: str) -> list[tuple[int, float]]:
    """(row, AUC) of each instance with both kinds of sentences."""
    found = enumerate(auc(*own) for own in _by_instance(gold, run.scores))
    return [(row, own) for row, own in found if own is not None]


AUC = Measure(
    name="auc",
    title="AUC",
    what="The chance that a sentence that holds the answer scores above another one of its instance.",
    kinds=("evidence",),
    values=_auc_values,
    unit="number",
    source="Mann and Whitney 1947",
)


def _best_sentence_values(gold: Gold, run: Matched, protocol: str) -> list[tuple[int, float]]:
    """(row, 1 where the first of the best sentences holds the answer, else 0) of each instance of which some does."""
    return [
        (row, float(scores.max() > _BELOW_ALL and held[scores.argmax()]))
        for row, (scores, held) in enumerate(_by_instance(gold, run.scores))
        if held.any()
    ]


BEST_SENTENCE = Measure(
    name="best_sentence",
    title="best sentence",
    what="Whether the sentence with the highest score holds the answer.",
    kinds=("evidence",),
    values=_best_sentence_values,
    unit="percent",
    source="our own; precision at 1",
)


def _scores_of(gold: Gold, given: Floats | None) -> Floats:
    """float64 [sentences]: what a system gave, what it did not as -inf."""
    if given is None:
        return np.full(len(_held_of(gold)), _BELOW_ALL)
    return np.where(np.isnan(given), _BELOW_ALL, given)


def _held_of(gold: Gold) -> Bools:
    """bool [sentences]: whether each holds the answer.

    InputError: where instances are no sentences, or nobody has said of some, which are no negatives.
    """
    if gold.holds_answer is None:
        raise InputError("its instances are no sentences", gold.dataset, "choose another dataset")
    if gold.unjudged is not None and gold.unjudged.any():
        sizes = np.diff(gold.starts)
        instances = np.unique(np.repeat(np.arange(len(gold)), sizes)[gold.unjudged])
        first = gold.ids.between(int(instances[0]), int(instances[0]) + 1)[0]
        raise InputError(
            f"of {gold.unjudged.sum():,} sentences of {len(instances):,} instances nobody has said "
            "whether they hold the answer",
            f"{gold.dataset} {gold.split}, first {first}",
            "score a split of which all is said",
        )
    return gold.holds_answer


def _by_instance(gold: Gold, given: Floats | None) -> Iterator[tuple[Floats, Bools]]:
    """The scores of each instance's sentences, and which of them hold the answer."""
    scores, held = _scores_of(gold, given), _held_of(gold)
    for start, stop in zip(gold.starts, gold.starts[1:], strict=False):
        yield scores[start:stop], held[start:stop]
