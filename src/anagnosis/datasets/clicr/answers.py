"""Candidate keys of CliCR's entities, and the candidate that a query's answers name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache


@lru_cache(maxsize=1 << 16)
def entity_key(surface: str) -> str:
    """The key that surfaces of one candidate share: in lower case, the words joined by single blanks."""
    return " ".join(surface.lower().split())


def right_candidate(answers: Sequence[str], place: Mapping[str, int]) -> int | None:
    """The place of the candidate that equals the hidden text, else of the last of the other names that is one.

    That is the candidate of CliCR's training filter.

    answers: the hidden text, then the other names of its identifier. place: candidate key → index. None: no answer is
    a candidate.
    """
    if not answers:
        return None
    hidden, *others = map(entity_key, answers)
    if hidden in place:
        return place[hidden]
    return next((place[key] for key in reversed(others) if key in place), None)
