"""Sentence splitters by name, and a test for "at least n sentences" that often needs no split.

SPLITTERS maps a name to a function `text -> list of (start, end)`, offsets in characters, end exclusive. A receipt
names the splitter. design/sentences.md compares them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from anagnosis.errors import unknown_name
from anagnosis.registry import find, is_known, names

Spans = list[tuple[int, int]]
Splitter = Callable[[str], Spans]
GROUP = "anagnosis.splitters"

SPLITTERS = {
    "nupunkt": "anagnosis.language.nupunkt_sentences:split",
    "fast": "anagnosis.language.fast_sentences:split",
    "punkt": "anagnosis.language.punkt_sentences:split",
}

# The splitters with a faster has_at_least.
AT_LEAST = {
    "nupunkt": "anagnosis.language.nupunkt_sentences:has_at_least",
    "fast": "anagnosis.language.fast_sentences:has_at_least",
}

# Except for the last sentence of a text, our splitters end sentences only at these.
STOPS = ".?!…"


@cache
def splitter(name: str, *, also: tuple[str, ...] = ()) -> Splitter:
    """The splitter of that name. also: names that the caller takes beside, for the error."""
    if also and not is_known(SPLITTERS, GROUP, name):
        raise unknown_name("sentence splitter", name, (*names(SPLITTERS, GROUP), *also))
    return find(SPLITTERS, GROUP, name, "sentence splitter")


def has_at_least(text: str, minimum: int, split: Splitter) -> bool:
    """Whether `text` has at least `minimum` sentences: `len(split(text)) >= minimum`.

    A text has at most one sentence more than it has STOPS, so few STOPS decide without a split. A splitter of another
    package may end a sentence anywhere, so we always call it.
    """
    decide = _test_of(split)
    if decide is None:
        return len(split(text)) >= minimum
    return sum(map(text.count, STOPS)) + 1 >= minimum and decide(text, minimum)


@cache
def _test_of(split: Splitter) -> Callable[[str, int], bool] | None:
    """The has_at_least of a splitter in SPLITTERS; None for one of another package."""
    path = f"{split.__module__}:{getattr(split, '__qualname__', '')}"
    name = next((name for name, ours in SPLITTERS.items() if ours == path), None)
    if name in AT_LEAST:
        return find(AT_LEAST, GROUP, name, "sentence splitter")
    return (lambda text, minimum: len(split(text)) >= minimum) if name else None
