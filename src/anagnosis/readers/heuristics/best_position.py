"""The best position: the rank by first mention in the passage at which the answer most often stands.

Rank 0 is the entity mentioned first (BASE1). An instance with too few candidates for the best rank takes its best
rank. Ranks need no identity of entities, so the reader works in the local view too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

from anagnosis.datasets.kinds.cloze_instance import ClozeInstance
from anagnosis.readers.heuristics.training_part import answered


def fit(instances: Iterable[ClozeInstance]) -> Callable[[ClozeInstance], list[float]]:
    """Count the answers' ranks. Score of a candidate: number of answers with its rank, −1 if unmentioned."""
    answers = Counter(
        first_ranks(instance).get(answer) for instance, answer in answered(instances, "best-position")
    )

    def best_position(instance: ClozeInstance) -> list[float]:
        ranks = first_ranks(instance)
        return [float(answers[ranks[c]]) if c in ranks else -1.0 for c in range(len(instance.candidates))]

    return best_position


def first_ranks(instance: ClozeInstance) -> dict[int, int]:
    """Candidate → rank by first mention in the passage; a candidate without a mention has none."""
    ranks: dict[int, int] = {}
    for mention in instance.mentions:
        ranks.setdefault(mention.candidate, len(ranks))
    return ranks
