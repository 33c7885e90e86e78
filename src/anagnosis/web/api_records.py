"""Answers of the API alone; those that the command line gives too are in searching/records."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from anagnosis.searching.records.paper import Paper
from anagnosis.searching.records.passage import Passage


class DocumentAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A paper. document: its id in the index. passages: of them all, those from offset on."""

    document: str
    title: str
    paper: Paper
    total: int
    offset: int
    passages: Sequence[Passage]


class CollectionAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """What there is to search. sections: names for the filter."""

    documents: int
    passages: int
    sections: Sequence[str]
    version: str


class State(msgspec.Struct, frozen=True, kw_only=True):
    """ok or ready."""

    status: str
