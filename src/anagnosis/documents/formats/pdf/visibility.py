"""Whether a reader sees a text: drawn, and inside its clipping path.

A text that is not drawn is what OCR has read, where an image covers the page; then it counts as seen.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any

import pypdfium2.raw as pdfium

_DEEPEST = 15  # forms inside forms
_NOT_DRAWN = (3, 7)  # modes of rendering
_COVERING = 0.8  # of a page, by an image over which OCR has put its text


class Visibility:
    """What is seen of one page."""

    def __init__(self, page: Any, text_page: Any) -> None:
        self.page, self.text_page = page, text_page
        self._objects: dict[int, bool] = {}

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
            is_drawn = pdfium.FPDFTextObj_GetTextRenderMode(found) not in _NOT_DRAWN
            self._objects[address] = _is_in_clip(found) if is_drawn else self._is_scan
        return self._objects[address]

    @cached_property
    def _is_scan(self) -> bool:
        """Whether an image covers the page, so that unseen text is what OCR has read on it."""
        whole = self.page.get_width() * self.page.get_height()
        images = self.page.get_objects(filter=[pdfium.FPDF_PAGEOBJ_IMAGE])
        boxes = (one.get_bounds() for one in images)
        return any((box[2] - box[0]) * (box[3] - box[1]) > _COVERING * whole for box in boxes)


def _is_in_clip(found: Any) -> bool:
    """Whether the middle of a text object lies in the boxes around all paths that clip it."""
    clip = pdfium.FPDFPageObj_GetClipPath(found)
    count = pdfium.FPDFClipPath_CountPaths(clip) if clip else 0
    if count <= 0:
        return True
    left, bottom, right, top = (ctypes.c_float() for _ in range(4))
    pdfium.FPDFPageObj_GetBounds(found, left, bottom, right, top)
    x, y = (left.value + right.value) / 2, (bottom.value + top.value) / 2
    return all(_is_around(clip, number, x, y) for number in range(count))


def _is_around(clip: Any, number: int, x: float, y: float) -> bool:
    points: list[tuple[float, float]] = []
    for at in range(pdfium.FPDFClipPath_CountPathSegments(clip, number)):
        across, up = ctypes.c_float(), ctypes.c_float()
        pdfium.FPDFPathSegment_GetPoint(pdfium.FPDFClipPath_GetPathSegment(clip, number, at), across, up)
        points.append((across.value, up.value))
    xs, ys = zip(*points, strict=True) if points else ((-math.inf, math.inf),) * 2
    return min(xs) - 1 <= x <= max(xs) + 1 and min(ys) - 1 <= y <= max(ys) + 1


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
