"""Chance, the lower bound of every other reader."""

from __future__ import annotations

from anagnosis.datasets.kinds.cloze_instance import ClozeInstance


def random_candidate(instance: ClozeInstance) -> list[float]:
    """Equal scores for all k candidates: an expected accuracy of 1/k, and a uniform choice by the seeded draw."""
    return [0.0] * len(instance.candidates)
