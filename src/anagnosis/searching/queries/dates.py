"""Dates and ranges of dates as PubMed writes them: 2015, 2019/03, 2015:2020, 2019/03:2020/05/12, 2015:3000.

Filters have ISO dates: 2019-03. The year 3000 stands for "until today", as PubMed's own pages write it.
"""

from __future__ import annotations

import re

from anagnosis.searching.filters import date_number, is_date

_DATE = re.compile(r"([0-9]{4})(?:[/.-]([0-9]{1,2})(?:[/.-]([0-9]{1,2}))?)?")
_YEARS = re.compile(r"([0-9]{4})[-\u2013]([0-9]{4})")
_OPEN = 3000


def date_range(written: str) -> tuple[str, str] | None:
    """The ISO dates of a range, both inclusive, "" where it is open; None for anything else."""
    written = "".join(written.split())
    years = _YEARS.fullmatch(written)
    first, colon, last = (years[1], ":", years[2]) if years else written.partition(":")
    since, until = _iso(first), _iso(last if colon else first)
    if since is None or until is None or (first and not since) or not (since or until):
        return None
    if since and until and date_number(since) > date_number(until, last=True):
        return None
    return since, until


def _iso(written: str) -> str | None:
    """An ISO date; "" for nothing, and for a year that stands for no end; None for anything else."""
    match = _DATE.fullmatch(written)
    if match is None:
        return None if written else ""
    if int(match[1]) >= _OPEN:
        return ""
    date = "-".join([match[1], *(f"{int(part):02}" for part in match.groups()[1:] if part)])
    return date if is_date(date) else None
