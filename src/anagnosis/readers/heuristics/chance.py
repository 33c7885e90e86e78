"""No preference at all: the floor that every other reader stands on."""

from __future__ import annotations

from anagnosis.datasets.kinds.cloze_instance import ClozeInstance


def random_candidate(instance: ClozeInstance) -> list[float]:
    """Every candidate ties, so each has the expectation 1/k and the seeded draw is a uniform choice."""
    return [0.0] * len(instance.candidates)
