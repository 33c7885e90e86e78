"""Filters of a query, for every engine: the section, the dates, the names and the id of the wanted passages."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import date
from functools import lru_cache
from typing import NamedTuple

import msgspec

from anagnosis.documents.bibliography import split_values
from anagnosis.documents.libraries.entry import OF_LIBRARY, collection_path
from anagnosis.documents.states import unified

_DATE = re.compile(r"[0-9]{4}(?:-[0-9]{2}(?:-[0-9]{2})?)?")
_FIRST = "0001-01-01"
ANY_DATE = (1, 99_999_999)


class NameFilter(NamedTuple):
    """One kind of the names by which papers are filtered and counted.

    field: of an engine, and of an address. fact: of a document. noun: for one name. unify: gives a name, or a fact, in
    its one spelling. several: whether a paper may have several.
    """

    field: str
    fact: str
    noun: str
    unify: Callable[[str], str] = str
    several: bool = True

    @property
    def names(self) -> str:
        """The field of Filters and Facets."""
        return f"{self.field}s"

    @property
    def of_library(self) -> bool:
        """Whether a library gives them, and no file of papers."""
        return self.fact in OF_LIBRARY

    def printed(self, facts: Mapping[str, str]) -> list[str]:
        """The names in the facts of a paper, as printed."""
        value = self.unify(facts.get(self.fact, ""))
        return split_values(value) if self.several else [value] if value else []


JOURNAL = NameFilter("journal", "journal", "journal", several=False)
TYPE = NameFilter("type", "types", "type of publication", unified)
NAME_FILTERS = (
    JOURNAL,
    TYPE,
    NameFilter("collection", "collections", "collection", collection_path),
    NameFilter("tag", "tags", "tag"),
)


class Filters(msgspec.Struct, frozen=True):
    """Conditions on passages. A passage must meet each field, by any of its values.

    sections: names of sections. since, until: ISO dates or their year or month, both inclusive, which a paper's date
    overlaps as an interval; with either, documents without a date do not match. journals, types, collections, tags:
    complete names in any case. added_since: as since, of the day when the paper came into its library. documents: ids.
    """

    sections: tuple[str, ...] = ()
    since: str = ""
    until: str = ""
    journals: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    collections: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    added_since: str = ""
    documents: tuple[str, ...] = ()

    @property
    def dated(self) -> list[tuple[str, list[tuple[int, int]]]]:
        """(field of a paper, spans one of which its date must lie in), for the dates that are given."""
        asked = (("date", self.since, self.until), ("added", self.added_since, ""))
        return [(field, date_spans(since, until)) for field, since, until in asked if since or until]


def is_date(text: str) -> bool:
    """Whether a text is a year, a month or a day in the form of Filters."""
    if not _DATE.fullmatch(text):
        return False
    try:
        date.fromisoformat(text + _FIRST[len(text) :])
    except ValueError:
        return False
    return True


def date_spans(since: str, until: str) -> list[tuple[int, int]]:
    """Spans of dates (date_number), both inclusive, of the papers whose interval overlaps the asked one; "" is open.

    A paper dated by a year or a month alone may have appeared on any of its days: 2018 is 2018-01-01 to 2018-12-31. The
    first span has the dates that begin inside. Undated papers have 0.
    """
    low, high = date_number(since) or ANY_DATE[0], date_number(until, last=True) or ANY_DATE[1]
    begun_before = {low // 10_000 * 10_000, low // 100 * 100} - {low, 0}
    return [(low, high), *((one, one) for one in sorted(begun_before))]


@lru_cache(maxsize=1 << 14)
def date_number(day: str, *, last: bool = False) -> int:
    """An ISO date as a number that sorts; 0 for anything else. last: fill a missing month or day with the last one."""
    parts = day.split("-")
    if not 1 <= len(parts) <= 3 or not all(part.isdecimal() and len(part) <= 4 for part in parts):
        return 0
    year, month, of_month = [*map(int, parts), *((99, 99) if last else (0, 0))][:3]
    return year * 10_000 + month * 100 + of_month
