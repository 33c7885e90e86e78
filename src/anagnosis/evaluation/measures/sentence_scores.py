"""Scores of sentences as the measures of sentences take them: what has no score ranks below all that have one."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from anagnosis.array_types import Bools, Floats
from anagnosis.datasets.gold import Gold
from anagnosis.errors import InputError

BELOW_ALL = -np.inf


def scores_of(gold: Gold, given: Floats | None) -> Floats:
    """float64 [sentences]: what a system gave, what it did not as -inf."""
    if given is None:
        return np.full(len(held_of(gold)), BELOW_ALL)
    return np.where(np.isnan(given), BELOW_ALL, given)


def held_of(gold: Gold) -> Bools:
    """bool [sentences]: whether each holds the answer.

    InputError: where instances are no sentences, or nobody has said of some, which are no negatives.
    """
    if gold.held is None:
        raise InputError("its instances are no sentences", gold.dataset, "choose another dataset")
    if gold.unsaid is not None and gold.unsaid.any():
        sizes = np.diff(gold.starts)
        instances = np.unique(np.repeat(np.arange(len(gold)), sizes)[gold.unsaid])
        first = gold.ids.between(int(instances[0]), int(instances[0]) + 1)[0]
        raise InputError(
            f"of {gold.unsaid.sum():,} sentences of {len(instances):,} instances nobody has said whether they hold the "
            "answer",
            f"{gold.dataset} {gold.split}, first {first}",
            "score a split of which all is said",
        )
    return gold.held


def by_instance(gold: Gold, given: Floats | None) -> Iterator[tuple[Floats, Bools]]:
    """The scores of each instance's sentences, and which of them hold the answer."""
    scores, held = scores_of(gold, given), held_of(gold)
    for start, stop in zip(gold.starts, gold.starts[1:], strict=False):
        yield scores[start:stop], held[start:stop]
