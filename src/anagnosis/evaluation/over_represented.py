"""Which topics a dataset has more often than other documents (PubMedQA, appendix B).

A two-proportion z-test for each descriptor, with the pooled proportion; two-tailed p, corrected by Holm for all that
are tested. Those of which fewer than five are expected on a side are not: there z is far from normal. The paper tests
each at .05 and says nothing of a correction.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from anagnosis.evaluation.differences.ranked_pairs import holm

ALPHA = 0.05
EXPECTED = 5


@dataclass(frozen=True, slots=True)
class Topic:
    """here, there: shares of the instances and of the documents that have it. p, holm: two-tailed, and corrected."""

    name: str
    here: float
    there: float
    z: float
    p: float
    holm: float


def over_represented(
    here: Mapping[str, int], instances: int, there: Mapping[str, int], documents: int
) -> list[Topic]:
    """The topics with a larger share here at a corrected p of .05, by z. here, there: topic → how many have it."""
    both = {name: (here.get(name, 0), there.get(name, 0)) for name in {**here, **there}}
    tested = [
        _tested(name, count, instances, other, documents)
        for name, (count, other) in both.items()
        if _expected(count + other, instances, documents) >= EXPECTED
    ]
    corrected = holm([topic.p for topic in tested])
    found = [
        Topic(topic.name, topic.here, topic.there, topic.z, topic.p, adjusted)
        for topic, adjusted in zip(tested, corrected, strict=True)
        if topic.z > 0 and adjusted < ALPHA
    ]
    return sorted(found, key=lambda topic: (-topic.z, topic.name))


def _expected(count: int, n: int, m: int) -> float:
    """Of so many among n + m, how many on the smaller side if both had alike."""
    return count / (n + m) * min(n, m)


def _tested(name: str, count: int, n: int, other: int, m: int) -> Topic:
    here, there = count / n, other / m
    pooled = (count + other) / (n + m)
    error = math.sqrt(pooled * (1 - pooled) * (1 / n + 1 / m))
    z = (here - there) / error if error else 0.0
    return Topic(name, here, there, z, math.erfc(abs(z) / math.sqrt(2)), 1.0)
