"""Sentences of a text, by a named splitter, and the exact bound that often makes splitting needless.

SPLITTERS maps a name to a function `text -> list of (start, end)`; a receipt names the one that was used.
"""

from __future__ import annotations

from collections.abc import Callable

from anagnosis.registry import find

Spans = list[tuple[int, int]]
Splitter = Callable[[str], Spans]

SPLITTERS = {
    "nupunkt": "anagnosis.language.sentences:nupunkt",
    "fast": "anagnosis.language.fast_sentences:split",
    "punkt": "anagnosis.language.punkt_sentences:split",
}


def splitter(name: str) -> Splitter:
    """The splitter of that name."""
    return find(SPLITTERS, "anagnosis.splitters", name, "sentence splitter")


def has_at_least(text: str, minimum: int, split: Splitter) -> bool:
    """Whether `text` has at least `minimum` sentences.

    A text has at most one sentence more than it has `.`, `?` and `!`, whatever the splitter; below that bound
    it is not split at all.
    """
    if text.count(".") + text.count("?") + text.count("!") + 1 < minimum:
        return False
    return len(split(text)) >= minimum


def nupunkt(text: str) -> Spans:
    """The splitter of the nupunkt package (F1 .960 on the gold sentences of CRAFT)."""
    from nupunkt import sent_spans

    return sent_spans(text)
