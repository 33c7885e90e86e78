"""What the process that reads PDF files is asked, what it answers, and what `show` says of that."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from anagnosis.documents.document import Document
from anagnosis.documents.page_map import PageMap, read_page_map
from anagnosis.showing import WithReport

READ, WITHOUT_TEXT, REFUSED = "read", "without_text", "refused"  # states of a page
Place = tuple[float, float, float, float]  # left, top, right, bottom: shares of the page's width and height


class MarkedLine(msgspec.Struct, frozen=True):
    """Characters [begin, end) of a line, which begins at about this character of PDFium's."""

    character: int
    text: str
    begin: int
    end: int


def marked_lines(text: str, page_map: PageMap, begin: int, end: int) -> dict[int, list[MarkedLine]]:
    """page → the lines on which characters [begin, end) of the text stand."""
    lines: dict[int, list[MarkedLine]] = {}
    for run in page_map.runs:
        if run.page and run.begin < end and run.end > begin:
            own = max(begin - run.begin, 0), min(end, run.end) - run.begin
            lines.setdefault(run.page, []).append(MarkedLine(run.character, text[run.begin : run.end], *own))
    return lines


class FileRequest(msgspec.Struct, frozen=True):
    """Read a file (its bytes), or draw a page of it (from 1) with lines marked. width: of the image, in pixels."""

    data: bytes
    page: int = 0
    lines: list[MarkedLine] = []
    width: int = 0
    seconds: int = 120


class PageImage(msgspec.Struct, frozen=True):
    """A page. size: of the image, in pixels. pages: of the file. missing: letters to mark that were not found."""

    png: bytes = b""
    size: tuple[int, int] = (0, 0)
    pages: int = 0
    marks: list[Place] = []
    missing: int = 0

    @property
    def marked(self) -> tuple[float, float, float]:
        """The left, upper and right edges of the marks, in pixels; there are some."""
        lefts, tops, rights, _ = zip(*self.marks, strict=True)
        width, height = self.size
        return min(lefts) * width, min(tops) * height, max(rights) * width


class PageRead(msgspec.Struct, frozen=True, omit_defaults=True):
    """A page, from 1. state: read, without_text or refused. left_out: counts by name (docs/pdf.md). why: refused."""

    number: int
    state: str
    left_out: dict[str, int] = {}
    why: str = ""


class Answer(msgspec.Struct, frozen=True):
    """A paper and its pages, or the image of a page. fault: why there is neither."""

    document: Document = Document("", ())
    pages: list[PageRead] = []
    image: PageImage = PageImage()
    fault: str = ""


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
