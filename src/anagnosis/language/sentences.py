"""Sentences of a text, by a named splitter, and the short cuts that often make splitting needless.

SPLITTERS maps a name to a function `text -> list of (start, end)`, offsets in characters, end exclusive; a receipt
names the one that was used. design/sentences.md says how they compare.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from anagnosis.registry import find

Spans = list[tuple[int, int]]
Splitter = Callable[[str], Spans]

SPLITTERS = {
    "nupunkt": "anagnosis.language.nupunkt_sentences:split",
    "fast": "anagnosis.language.fast_sentences:split",
    "punkt": "anagnosis.language.punkt_sentences:split",
}

# Where one of them has a cheaper way to the verdict of has_at_least.
AT_LEAST = {
    "nupunkt": "anagnosis.language.nupunkt_sentences:has_at_least",
    "fast": "anagnosis.language.fast_sentences:has_at_least",
}

# Our splitters end a sentence nowhere else, but for the last one of a text.
MARKS = ".?!…"


@cache
def splitter(name: str) -> Splitter:
    """The splitter of that name."""
    return find(SPLITTERS, "anagnosis.splitters", name, "sentence splitter")


def has_at_least(text: str, minimum: int, split: Splitter) -> bool:
    """Whether `text` has at least `minimum` sentences: always the verdict of `len(split(text)) >= minimum`.

    A text has at most one sentence more than it has MARKS; below that bound it is not split at all. The bound is
    not asked for a splitter of another package, which may end a sentence anywhere.
    """
    decide = _own_way(split)
    if decide is None:
        return len(split(text)) >= minimum
    return sum(map(text.count, MARKS)) + 1 >= minimum and decide(text, minimum)


@cache
def _own_way(split: Splitter) -> Callable[[str, int], bool] | None:
    """How a splitter of SPLITTERS decides; None for one of another package."""
    path = f"{split.__module__}:{getattr(split, '__qualname__', '')}"
    name = next((name for name, ours in SPLITTERS.items() if ours == path), None)
    if name in AT_LEAST:
        return find(AT_LEAST, "anagnosis.splitters", name, "sentence splitter")
    return (lambda text, minimum: len(split(text)) >= minimum) if name else None
