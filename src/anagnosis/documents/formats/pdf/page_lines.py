"""The lines of a page as PDFium gives them: text, place, font; without what a reader cannot see.

PDFium ends a line where a text moves on, also before and behind a superscript; `joined` puts such pieces together.
"""

from __future__ import annotations

import ctypes
import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any

import pypdfium2
import pypdfium2.raw as pdfium

from anagnosis.documents.formats.pdf.words import HYPHEN, UNKNOWN, cleaned
from anagnosis.documents.raised import LEFT_OUT, PLACES, SUPERSCRIPTS, is_power

_PIECE = re.compile(r"[^\r\n\ufffe]+")
_NO_MEANING = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ue000-\uf8ff\ufffe]")
_BREAKS = f"{HYPHEN}\x02\x03"
_TURNED = 0.1  # radians
_SUPERSCRIPT = 0.15  # of a font's size, above the line
_NUMBERS = r"\d{1,3}(?:[,–-]\d{1,3})*(?![\w+−-])"
_RAISED_NUMBER = re.compile(
    rf"(?P<exponent>(?<=10)[-−–]?\d{{1,2}}(?!\d))|(?<=[^\W\d_]){_NUMBERS}|(?<=[.,;:)\]”’%]){_NUMBERS}"
)
_CLOSES = frozenset(".,;:)]")
_DEEPEST = 15  # forms inside forms
_NOT_DRAWN = (3, 7)  # modes of rendering
_COVERING = 0.8  # of a page, by an image over which OCR has put its text

Box = tuple[float, float, float, float]  # left, bottom, right, top


@dataclass(slots=True)
class Line:
    """Text in a row. font, size: of most of its letters. left, bottom, right, top: points from the page's lower left.

    base: the height of its letters' feet. hyphen: a word is broken at its end. starts: of each of its pieces the offset
    in the text, and PDFium's character; neither lies behind the piece's first letter.
    """

    page: int
    text: str
    left: float
    bottom: float
    right: float
    top: float
    base: float
    size: float
    font: str
    hyphen: bool = False
    starts: tuple[tuple[int, int], ...] = ()

    def cut(self, length: int) -> None:
        """Leave out the first characters."""
        self.text = self.text[length:]
        self.starts = tuple((max(at - length, 0), index + max(length - at, 0)) for at, index in self.starts)


@dataclass(slots=True)
class PageLines:
    """A page. number: from 0. turned: its text that does not run from left to right.

    counts: what was left out, by name (docs/pdf.md).
    """

    number: int
    width: float
    height: float
    lines: list[Line] = field(default_factory=list[Line])
    turned: list[Line] = field(default_factory=list[Line])
    counts: Counter[str] = field(default_factory=Counter[str])


def page_lines(document: pypdfium2.PdfDocument, number: int) -> PageLines:
    """The lines of a page in PDFium's order. number: of the page, from 0."""
    page = document[number]
    try:
        text_page = page.get_textpage()
        try:
            return _Reading(page, text_page, number).lines()
        finally:
            text_page.close()
    finally:
        page.close()


def characters(text_page: Any) -> str:
    """One character for each index of PDFium's: HYPHEN, or UNKNOWN, where it has no meaning."""
    count = pdfium.FPDFText_CountChars(text_page)
    buffer = (ctypes.c_ushort * (count + 1))()
    got = pdfium.FPDFText_GetText(text_page, 0, count, buffer) - 1
    if got == count:
        text = "".join(map(chr, buffer[:count]))
    else:
        text = "".join(
            chr(min(pdfium.FPDFText_GetUnicode(text_page, at), 0xFFFF) or 0xFFFD) for at in range(count)
        )

    def meaning(sign: re.Match[str]) -> str:
        breaks = sign[0] in _BREAKS and pdfium.FPDFText_IsHyphen(text_page, sign.start()) == 1
        return HYPHEN if breaks else UNKNOWN

    return _NO_MEANING.sub(meaning, text)


