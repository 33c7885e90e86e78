"""What the process that reads PDF files is asked, and what it answers."""

from __future__ import annotations

import msgspec

from anagnosis.documents.document import Document
from anagnosis.documents.page_map import PageMap

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


class Answer(msgspec.Struct, frozen=True):
    """A paper, or the image of a page. fault: why there is neither.

    counts: what was left out, by name (docs/pdf.md). refused: page (from 1) → why it could not be read.
    """

    document: Document = Document("", ())
    counts: dict[str, int] = {}
    refused: dict[int, str] = {}
    image: PageImage = PageImage()
    fault: str = ""
