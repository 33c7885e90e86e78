"""Invented papers, as passages."""

from __future__ import annotations

from anagnosis.documents.document import Document, Section
from anagnosis.searching.passages import passages
from anagnosis.searching.records.passage import Passage


def paper(*parts: tuple[str, str], title: str = "", **facts: str) -> list[Passage]:
    """The passages of an abstract. parts: (heading, text)."""
    titled = (Section("title", title),) if title else ()
    return passages(
        Document(
            "p", (*titled, *(Section("abstract", text, heading) for heading, text in parts)), facts=facts
        )
    )
