"""Ties of the highest score, which makes a candidate the reader's answer.

If a paper breaks ties at random, two figures are exact: the expectation, which gives each of k tied candidates 1/k of
the instance, and one draw with a seed.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b


def tied(scores: Sequence[float]) -> list[int]:
    """The indices with the highest score, ascending; [] without scores."""
    if not scores:
        return []
    top = max(scores)
    return [index for index, score in enumerate(scores) if score == top]


def credit(scores: Sequence[float], answer: int) -> float:
    """Expected credit of an instance: 1/k if its answer is one of k tied candidates, else 0."""
    best = tied(scores)
    return 1 / len(best) if answer in best else 0.0


def points_at(scores: Sequence[float], right: Sequence[int]) -> bool:
    """Whether the highest score falls on the right answers more often than blind choice would.

    A tie of all candidates, as of an entity prior that knows none of them, points at nothing.
    """
    share = sum(credit(scores, place) for place in right)
    return share > len(right) / max(1, len(scores)) * (1 + 1e-9)


def draw(keys: Sequence[str], *, seed: int, instance: str) -> str:
    """A uniform draw from the tied keys, which depends only on the seed and the instance's id.

    The order of instances and candidates makes no difference.
    """
    if len(keys) == 1:
        return keys[0]
    digest = blake2b(f"{seed}\n{instance}".encode(), digest_size=8).digest()
    return sorted(keys)[int.from_bytes(digest, "big") % len(keys)]
