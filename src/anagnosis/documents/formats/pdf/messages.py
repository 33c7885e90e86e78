"""What the process that reads PDF files is asked, and what it answers."""

from __future__ import annotations

import msgspec

from anagnosis.documents.document import Document
from anagnosis.documents.page_map import PageMap

Place = tuple[float, float, float, float]  # left, top, right, bottom: shares of the page's width and height


Marks = list[tuple[int, int]]  # first of PDFium's characters of a line, and the one behind the last


def marked_characters(page_map: PageMap) -> dict[int, Marks]:
    """page → the characters of each line of a text with this map."""
    marks: dict[int, Marks] = {}
    for run in page_map.runs:
        if run.page:
            marks.setdefault(run.page, []).append((run.character, run.character + run.end - run.begin))
    return marks


class FileRequest(msgspec.Struct, frozen=True):
    """Read a file (its bytes), or draw a page of it (from 1) with marks. width: of the image, in pixels."""

    data: bytes
    page: int = 0
    marks: Marks = []
    width: int = 0
    seconds: int = 120


class PageImage(msgspec.Struct, frozen=True):
    """A page. size: of the image, in pixels. pages: of the file."""

    png: bytes = b""
    size: tuple[int, int] = (0, 0)
    pages: int = 0
    marks: list[Place] = []

    @property
    def marked(self) -> tuple[float, float, float]:
        """The left, upper and right edges of the first mark, in pixels; others may stand in another column."""
        left, top, right, _ = self.marks[0]
        width, height = self.size
        return left * width, top * height, right * width


class Answer(msgspec.Struct, frozen=True):
    """A paper, or the image of a page. fault: why there is neither.

    counts: what was left out, by name (docs/pdf.md). refused: page (from 1) → why it could not be read.
    """

    document: Document = Document("", ())
    counts: dict[str, int] = {}
    refused: dict[int, str] = {}
    image: PageImage = PageImage()
    fault: str = ""
