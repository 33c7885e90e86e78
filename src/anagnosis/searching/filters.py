"""Filters of a query, as every engine takes them: section, date, journal, type and id of the passages that count."""

from __future__ import annotations

import re
from datetime import date
from functools import lru_cache

import msgspec

_DATE = re.compile(r"[0-9]{4}(?:-[0-9]{2}(?:-[0-9]{2})?)?")
_FIRST = "0001-01-01"


class Filters(msgspec.Struct, frozen=True):
    """Which passages count; of several words in one field any will do.

    sections: names of sections. since, until: ISO dates, whole or of a year or month, both included; a document without
    a date does not count where one is given. journals, types: whole, whatever the case. documents: ids.
    """

    sections: tuple[str, ...] = ()
    since: str = ""
    until: str = ""
    journals: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()


def is_date(text: str) -> bool:
    """Whether it is a year, a month or a day, as Filters take them."""
    if not _DATE.fullmatch(text):
        return False
    try:
        date.fromisoformat(text + _FIRST[len(text) :])
    except ValueError:
        return False
    return True


@lru_cache(maxsize=1 << 14)
def date_number(day: str, *, last: bool = False) -> int:
    """An ISO date as a number that sorts; 0 where it is none. last: what is not told is the end, not the beginning."""
    parts = day.split("-")
    if not 1 <= len(parts) <= 3 or not all(part.isdecimal() and len(part) <= 4 for part in parts):
        return 0
    year, month, of_month = [*map(int, parts), *((99, 99) if last else (0, 0))][:3]
    return year * 10_000 + month * 100 + of_month
