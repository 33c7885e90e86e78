"""Similar names from a collection, for a name that it does not have."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from difflib import SequenceMatcher
from heapq import nlargest

_WORD = re.compile(r"[^\W_]{3,}")
_LONGEST = 100  # letters of a name that we compare
_COMPARED = 200  # names compared letter by letter, those that share most words
_NEAR = 0.6
_SHOWN = 3  # similar names of an unknown one, and unknown names for which we look them up


def unknown_among(names: Sequence[str], near_to: Callable[[str, int], list[str]]) -> dict[str, list[str]]:
    """unknown name → similar names. near_to: gives the name as printed if the collection has it, else similar ones."""
    unknown = dict[str, list[str]]()
    for name in names:
        near = near_to(name, _SHOWN if len(unknown) < _SHOWN else 0)
        if name.casefold() not in (one.casefold() for one in near):
            unknown[name] = near
    return unknown


def nearest(name: str, names: Iterable[str], limit: int) -> list[str]:
    """The names that share words with `name` or differ in few letters, the most similar first."""
    if limit < 1:
        return []
    name = name[:_LONGEST]
    words = set(_WORD.findall(name))
    shared = {one: len(words.intersection(_WORD.findall(one))) for one in names}
    compared = nlargest(_COMPARED, shared, key=lambda one: (shared[one], -abs(len(one) - len(name)), one))
    scores = {one: _alike(name, one) + shared[one] / max(1, len(words)) for one in compared}
    near = [one for one in compared if scores[one] >= _NEAR]
    return nlargest(limit, near, key=lambda one: (scores[one], one))


def _alike(name: str, other: str) -> float:
    return SequenceMatcher(None, name, other[:_LONGEST], autojunk=False).ratio()
