"""What `show` says of a PDF file: what was read of it, and what was left out of each page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from anagnosis.documents.formats.pdf.messages import Answer, PageRead
from anagnosis.documents.page_map import read_page_map
from anagnosis.showing import WithReport


class SectionRead(msgspec.Struct, frozen=True):
    """A section of a file: its label and heading, the number of characters of its text, and its pages."""

    label: str
    heading: str
    characters: int
    pages: tuple[int, ...]


class FileRead(WithReport, msgspec.Struct, frozen=True, kw_only=True):
    """What was read of a PDF file. facts: identifiers, by the names that say where they were found."""

    record: Literal["fileread"] = "fileread"
    title: str
    facts: dict[str, str]
    sections: Sequence[SectionRead]
    pages: Sequence[PageRead]


def file_read(answer: Answer) -> FileRead:
    """The record of a file that gave a document."""
    title, *others = answer.document.sections
    sections = [
        SectionRead(one.label, one.title, len(one.text), page_map.pages if page_map else ())
        for one in others
        for page_map in [read_page_map(one.page_map)]
    ]
    return FileRead(title=title.text, facts=answer.document.facts, sections=sections, pages=answer.pages)
