"""Short forms that a paper defines: "chronic heart failure (CHF)".

    definitions(text)     where a short form in brackets stands behind its long form
    abbreviations(text)   (short, long) of these, and of long forms in brackets: "CHF (chronic heart failure)"

We find the long form as Schwartz and Hearst do (A simple algorithm for identifying abbreviation definitions in
biomedical text, Pacific Symposium on Biocomputing 2003): from the end, each letter or digit of the short form occurs in
the words of the long form, the first one at the beginning of a word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_WITH_BLANK = (" (", " [")
_OPENINGS = (*_WITH_BLANK, "\t(", "\t[")
_INSIDE = re.compile(r"[^()\[\]\n]{2,40}?(?=[)\];,:])")
_BRACKET = re.compile(r"\(([^()]{2,40})\)")
_LONGEST = 10  # characters of a short form, and two words at most (Schwartz and Hearst)
_FARTHEST = 200  # characters of a long form


class Definition(NamedTuple):
    """A short form and the place of its long form, characters start to end."""

    short: str
    start: int
    end: int


def definitions(text: str) -> Iterator[Definition]:
    """The definitions of a text, in order."""
    behind = 0
    for place in _openings(text):
        first = text[place + 2 : place + 2 + _LONGEST]
        if first == first.lower() and first[:1].isalnum():  # no capital, as in most brackets
            continue
        if place < behind or (match := _INSIDE.match(text, place + 2)) is None:
            continue
        behind, short = match.end() + 1, match[0].strip()
        if not _is_short_form(short):
            continue
        end = place
        while end and text[end - 1].isspace():
            end -= 1
        if (start := long_form_start(text, short, end)) is not None:
            yield Definition(short, start, end)


def abbreviations(text: str) -> Iterator[tuple[str, str]]:
    """(short, long) pairs of a text, verbatim: "long form (SHORT)", then "SHORT (long form)"."""
    for short, start, end in definitions(text):
        yield short, text[start:end]
    for match in _BRACKET.finditer(text):
        before, long = text[max(0, match.start() - 2 * _LONGEST) : match.start()].split(), match[1].strip()
        if " " not in long or not before:
            continue
        short = before[-1].strip("([,;:")
        if _is_short_form(short) and long_form_start(long, short, len(long)) == 0:
            yield short, long


def _openings(text: str) -> list[int]:
    """Where a bracket opens behind a blank. (A regular expression takes three times as long.)"""
    places: list[int] = []
    for opening in _OPENINGS if "\t" in text else _WITH_BLANK:
        place = text.find(opening)
        while place >= 0:
            places.append(place)
            place = text.find(opening, place + 2)
    return sorted(places)


def _is_short_form(short: str) -> bool:
    return (
        2 <= len(short) <= _LONGEST
        and short[0].isalnum()
        and not short.islower()
        and len(short.split()) <= 2
        and any(map(str.isupper, short))
    )


def long_form_start(text: str, short: str, end: int) -> int | None:
    """Where the long form before `end` begins; None where the words there are not that."""
    signs = [sign.lower() for sign in short if sign.isalnum()]
    begin = _limit(text, end, min(len(signs) + 5, 2 * len(signs)))
    before = text[begin:end].lower()
    if len(before) != end - begin:  # a capital of two small letters
        before = "".join(sign.lower()[0] for sign in text[begin:end])
    place = len(before)
    for sign in reversed(signs[1:]):
        place = before.rfind(sign, 0, place)
        if place < 0:
            return None
    while (place := before.rfind(signs[0], 0, place)) >= 0:
        at = begin + place
        if at == 0 or not text[at - 1].isalnum():
            return at if end - at > len(short) else None
    return None


def _limit(text: str, end: int, words: int) -> int:
    """Where the last `words` words before `end` begin, on the same line."""
    first = max(text.rfind("\n", 0, end) + 1, end - _FARTHEST)
    before = text[first:end]
    parts = before.split()
    if len(parts) < words:
        return first
    head = before.rsplit(None, words)
    place = len(head[0]) if len(head) > words else 0
    while before[place].isspace():
        place += 1
    return first + place
