"""Publication dates in words, as exact as these.

1998 Dec 5, 1998-12-05    1998-12-05
1998 Dec-1999 Jan         1998-12, the first of the two
1976 Fall                 1976; a season is no month
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lxml.etree import _Element

_MONTHS = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
_TIME = re.compile(r"\s*([0-9]{4}-[0-9]{2}-[0-9]{2})[T ]\d\d:?\d\d.*", re.DOTALL)
_ISO_DAY = re.compile(r"\b([0-9]{4})-([0-9]{2})-([0-9]{2})\b")
_WRITTEN = re.compile(r"\b([0-9]{4})\b(?:\s+(\w+)(?:\s+(\d{1,2})\b)?)?")


def written_date(text: str) -> tuple[str, bool]:
    """(ISO date, whether its day exists) of the first date in words such as "1998 Dec 15-30"; "" for no date.

    The date is as exact as the words: "2000 Spring" is 2000, "2001 Feb 31" is 2001-02.
    """
    match = _WRITTEN.search(_ISO_DAY.sub(r"\1 \2 \3", text))
    if match is None:
        return "", True
    year, month = match[1], _month(match[2] or "")
    if not month:
        return year, True
    if match[3] is None:
        return f"{year}-{month:02}", True
    date = f"{year}-{month:02}-{int(match[3]):02}"
    return (date, True) if is_day(date) else (date[:7], False)


def iso_day(words: str) -> str:
    """The day of an ISO time such as "2020-03-11T10:00:00Z"; other words stay as they are."""
    match = _TIME.fullmatch(words)
    return match[1] if match else words


def earliest(dates: Iterable[str]) -> str:
    """The earliest of ISO dates, as exact as known: 2014-11-10 of 2014 and 2014-11-10, since 2014 contains it.

    Empty strings are ignored; "" if there is no date.
    """
    return min(filter(None, dates), key=_year_month_day, default="")


def _year_month_day(date: str) -> tuple[str, str, str]:
    """The parts of an ISO date, in whose order a part that is unknown comes last."""
    return date[:4], date[5:7] or "99", date[8:] or "99"


def publication_words(date: _Element | None) -> str:
    """The words of a <PubDate> for `written_date`, in its order: "1998 Dec 15", "1998 Dec-1999 Jan"."""
    if date is None:
        return ""
    return " ".join([words for part in date if (words := (part.text or "").strip())])


def _month(text: str) -> int:
    """1 to 12 for a number or an English name, short or long; 0 for anything else."""
    if text.isdecimal():
        return int(text) if len(text) <= 2 and int(text) <= 12 else 0
    named = (number for number, month in enumerate(_MONTHS, 1) if month.startswith(text.lower()))
    return next(named, 0) if len(text) >= 3 else 0


def is_day(date: str) -> bool:
    """Whether a full or shortened ISO date is in the calendar."""
    try:
        datetime.date.fromisoformat(f"{date}-01-01"[:10])
    except ValueError:
        return False
    return True
