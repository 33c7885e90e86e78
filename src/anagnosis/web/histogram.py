"""The bars of a small histogram: papers by year, of several years a bar where there are many."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import NamedTuple

from anagnosis.searching.records.hits import Facet

MOST_BARS = 40
HEIGHT = 48.0
"""The height of the highest bar, in units of the drawing; a bar is one unit wide."""
_YEARS = (1, 2, 5, 10, 20, 50, 100, 250)  # of one bar
_FAR = 5  # times longer bars are the cost of a few papers far from all others


class Bar(NamedTuple):
    """Papers of the years first to last. height: above 0 for at least one paper."""

    first: int
    last: int
    papers: int
    height: float


def bars(years: Sequence[Facet]) -> list[Bar]:
    """One bar after another without a gap, years without papers included; [] without years.

    Bars lie within the years. A few papers far from all others, of a wrong date, are in a longer first or last bar.

    years: in rising order, each named by its number.
    """
    papers = {int(one.name): one.papers for one in years}
    if not papers:
        return []
    begin, end = min(papers), max(papers)
    low, high = _without_outliers(papers)
    width = _width(low, high)
    if _width(begin, end) < _FAR * width:
        low, high, width = begin, end, _width(begin, end)
    lasts = [first + width - 1 for first in range(low - low % width, high + 1, width)]
    lasts[-1] = end
    firsts = [begin, *(last + 1 for last in lasts[:-1])]
    spans = list(zip(firsts, lasts, strict=True))
    sums = [sum(count for year, count in papers.items() if first <= year <= last) for first, last in spans]
    return [
        Bar(first, last, count, round(max(HEIGHT * count / max(sums), 1.5), 1) if count else 0.0)
        for (first, last), count in zip(spans, sums, strict=True)
    ]


def _width(begin: int, end: int) -> int:
    """How many years a bar has."""
    return next((each for each in _YEARS if (end - begin) // each < MOST_BARS), end - begin + 1)


def _without_outliers(papers: Mapping[int, int]) -> tuple[int, int]:
    """The first and last year without a hundredth of the papers, or one, at each end."""
    few = max(1, sum(papers.values()) // 100)

    def kept(years: Sequence[int]) -> int:
        before = accumulate(papers[year] for year in years)
        return next((year for year, count in zip(years, before, strict=True) if count > few), years[-1])

    years = sorted(papers)
    low, high = kept(years), kept(years[::-1])
    return (low, high) if low <= high else (years[0], years[-1])


def within(bar: Bar, since: str, until: str) -> bool:
    """Whether a filter of dates has all years of a bar. since, until: ISO dates or their year or month, "" for none."""
    first, last = int(since[:4] or 0), int(until[:4] or 9999)
    return bool(since or until) and first <= bar.first and bar.last <= last
