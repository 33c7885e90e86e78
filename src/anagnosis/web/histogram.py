"""The bars of a small histogram: papers by year, of several years a bar where there are many."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from anagnosis.searching.records.matches import Facet

MOST_BARS = 40
HEIGHT = 48.0
"""The height of the highest bar, in units of the drawing; a bar is one unit wide."""
_YEARS = (1, 2, 5, 10, 20, 50, 100, 250)  # of one bar


class Bar(NamedTuple):
    """Papers of the years first to last. height: above 0 for at least one paper."""

    first: int
    last: int
    papers: int
    height: float


def bars(years: Sequence[Facet]) -> list[Bar]:
    """One bar after another without a gap, years without papers included; [] without years.

    years: in rising order, each named by its number.
    """
    papers = {int(one.name): one.papers for one in years}
    if not papers:
        return []
    begin, end = min(papers), max(papers)
    width = next((each for each in _YEARS if (end - begin) // each < MOST_BARS), end - begin + 1)
    begin -= begin % width
    sums = [
        (first, sum(papers.get(year, 0) for year in range(first, first + width)))
        for first in range(begin, end + 1, width)
    ]
    most = max(count for _, count in sums)
    return [Bar(first, first + width - 1, count, _height(count, most)) for first, count in sums]


def within(bar: Bar, since: str, until: str) -> bool:
    """Whether a filter of dates has all years of a bar. since, until: ISO dates or their year or month, "" for none."""
    first, last = int(since[:4] or 0), int(until[:4] or 9999)
    return bool(since or until) and first <= bar.first and bar.last <= last


def _height(papers: int, most: int) -> float:
    return round(max(HEIGHT * papers / most, 1.5), 1) if papers else 0.0
