"""The entity prior: how often an entity is the answer in the training part, for any question.

The reader uses neither passage nor question, so its accuracy is what needs no reading.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

from anagnosis.datasets.kinds.cloze_instance import ClozeInstance
from anagnosis.readers.heuristics.training_part import answered, with_identity


def fit(
    instances: Iterable[ClozeInstance], *, view: str = "global"
) -> Callable[[ClozeInstance], list[float]]:
    """Count the answers' keys. Score of a candidate: its count (0 for one that was never an answer)."""
    known = with_identity(instances, "entity-prior", view)
    answers = Counter(instance.candidates[answer].key for instance, answer in answered(known, "entity-prior"))

    def entity_prior(instance: ClozeInstance) -> list[float]:
        return [float(answers[candidate.key]) for candidate in instance.candidates]

    return entity_prior
