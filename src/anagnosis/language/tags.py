"""Part-of-speech taggers by name, and the words that they tag.

TAGGERS maps a name to a function `model file or None -> Tagger`. A tagger gives each word its Penn tag. A receipt names
the tagger. design/pubmedqa.md compares them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from anagnosis.io.paths import PathLike
from anagnosis.registry import find

Tagger = Callable[[Sequence[str]], list[str]]

TAGGERS = {
    "rule": "anagnosis.language.rule_tags:load",
    "crf": "anagnosis.language.crf_tags:load",
}

_CHUNK = re.compile(r"\S+")
_OPENING = {"(": ")", "[": "]", "{": "}"}
_CLOSING = {")": "(", "]": "[", "}": "{"}
_QUOTES = frozenset("\"“”«»‘'’`")
_PUNCTUATION = frozenset(",;:.?!…%")
_CLITIC = re.compile(r"['’]s\Z|n['’]t\Z")


def tagger(name: str, model: PathLike | None = None) -> Tagger:
    """The tagger of that name. model: the model file of `crf`; `rule` needs none."""
    load = find(TAGGERS, name, "part-of-speech tagger")
    return load(model)


def words(text: str) -> list[tuple[int, int]]:
    """Spans of the words as in the Penn treebanks: characters, end exclusive.

    Punctuation and brackets at a word's ends are separate words, as is a possessive 's; inside a word they stay
    (`IL-2`, `HMG-I(Y)`, `and/or`).
    """
    return [span for chunk in _CHUNK.finditer(text) for span in _cut(text, chunk.start(), chunk.end())]


def _cut(text: str, start: int, end: int) -> list[tuple[int, int]]:
    before: list[tuple[int, int]] = []
    after: list[tuple[int, int]] = []
    while start < end - 1 and _opens(text, start, end):
        before.append((start, start + 1))
        start += 1
    while start < end - 1 and _closes(text, start, end):
        after.append((end - 1, end))
        end -= 1
    if (owner := _CLITIC.search(text, start, end)) and owner.start() > start:
        after.append((owner.start(), end))
        end = owner.start()
    return [*before, (start, end), *reversed(after)]


def _opens(text: str, start: int, end: int) -> bool:
    """Whether the word's first character is a separate word: in "(see", not in "(E)-hexenal"."""
    closing = _OPENING.get(text[start])
    if closing is None:
        return text[start] in _QUOTES
    at = text.find(closing, start, end)
    return at < 0 or not text[at + 1 : end].strip(",;:.?!%)]}'’\"”")


def _closes(text: str, start: int, end: int) -> bool:
    last = text[end - 1]
    opening = _CLOSING.get(last)
    if opening is None:
        return last in _PUNCTUATION or last in _QUOTES
    return text.count(last, start, end) > text.count(opening, start, end)
