"""Offsets in UTF-16 units, as Java and JavaScript count, turned into characters."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator

_BEYOND_BMP = 0xFFFF


def characters_of(text: str) -> Callable[[int], int]:
    """The function from an offset in UTF-16 units of a text to the one in characters."""
    # The UTF-16 offsets behind characters of two units.
    pairs = [place + number + 2 for number, place in enumerate(_pairs(text))]
    return lambda offset: offset - bisect_right(pairs, offset)


def _pairs(text: str) -> Iterator[int]:
    return (place for place, sign in enumerate(text) if ord(sign) > _BEYOND_BMP)
