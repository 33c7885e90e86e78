"""A page as an image on which a sentence is marked.

A page map says where each line begins among PDFium's characters. Within a line the letters of the text and of the page
are put side by side, since the page has some that the text has not: numbers of references and of lines.
"""

from __future__ import annotations

import ctypes
import io
import math
from collections.abc import Iterator, Sequence
from typing import Any

import pypdfium2.raw as pdfium
from PIL import Image, ImageChops

from anagnosis.documents.formats.pdf.messages import MarkedLine, PageImage, Place
from anagnosis.documents.formats.pdf.opening import WIDEST, UnreadableError, opened
from anagnosis.documents.formats.pdf.page_lines import characters
from anagnosis.documents.formats.pdf.words import letters

_MARK = (255, 226, 110)
_MOST_PIXELS = 12_000_000
_BEFORE, _BEHIND = 8, 60  # characters around the place of a line, in which its first letters are looked for
_SAME = 5  # letters that show where two texts go on alike
_UNITS = 100_000  # in which PDFium tells where something stands on the shown page
_LEFT_OUT = 40  # letters of a page that a text may lack in one place


def draw_page(
    data: bytes, page: int, lines: Sequence[MarkedLine], width: int, passwords: Sequence[str] = ()
) -> PageImage:
    """The page (from 1) of a file. width: of the image, in pixels. UnreadableError: no such page, or not drawn."""
    document = opened(data, passwords)
    try:
        if not 1 <= page <= len(document):
            raise UnreadableError(f"has no page {page}; index it again")
        if max(document.get_page_size(page - 1)) > WIDEST:
            raise UnreadableError("the page is larger than 200 inches; open the file itself")
        return _drawn(document[page - 1], lines, width, len(document))
    finally:
        document.close()


def _drawn(page: Any, lines: Sequence[MarkedLine], width: int, pages: int) -> PageImage:
    text_page = page.get_textpage()
    try:
        ranges, missing = marked_ranges(characters(text_page), lines)
        places = [place for begin, end in ranges for place in _places(page, text_page, begin, end)]
    finally:
        text_page.close()
    own_width, own_height = page.get_size()
    scale = min(width / own_width, math.sqrt(_MOST_PIXELS / (own_width * own_height)))
    image = page.render(scale=scale, rev_byteorder=True).to_pil().convert("RGB")
    for left, top, right, bottom in places:
        x, y = image.size
        box = math.floor(left * x), math.floor(top * y), math.ceil(right * x), math.ceil(bottom * y)
        part = image.crop(box)
        image.paste(ImageChops.darker(part, Image.new("RGB", part.size, _MARK)), box)
    stream = io.BytesIO()
    image.save(stream, "PNG")
    return PageImage(stream.getvalue(), image.size, pages, places, missing)


def marked_ranges(page: str, lines: Sequence[MarkedLine]) -> tuple[list[tuple[int, int]], int]:
    """(begin and end of PDFium's characters that are marked, the number of letters that the page lacks)."""
    there, ranges, missing = letters(page), list[tuple[int, int]](), 0
    for line in lines:
        own = letters(line.text)
        pairs = dict(_aligned(own, there, line.character))
        last = -1
        for number, (_, at) in enumerate(own):
            if not line.begin <= at < line.end:
                continue
            if number not in pairs:
                missing += 1
                continue
            place = there[pairs[number]][1]
            if ranges and last >= 0 and pairs[number] <= last + 1:
                ranges[-1] = ranges[-1][0], place + 1
            else:
                ranges.append((place, place + 1))
            last = pairs[number]
    return ranges, missing


def _aligned(
    own: Sequence[tuple[str, int]], there: Sequence[tuple[str, int]], character: int
) -> Iterator[tuple[int, int]]:
    """(number of a letter of the line, of the same letter of the page), in their order. character: where it begins."""
    near = [number for number, (_, at) in enumerate(there) if character - _BEFORE <= at < character + _BEHIND]
    at = min(
        (number for number in near if _alike(own, 0, there, number)),
        key=lambda number: abs(there[number][1] - character),
        default=near[0] if near else len(there),
    )
    for number, (letter, _) in enumerate(own):
        if at < len(there) and there[at][0] == letter:
            yield number, at
            at += 1
            continue
        for behind in range(at + 1, min(at + _LEFT_OUT, len(there))):
            if _alike(own, number, there, behind):
                yield number, behind
                at = behind + 1
                break


def _alike(own: Sequence[tuple[str, int]], begin: int, there: Sequence[tuple[str, int]], at: int) -> bool:
    """Whether both go on with the same letters."""
    count = min(_SAME, len(own) - begin)
    return len(there) - at >= count and all(
        own[begin + step][0] == there[at + step][0] for step in range(count)
    )


def _places(page: Any, text_page: Any, begin: int, end: int) -> list[Place]:
    """The rectangles of characters, on the page as it is shown; one a line."""
    places: list[Place] = []
    for place in _rectangles(page, text_page, begin, end):
        last = places[-1] if places else None
        if last and min(last[3], place[3]) - max(last[1], place[1]) > 0.5 * (place[3] - place[1]):
            places[-1] = (
                *(min(last[0], place[0]), min(last[1], place[1])),
                *(max(last[2], place[2]), max(last[3], place[3])),
            )
        else:
            places.append(place)
    return places


def _rectangles(page: Any, text_page: Any, begin: int, end: int) -> Iterator[Place]:
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