class _Reading:
    def __init__(self, page: Any, text_page: Any, number: int) -> None:
        self.page, self.text_page, self.number = page, text_page, number
        self.rotation = page.get_rotation()
        self.box = _shown_box(page)
        width, height = self.box[2] - self.box[0], self.box[3] - self.box[1]
        self.result = PageLines(number, *((height, width) if self.rotation % 180 else (width, height)))
        self._fonts: dict[int, tuple[str, float]] = {}

    def lines(self) -> PageLines:
        text = characters(self.text_page)
        spans = [match.span() for match in _PIECE.finditer(text) if match[0].strip()]
        if hidden := hidden_texts(self.page):
            spans = list(self._visible_spans(text, spans, hidden))
        pieces = (self._line(text, begin, end) for begin, end in spans)
        self.result.lines = joined([line for line in pieces if line is not None])
        return self.result

    def _line(self, characters: str, begin: int, end: int) -> Line | None:
        own = characters[begin:end]
        first, last = begin + len(own) - len(own.lstrip()), begin + len(own.rstrip()) - 1
        middle = self._middle(characters, first, last + 1)
        # Font and size of most of three letters.
        font, size = begins if (begins := self._font(first)) == self._font(last) else self._font(middle)
        base = self._origin(middle)
        one, other = self.text_page.get_charbox(first), self.text_page.get_charbox(last)
        left, bottom, right, top = (*map(min, one[:2], other[:2]), *map(max, one[2:], other[2:]))
        box = self._turned_box(left, bottom, right, top)
        if not self._is_on_page(box):
            self.result.counts["invisible"] += len(own)
            return None
        if _RAISED_NUMBER.search(own):
            own = self._without_references(own, begin, base, size)
        hyphen = characters[end : end + 1] == HYPHEN
        text = cleaned(own, self.result.counts)
        line = Line(self.number, text, *box, base, size, font, hyphen, ((0, begin),))
        angle = pdfium.FPDFText_GetCharAngle(self.text_page, middle) + math.pi / 2 * (self.rotation // 90)
        if min(angle % (2 * math.pi), -angle % (2 * math.pi)) > _TURNED:
            self.result.turned.append(line)
            return None
        return line if line.text.strip() or hyphen else None

    def _is_on_page(self, box: Box) -> bool:
        x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
        width, height = self.result.width, self.result.height
        return -1 <= x <= width + 1 and -1 <= y <= height + 1

    def _turned_box(self, left: float, bottom: float, right: float, top: float) -> Box:
        """A box as it is seen on a page that is cropped, and shown turned."""
        x0, y0, x1, y1 = self.box
        match self.rotation:
            case 90:
                return bottom - y0, x1 - right, top - y0, x1 - left
            case 180:
                return x1 - right, y1 - top, x1 - left, y1 - bottom
            case 270:
                return y1 - top, left - x0, y1 - bottom, right - x0
            case _:
                return left - x0, bottom - y0, right - x0, top - y0

    def _middle(self, text: str, begin: int, end: int) -> int:
        """A letter in the middle, where no superscript is."""
        half = (begin + end) // 2
        places = (*range(half, end), *range(half - 1, begin - 1, -1))
        return next((at for at in places if text[at].isalpha()), half)

    def _font(self, at: int) -> tuple[str, float]:
        """Font and size, in points, of a letter: as of all of its text object."""
        address = text_address(self.text_page, at)
        if address in self._fonts:
            return self._fonts[address]
        buffer, flags, matrix = ctypes.create_string_buffer(128), ctypes.c_int(), pdfium.FS_MATRIX()
        pdfium.FPDFText_GetFontInfo(self.text_page, at, buffer, 128, flags)
        pdfium.FPDFText_GetMatrix(self.text_page, at, matrix)
        size = pdfium.FPDFText_GetFontSize(self.text_page, at) * math.hypot(matrix.c, matrix.d)
        # A page may have its own part of a font.
        found = buffer.value.decode(errors="replace").rpartition("+")[2], round(size, 1)
        if address:
            self._fonts[address] = found
        return found

    def _origin(self, at: int) -> float:
        """The height of the feet of a letter, as seen."""
        x, y = ctypes.c_double(), ctypes.c_double()
        pdfium.FPDFText_GetCharOrigin(self.text_page, at, x, y)
        return self._turned_box(x.value, y.value, x.value, y.value)[1]

    def _without_references(self, own: str, begin: int, base: float, size: float) -> str:
        """The text without superscript numbers of references."""

        def left_out(match: re.Match[str]) -> str:
            raised = all(
                self._origin(begin + at) - base > _SUPERSCRIPT * size
                for at in (match.start(), match.end() - 1)
            )
            if not raised:
                return match[0]
            if match["exponent"]:
                return match[0].translate(SUPERSCRIPTS)
            if is_power(own[: match.start()], match[0]):
                return match[0]
            self.result.counts["reference_number"] += 1
            return LEFT_OUT

        return PLACES.sub("", _RAISED_NUMBER.sub(left_out, own))

    def _visible_spans(
        self, text: str, spans: Sequence[tuple[int, int]], hidden: set[int]
    ) -> Iterator[tuple[int, int]]:
        """The parts of spans that are seen; what is not is counted without its blanks."""
        for begin, end in spans:
            for is_hidden, group in groupby(
                range(begin, end), key=lambda at: text_address(self.text_page, at) in hidden
            ):
                places = list(group)
                part = text[places[0] : places[-1] + 1]
                if is_hidden:
                    self.result.counts["invisible"] += len("".join(part.split()))
                elif part.strip():
                    yield places[0], places[-1] + 1


def hidden_texts(page: Any) -> set[int]:
    """The addresses of text objects that are not drawn; none of a page that an image covers, which OCR has read."""
    undrawn = {
        ctypes.addressof(found.contents)
        for found in _text_objects(page, pdfium.FPDFPage_CountObjects, pdfium.FPDFPage_GetObject)
        if pdfium.FPDFTextObj_GetTextRenderMode(found) in _NOT_DRAWN
    }
    if undrawn:
        whole = page.get_width() * page.get_height()
        images = page.get_objects(filter=[pdfium.FPDF_PAGEOBJ_IMAGE])
        boxes = (one.get_bounds() for one in images)
        if any((box[2] - box[0]) * (box[3] - box[1]) > _COVERING * whole for box in boxes):
            undrawn.clear()
    return undrawn


def text_address(text_page: Any, at: int) -> int:
    """What identifies the text object of a character; 0 where it has none."""
    found = pdfium.FPDFText_GetTextObject(text_page, at)
    return ctypes.addressof(found.contents) if found else 0


def joined(pieces: Sequence[Line]) -> list[Line]:
    """Pieces of one row, one behind the other, as one line."""
    lines: list[Line] = []
    for piece in pieces:
        last = lines[-1] if lines else None
        if last is not None and not last.hyphen and _goes_on(last, piece):
            gap = piece.left - last.right
            apart = gap > 0.18 * max(last.size, piece.size) and piece.text[:1] not in _CLOSES
            blank = " " if apart or last.text.endswith(" ") or piece.text.startswith(" ") else ""
            wider = last if len(last.text) >= len(piece.text) else piece
            before = f"{last.text.rstrip()}{blank}"
            lines[-1] = replace(
                wider,
                text=before + piece.text.lstrip(),
                left=min(last.left, piece.left),
                bottom=min(last.bottom, piece.bottom),
                right=max(last.right, piece.right),
                top=max(last.top, piece.top),
                hyphen=piece.hyphen,
                starts=(*last.starts, *((len(before), index) for _, index in piece.starts)),
            )
        else:
            lines.append(piece)
    return lines


def _goes_on(last: Line, piece: Line) -> bool:
    size = max(last.size, piece.size)
    return abs(piece.base - last.base) < 0.6 * size and -0.5 * size <= piece.left - last.right < 1.2 * size


def _text_objects(
    holder: Any, count: Callable[[Any], int], one_of: Callable[[Any, int], Any], depth: int = _DEEPEST
) -> Iterator[Any]:
    """Those of a page, or of a form on it."""
    for number in range(count(holder)):
        found = one_of(holder, number)
        kind = pdfium.FPDFPageObj_GetType(found)
        if kind == pdfium.FPDF_PAGEOBJ_TEXT:
            yield found
        elif kind == pdfium.FPDF_PAGEOBJ_FORM and depth:
            yield from _text_objects(
                found, pdfium.FPDFFormObj_CountObjects, pdfium.FPDFFormObj_GetObject, depth - 1
            )


def _shown_box(page: Any) -> Box:
    """The part of a page that is shown: its crop box inside its media box, or all of that."""
    crop, media = (
        (min(box[0], box[2]), min(box[1], box[3]), max(box[0], box[2]), max(box[1], box[3]))
        for box in (page.get_cropbox(), page.get_mediabox())
    )
    left, bottom, right, top = (*map(max, crop[:2], media[:2]), *map(min, crop[2:], media[2:]))
    return (left, bottom, right, top) if left < right and bottom < top else media
