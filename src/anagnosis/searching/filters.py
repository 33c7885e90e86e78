"""Filters of a query, for every engine: section, date, journal, type and id of the wanted passages."""

from __future__ import annotations

import re
from datetime import date
from functools import lru_cache

import msgspec

_DATE = re.compile(r"[0-9]{4}(?:-[0-9]{2}(?:-[0-9]{2})?)?")
_FIRST = "0001-01-01"
ANY_DATE = (1, 99_999_999)


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


def days_between(since: str, until: str) -> tuple[int, int]:
    """The numbers of the first and the last day (date_number), both inclusive; "" is open. Undated papers have 0."""
    return date_number(since) or ANY_DATE[0], date_number(until, last=True) or ANY_DATE[1]


@lru_cache(maxsize=1 << 14)
def date_number(day: str, *, last: bool = False) -> int:
    """An ISO date as a number that sorts; 0 for anything else. last: fill a missing month or day with the last one."""
    parts = day.split("-")
    if not 1 <= len(parts) <= 3 or not all(part.isdecimal() and len(part) <= 4 for part in parts):
        return 0
    year, month, of_month = [*map(int, parts), *((99, 99) if last else (0, 0))][:3]
    return year * 10_000 + month * 100 + of_month
