"""Whether a reader sees a text: drawn, inside its clipping path, in another colour than what is behind it.

A text that is not drawn is what OCR has read, where an image covers the page; then it counts as seen.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pypdfium2.raw as pdfium

_DEEPEST = 15  # forms inside forms
_NOT_DRAWN = (3, 7)  # modes of rendering
_COVERING = 0.8  # of a page, by an image over which OCR has put its text
_NEAR_WHITE = 240  # the least of a colour's parts
_CONTRAST = 16  # grey levels between letters that are seen and what is behind them


class Visibility:
    """What is seen of one page."""

    def __init__(self, page: Any, text_page: Any) -> None:
        self.page, self.text_page = page, text_page
        self._covered: bool | None = None
        self._seen: Callable[[tuple[float, ...]], bool] | None = None
        self._objects: dict[int, bool] = {}
        self._colour = [ctypes.c_uint() for _ in range(4)]

    def any_hidden(self) -> bool:
        """Whether any text object is not seen."""
        count = pdfium.FPDFPage_CountObjects(self.page)
        of_page = (pdfium.FPDFPage_GetObject(self.page, number) for number in range(count))
        return not all(self._of_object(found) for found in _texts(of_page, _DEEPEST))

    def address_of(self, at: int) -> int:
        """What identifies the text object of a character; 0 where it has none."""
        found = pdfium.FPDFText_GetTextObject(self.text_page, at)
        return ctypes.addressof(found.contents) if found else 0

    def of(self, at: int) -> bool:
        """Whether a character is seen. at: its place in the text of the page."""
        found = pdfium.FPDFText_GetTextObject(self.text_page, at)
        return self._of_object(found) if found else True

    def _of_object(self, found: Any) -> bool:
        address = ctypes.addressof(found.contents)
        if address not in self._objects:
            self._objects[address] = self._is_seen(found)
        return self._objects[address]

    def _is_seen(self, found: Any) -> bool:
        if pdfium.FPDFTextObj_GetTextRenderMode(found) in _NOT_DRAWN:
            return self._is_scan()
        clip = pdfium.FPDFPageObj_GetClipPath(found)
        for number in range(max(0, pdfium.FPDFClipPath_CountPaths(clip)) if clip else 0):
            left, bottom, right, top = _clip_box(clip, number)
            box = _bounds(found)
            x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
            if not (left - 1 <= x <= right + 1 and bottom - 1 <= y <= top + 1):
                return False
        red, green, blue, alpha = self._colour
        pdfium.FPDFPageObj_GetFillColor(found, red, green, blue, alpha)
        if alpha.value == 0 or min(red.value, green.value, blue.value) >= _NEAR_WHITE:
            return bool(self.page.get_rotation()) or self._has_contrast(_bounds(found))
        return True

    def _is_scan(self) -> bool:
        """Whether an image covers the page, so that unseen text is what OCR has read on it."""
        if self._covered is None:
            whole = self.page.get_width() * self.page.get_height()
            self._covered = any(
                (box[2] - box[0]) * (box[3] - box[1]) > _COVERING * whole
                for one in self.page.get_objects(filter=[pdfium.FPDF_PAGEOBJ_IMAGE])
                for box in [one.get_bounds()]
            )
        return self._covered

    def _has_contrast(self, box: tuple[float, float, float, float]) -> bool:
        """Whether a place of the drawn page is not all of one colour."""
        if self._seen is None:
            bitmap = self.page.render(scale=1, grayscale=True, may_draw_forms=False)
            stride, width, height = bitmap.stride, bitmap.width, bitmap.height
            drawn = bytes(bitmap.buffer)
            bitmap.close()
            x0, y1 = shown_box(self.page)[0], shown_box(self.page)[3]

            def seen(place: tuple[float, ...]) -> bool:
                left, right = max(0, int(place[0] - x0)), min(width, math.ceil(place[2] - x0))
                first, last = max(0, int(y1 - place[3])), min(height, math.ceil(y1 - place[1]))
                rows = [drawn[row * stride + left : row * stride + right] for row in range(first, last)]
                values = b"".join(rows)
                return bool(values) and max(values) - min(values) >= _CONTRAST

            self._seen = seen
        return self._seen(box)


def _texts(objects: Iterable[Any], depth: int) -> Iterator[Any]:
    """The text objects among these and in their forms. depth: of forms inside forms."""
    for one in objects:
        kind = pdfium.FPDFPageObj_GetType(one)
        if kind == pdfium.FPDF_PAGEOBJ_TEXT:
            yield one
        elif kind == pdfium.FPDF_PAGEOBJ_FORM and depth:
            count = pdfium.FPDFFormObj_CountObjects(one)
            inside = (pdfium.FPDFFormObj_GetObject(one, number) for number in range(count))
            yield from _texts(inside, depth - 1)


def shown_box(page: Any) -> tuple[float, float, float, float]:
    """The part of a page that is shown: its crop box inside its media box, or all of that."""
    crop, media = (_ordered(box) for box in (page.get_cropbox(), page.get_mediabox()))
    left, bottom, right, top = (*map(max, crop[:2], media[:2]), *map(min, crop[2:], media[2:]))
    return (left, bottom, right, top) if left < right and bottom < top else media


def _ordered(box: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
    return min(box[0], box[2]), min(box[1], box[3]), max(box[0], box[2]), max(box[1], box[3])


def _bounds(found: Any) -> tuple[float, float, float, float]:
    left, bottom, right, top = (ctypes.c_float() for _ in range(4))
    pdfium.FPDFPageObj_GetBounds(found, left, bottom, right, top)
    return left.value, bottom.value, right.value, top.value


def _clip_box(clip: Any, number: int) -> tuple[float, float, float, float]:
    points: list[tuple[float, float]] = []
    for at in range(pdfium.FPDFClipPath_CountPathSegments(clip, number)):
        x, y = ctypes.c_float(), ctypes.c_float()
        pdfium.FPDFPathSegment_GetPoint(pdfium.FPDFClipPath_GetPathSegment(clip, number, at), x, y)
        points.append((x.value, y.value))
    xs, ys = [x for x, _ in points] or [-math.inf, math.inf], [y for _, y in points] or [-math.inf, math.inf]
    return min(xs), min(ys), max(xs), max(ys)
