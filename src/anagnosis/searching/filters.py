"""Filters of a query, for every engine: section, date, journal, type and id of the wanted passages.

Filters have ISO dates: 2019-03. Ranges of dates are read as PubMed writes them: 2015, 2019/03, 2015:2020,
2019/03:2020/05/12, 2015:3000. The year 3000 stands for "until today", as on PubMed's own pages.
"""

from __future__ import annotations

import re
from datetime import date
from functools import lru_cache
from typing import NamedTuple

import msgspec

_DATE = re.compile(r"[0-9]{4}(?:-[0-9]{2}(?:-[0-9]{2})?)?")
_FIRST = "0001-01-01"


class Filters(msgspec.Struct, frozen=True):
    """Conditions on passages. A passage must meet each field, by any of its values.

    sections: names of sections. since, until: ISO dates or their year or month, both inclusive; with either, documents
    without a date do not match. journals, types: complete names in any case. documents: ids.
    """

    sections: tuple[str, ...] = ()
    since: str = ""
    until: str = ""
    journals: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()


def is_date(text: str) -> bool:
    """Whether a text is a year, a month or a day in the form of Filters."""
    if not _DATE.fullmatch(text):
        return False
    try:
        date.fromisoformat(text + _FIRST[len(text) :])
    except ValueError:
        return False
    return True


@lru_cache(maxsize=1 << 14)
def date_number(day: str, *, last: bool = False) -> int:
    """An ISO date as a number that sorts; 0 for anything else. last: fill a missing month or day with the last one."""
    parts = day.split("-")
    if not 1 <= len(parts) <= 3 or not all(part.isdecimal() and len(part) <= 4 for part in parts):
        return 0
    year, month, of_month = [*map(int, parts), *((99, 99) if last else (0, 0))][:3]
    return year * 10_000 + month * 100 + of_month


_WRITTEN = re.compile(r"([0-9]{4})(?:[/.-]([0-9]{1,2})(?:[/.-]([0-9]{1,2}))?)?")
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
    match = _WRITTEN.fullmatch(written)
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
