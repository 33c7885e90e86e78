"""The answer of a reader is the candidate with the highest score; several may share it.

Where a paper breaks such ties at random there are two honest figures: the exact expectation, in which k tied
candidates have 1/k of the instance each, and one draw with a seed.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b


def tied(scores: Sequence[float]) -> list[int]:
    """The indices that share the highest score, ascending; none for no scores."""
    if not scores:
        return []
    top = max(scores)
    return [index for index, score in enumerate(scores) if score == top]


def credit(scores: Sequence[float], answer: int) -> float:
    """What an instance is worth by expectation: 1/k if its answer is one of k tied, else 0."""
    best = tied(scores)
    return 1 / len(best) if answer in best else 0.0


def draw(keys: Sequence[str], *, seed: int, instance: str) -> str:
    """One of the tied keys, uniformly, from the seed and the instance's id alone.

    Neither the order of the instances nor that of the candidates, nor who computes it, makes a difference.
    """
    if len(keys) == 1:
        return keys[0]
    digest = blake2b(f"{seed}\n{instance}".encode(), digest_size=8).digest()
    return sorted(keys)[int.from_bytes(digest, "big") % len(keys)]
