"""The splitter of the nupunkt package, and a cheaper way to its verdict on "at least n sentences".

nupunkt decides at every `.`, `?`, `!` and `…` that is followed by white space, a quote, a bracket or the like: by the
word before it, the word after it, and a list of abbreviations. Where the word before is an ordinary one the outcome
is certain without asking, and nearly all abstracts are decided by such places alone. What is used of its algorithm
is listed, with the reasons, in design/sentences.md; another version than those in CHECKED is asked in full.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise

CHECKED = ("0.8.0",)

# Every place where nupunkt may end a sentence, and some more.
_PLACES = re.compile(r"""[.?!…](?=[\s)";}\]*:@({\[?!”»'’])""")
# The letters and digits that end a word.
_TAIL = re.compile(r"[^\W_]+\Z")
# "etc", "e.g": two letters and more, single full stops between them.
_LETTERED = re.compile(r"[^\W\d_]{2,}|[^\W\d_]+(?:\.[^\W\d_]+)+")
# No list enumerator ("iv.", "(a).") is as long as this, so a longer first piece of a line is none.
_ENUMERATOR = 12


def split(text: str) -> list[tuple[int, int]]:
    """Contiguous spans, white space behind a sentence included."""
    from nupunkt import sent_spans

    return sent_spans(text)


def has_at_least(text: str, minimum: int) -> bool:
    """The verdict of `len(split(text)) >= minimum`."""
    abbreviations = _abbreviations()
    if abbreviations is None or "\n" in text:
        return len(split(text)) >= minimum
    ends = joins = 0
    pieces = text.split(". ")
    for number, (before, after) in enumerate(pairwise(pieces)):
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
    """Whether the full stop between `before` and " " + `after` ends a sentence; None: nupunkt must be asked."""
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
    whole = word.lstrip("([")
    if follows.islower() and whole.lower() in abbreviations and _LETTERED.fullmatch(whole):
        return False
    return None


def _plain_tail(word: str) -> str:
    """The letters and digits that end the word; empty for a number, and where abbreviations have more to them."""
    found = None if {".", "'", "’", "&"}.intersection(word) else _TAIL.search(word)
    return found.group() if found and not found.group().isdecimal() else ""


@cache
def _abbreviations() -> frozenset[str] | None:
    """Lower-case and without their last full stop; None for a version that is not CHECKED."""
    from nupunkt import __version__, load

    return load("default").abbreviations if __version__ in CHECKED else None
