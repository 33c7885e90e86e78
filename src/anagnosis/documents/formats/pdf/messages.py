"""What the process that reads PDF files is asked, and what it answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from anagnosis.documents.document import Document
from anagnosis.showing import WithReport

READ, WITHOUT_TEXT, REFUSED = "read", "without_text", "refused"  # states of a page
Place = tuple[float, float, float, float]  # left, top, right, bottom: shares of the page's width and height


class MarkedLine(msgspec.Struct, frozen=True):
    """Characters [begin, end) of a line, which begins at about PDFium's character `index`."""

    index: int
    text: str
    begin: int
    end: int


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


class ReadPaper(msgspec.Struct, tag=True):
    """Read a file. data: its bytes. passwords: to try."""

    data: bytes
    passwords: Sequence[str] = ()


class DrawPage(msgspec.Struct, tag=True):
    """Draw a page (from 1) of a file with lines marked on it. width: of the image, in pixels."""

    data: bytes
    page: int
    lines: list[MarkedLine]
    width: int
    passwords: Sequence[str] = ()


class Answer(msgspec.Struct, frozen=True):
    """A paper and its pages, or the image of a page. fault: why there is neither, "" if there is."""

    document: Document = Document("", ())
    pages: list[PageRead] = []
    image: PageImage = PageImage()
    fault: str = ""
