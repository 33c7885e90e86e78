"""A page as an image on which a sentence is marked.

A page map says where each line begins among PDFium's characters. What the text leaves out of a line, such as the number
of a reference, moves the marks behind it in that line.
"""

from __future__ import annotations

import ctypes
import io
import math
from collections.abc import Iterator
from typing import Any

import pypdfium2.raw as pdfium
from PIL import Image, ImageChops

from anagnosis.documents.formats.pdf.messages import FileRequest, PageImage, Place
from anagnosis.documents.formats.pdf.paper import WIDEST, UnreadableError, opened

_MARK = (255, 226, 110)
_MOST_PIXELS = 12_000_000
_UNITS = 100_000  # in which PDFium tells where something stands on the shown page


def draw_page(asked: FileRequest) -> PageImage:
    """A page of a file. UnreadableError: no such page, or not drawn."""
    document = opened(asked.data)
    try:
        if not 1 <= asked.page <= len(document):
            raise UnreadableError(f"has no page {asked.page}; index it again")
        if max(document.get_page_size(asked.page - 1)) > WIDEST:
            raise UnreadableError("the page is larger than 200 inches; open the file itself")
        page = document[asked.page - 1]
        text_page = page.get_textpage()
        places = [place for begin, end in asked.marks for place in _rectangles(page, text_page, begin, end)]
        own_width, own_height = page.get_size()
        scale = min(asked.width / own_width, math.sqrt(_MOST_PIXELS / (own_width * own_height)))
        image = page.render(scale=scale, rev_byteorder=True).to_pil().convert("RGB")
        for left, top, right, bottom in places:
            x, y = image.size
            box = math.floor(left * x), math.floor(top * y), math.ceil(right * x), math.ceil(bottom * y)
            part = image.crop(box)
            image.paste(ImageChops.darker(part, Image.new("RGB", part.size, _MARK)), box)
        stream = io.BytesIO()
        image.save(stream, "PNG")
        return PageImage(stream.getvalue(), image.size, len(document), places)
    finally:
        document.close()  # with its pages


def _rectangles(page: Any, text_page: Any, begin: int, end: int) -> Iterator[Place]:
    """Those around characters, on the page as it is shown: one a font and line."""
    for number in range(pdfium.FPDFText_CountRects(text_page, begin, end - begin)):
        box = [ctypes.c_double() for _ in range(4)]
        pdfium.FPDFText_GetRect(text_page, number, *box)
        left, top, right, bottom = (side.value for side in box)
        corners = [on_shown_page(page, x, y) for x, y in ((left, top), (right, bottom))]
        (x0, x1), (y0, y1) = (sorted(pair) for pair in zip(*corners, strict=True))
        yield max(x0, 0.0), max(y0, 0.0), min(x1, 1.0), min(y1, 1.0)


def on_shown_page(page: Any, x: float, y: float) -> tuple[float, float]:
    """A place as shares of the shown page's width and height, from its upper left corner."""
    across, down = ctypes.c_int(), ctypes.c_int()
    pdfium.FPDF_PageToDevice(page, 0, 0, _UNITS, _UNITS, 0, x, y, across, down)
    return across.value / _UNITS, down.value / _UNITS
