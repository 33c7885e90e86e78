"""What the process that reads PDF files is asked, and what it answers."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from anagnosis.documents.document import Document
from anagnosis.documents.page_map import PageMap

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
    """A paper and its pages, or the image of a page. fault: why there is neither."""

    document: Document = Document("", ())
    pages: list[PageRead] = []
    image: PageImage = PageImage()
    fault: str = ""
