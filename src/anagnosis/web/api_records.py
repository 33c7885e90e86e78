"""Typed answers of the API alone; those that the command line gives too are in reports/search/records.py."""

from __future__ import annotations

from dataclasses import dataclass

from anagnosis.reports.search.records import Passage


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentAnswer:
    """passages: of them all, those from offset on."""

    document: str
    title: str
    total: int
    offset: int
    passages: list[Passage]


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectionAnswer:
    """What there is to search. sections: names for the filter."""

    documents: int
    passages: int
    sections: list[str]
    version: str


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """ok or ready."""

    status: str
