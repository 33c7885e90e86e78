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
    written = _YEARS.sub(r"\1:\2", written) if _YEARS.fullmatch(written) else written
    first, colon, last = written.partition(":")
    repairs = dict[str, None]()
    low, high = (_iso(one, repairs) for one in (first, last if colon else first))
    if low is None or high is None or not (first or last):
        return None
    begins_open = bool(first and high) and not low  # 3000:2000
    if begins_open or (low and high and date_number(low) > date_number(high, last=True)):
        low, high = high, low
        repairs[f"{written} is turned round"] = None
    return DateRange(low, high, tuple(repairs))


def _iso(written: str, repairs: dict[str, None]) -> str | None:
    """An ISO date; "" for nothing, and for a year that stands for no end; None for anything else."""
    match = _DATE.fullmatch(written)
    if match is None or not int(match[1]):
        return None if written else ""
    if int(match[1]) >= _OPEN:
        return ""
    typed = parts = [f"{int(part):02}" for part in match.groups() if part]
    parts[0] = match[1]
    while not is_date("-".join(parts)):
        parts = parts[:-1]
    date = "-".join(parts)
    if parts is not typed:
        repairs[f"{written} is no date, {date} is"] = None
    return date
