"""The sentence splitter of the nupunkt package, with a faster test for "at least n sentences".

At every `.`, `?`, `!` and `…` before white space, a quote, a bracket or the like, nupunkt decides by the word before,
the word after, and a list of abbreviations. For an ordinary word before, we know its decision without a call; such
places alone decide nearly all abstracts. design/sentences.md lists what we use of its algorithm and why. For a version
that is not in CHECKED we always call nupunkt.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise

CHECKED = ("0.8.0",)

# Every place where nupunkt may end a sentence, and some others.
_PLACES = re.compile(r"""[.?!…](?=[\s)";}\]*:@({\[?!”»'’])""")
# The letters and digits that end a word.
_TAIL = re.compile(r"[^\W_]+\Z")
# "etc", "e.g": two letters or more, perhaps with single full stops between them.
_LETTERED = re.compile(r"[^\W\d_]{2,}|[^\W\d_]+(?:\.[^\W\d_]+)+")
# Every list enumerator ("iv.", "(a).") is shorter than this.
_ENUMERATOR = 12


def split(text: str) -> list[tuple[int, int]]:
    """Contiguous spans, including the white space behind a sentence."""
    from nupunkt import sent_spans

    return sent_spans(text)


def has_at_least(text: str, minimum: int) -> bool:
    """Whether `len(split(text)) >= minimum`."""
    abbreviations = _abbreviations()
    if abbreviations is None or "\n" in text:
        return len(split(text)) >= minimum
    ends = joins = 0
    parts = text.split(". ")
    for number, (before, after) in enumerate(pairwise(parts)):
        outcome = _ends_sentence(before, after, abbreviations)
        if outcome and (number or len(before) > _ENUMERATOR):
            ends += 1
            if ends + 1 >= minimum:
                return True
        elif outcome is False:
            joins += 1
    if len(_PLACES.findall(text)) - joins + 1 < minimum:
        return False
    return len(split(text)) >= minimum


def _ends_sentence(before: str, after: str, abbreviations: frozenset[str]) -> bool | None:
    """Whether the full stop between `before` and " " + `after` ends a sentence; None: only nupunkt knows."""
    follows = after[:1]
    if not follows.isalnum() and follows not in ("(", "["):
        return None
    word = before[before.rfind(" ") + 1 :]
    if len(word) == 1 and word.isalpha():
        return False if follows.isupper() or follows.islower() else None
    if word.endswith((")", "]", "%")):
        return True
    tail = word if word.isalpha() else _plain_tail(word)
    if len(tail) > 1 and tail.lower() not in abbreviations:
        return True
    bare = word.lstrip("([")
    if follows.islower() and bare.lower() in abbreviations and _LETTERED.fullmatch(bare):
        return False
    return None


def _plain_tail(word: str) -> str:
    """The letters and digits at the word's end; "" for a number or a word with abbreviation characters."""
    tail = None if {".", "'", "’", "&"}.intersection(word) else _TAIL.search(word)
    return tail.group() if tail and not tail.group().isdecimal() else ""


@cache
def _abbreviations() -> frozenset[str] | None:
    """nupunkt's abbreviations in lower case without their last full stop; None for a version not in CHECKED."""
    from nupunkt import __version__, load

    return load("default").abbreviations if __version__ in CHECKED else None
