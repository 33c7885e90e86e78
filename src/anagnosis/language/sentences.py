"""Sentences of a text, by a named splitter, and the short cuts that often make splitting needless.

SPLITTERS maps a name to a function `text -> list of (start, end)`, offsets in characters, end exclusive; a receipt
names the one that was used. design/sentences.md says how they compare.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from anagnosis.language import nupunkt_sentences
from anagnosis.registry import find

Spans = list[tuple[int, int]]
Splitter = Callable[[str], Spans]

SPLITTERS = {
    "nupunkt": "anagnosis.language.nupunkt_sentences:split",
    "fast": "anagnosis.language.fast_sentences:split",
    "punkt": "anagnosis.language.punkt_sentences:split",
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
    if _ends_at_marks(split) and sum(map(text.count, MARKS)) + 1 < minimum:
        return False
    if split is nupunkt_sentences.split:
        return nupunkt_sentences.has_at_least(text, minimum)
    return len(split(text)) >= minimum


@cache
def _ends_at_marks(split: Splitter) -> bool:
    return f"{split.__module__}:{split.__qualname__}" in SPLITTERS.values()
