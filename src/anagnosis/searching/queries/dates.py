"""Dates and ranges of dates as PubMed writes them: 2015, 2019/03, 2015:2020, 2019/03:2020/05/12, 2015:3000.

Filters have ISO dates: 2019-03. The year 3000 stands for "until today", as PubMed's own pages write it.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from anagnosis.searching.filters import date_number, is_date

_DATE = re.compile(r"([0-9]{4})(?:[/.-]([0-9]{1,2})(?:[/.-]([0-9]{1,2}))?)?")
_YEARS = re.compile(r"([0-9]{4})[-\u2013]([0-9]{4})")
_OPEN = 3000


class DateRange(NamedTuple):
    """ISO dates, both inclusive, "" for open. repairs: of what was written."""

    since: str
    until: str
    repairs: tuple[str, ...] = ()


def date_range(written: str) -> DateRange | None:
    """The range that was written; None for anything else."""
    written = "".join(written.split())
    if years := _YEARS.fullmatch(written):
        written = f"{years[1]}:{years[2]}"
    first, colon, last = written.partition(":")
    if not colon:
        last = first
    since, until = _iso(first), _iso(last)
    if since is None or until is None or not (first or last):
        return None
    repairs = [*since.repairs, *(until.repairs if colon else ())]
    low, high = since.date, until.date
    begins_open = bool(first and high) and not low  # 3000:2000
    if begins_open or (low and high and date_number(low) > date_number(high, last=True)):
        low, high = high, low
        repairs.append(f"{written} is turned round")
    return DateRange(low, high, tuple(repairs))


class _Iso(NamedTuple):
    date: str
    repairs: tuple[str, ...] = ()


def _iso(written: str) -> _Iso | None:
    """An ISO date; "" for nothing, and for a year that stands for no end; None for anything else."""
    if not written:
        return _Iso("")
    match = _DATE.fullmatch(written)
    if match is None or not int(match[1]):
        return None
    if int(match[1]) >= _OPEN:
        return _Iso("")
    parts = [match[1], *(f"{int(part):02}" for part in match.groups()[1:] if part)]
    while not is_date("-".join(parts)):
        parts.pop()
    date = "-".join(parts)
    cut = len(parts) < 1 + sum(part is not None for part in match.groups()[1:])
    return _Iso(date, (f"{written} is no date, {date} is",) if cut else ())
