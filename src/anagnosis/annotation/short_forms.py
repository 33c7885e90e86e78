"""Short forms that a paper defines: "chronic heart failure (CHF)".

A definition is a short form in brackets behind its long form. We find the long form as Schwartz and Hearst do (Pacific
Symposium on Biocomputing 2003): from the end, each letter or digit of the short form occurs in the words before the
bracket, the first one at the beginning of a word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_BRACKET = re.compile(r"[ \t][(\[]([^()\[\]\n]{2,40}?)[)\];,:]")
_LONGEST = 10  # characters of a short form, and two words at most (Schwartz and Hearst)
_WORD = re.compile(r"\S+")


class Definition(NamedTuple):
    """A short form and the place of its long form, characters start to end."""

    short: str
    start: int
    end: int


def definitions(text: str) -> Iterator[Definition]:
    """The definitions of a text, in order."""
    for match in _BRACKET.finditer(text):
        short = match[1].strip()
        if not _is_short_form(short):
            continue
        end = len(text[: match.start()].rstrip())
        if (start := _long_form(text, short, end)) is not None:
            yield Definition(short, start, end)


def _is_short_form(short: str) -> bool:
    return (
        2 <= len(short) <= _LONGEST
        and len(short.split()) <= 2
        and short[0].isalnum()
        and any(sign.isalpha() for sign in short)
        and any(sign.isupper() for sign in short)
    )


def _long_form(text: str, short: str, end: int) -> int | None:
    """Where the long form before `end` begins; None where the words there are not that."""
    signs = [sign.lower() for sign in short if sign.isalnum()]
    begin = _limit(text, end, min(len(signs) + 5, 2 * len(signs)))
    place = end
    for number, sign in reversed(list(enumerate(signs))):
        place -= 1
        while place >= begin and not (
            text[place].lower() == sign and (number > 0 or place == 0 or not text[place - 1].isalnum())
        ):
            place -= 1
        if place < begin:
            return None
    return place if end - place > len(short) else None


def _limit(text: str, end: int, words: int) -> int:
    """Where the last `words` words before `end` begin, on the same line."""
    line = text.rfind("\n", 0, end) + 1
    starts = [match.start() for match in _WORD.finditer(text, max(line, end - 200), end)]
    return starts[-words] if len(starts) >= words else max(line, end - 200)
