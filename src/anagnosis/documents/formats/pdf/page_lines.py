"""The lines of a page as PDFium gives them: text, place, font; without what a reader cannot see.

PDFium ends a line where a text moves on, also before and behind a superscript; `joined` puts such pieces together.
"""

from __future__ import annotations

import ctypes
import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import pypdfium2
import pypdfium2.raw as pdfium

from anagnosis.documents.formats.pdf.characters import HYPHEN, UNKNOWN, cleaned
from anagnosis.documents.formats.pdf.visibility import Visibility

_PIECE = re.compile(r"[^\r\n\ufffe\x02\x03]+")
_NO_MEANING = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ue000-\uf8ff]")
_TURNED = 0.1  # radians
_SUPERSCRIPT = 0.15  # of a font's size, above the line
_REFERENCE = re.compile(
    r"(?<=[^\W\d_])\d{1,3}(?:[,–-]\d{1,3})*(?![\d+−-])|(?<=[.,;:)\]”’%])\d{1,3}(?:[,–-]\d{1,3})*(?![\d+−-])"
)

_LEFT_OUT = "\x00"  # where a number stood
_BEHIND = re.compile(r"\x00(?: (?=[.,;:)]))?")


@dataclass(slots=True)
class Line:
    """Text in a row. font, size: of most of its letters. left, bottom, right, top: points from the page's lower left.

    base: the height of its letters' feet. hyphen: a word is broken at its end.
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

    @property
    def width(self) -> float:
        return self.right - self.left


@dataclass(slots=True)
class PageLines:
    """A page. turned: its text that does not run from left to right. counts: characters that were left out, by why."""

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


class _Reading:
    def __init__(self, page: Any, text_page: Any, number: int) -> None:
        self.page, self.text_page, self.number = page, text_page, number
        self.rotation = page.get_rotation()
        self.box = page.get_cropbox()
        self.result = PageLines(*page.get_size())
        self.visible = Visibility(page, text_page)

    def lines(self) -> PageLines:
        text = self._characters()
        pieces: list[Line] = []
        hidden = False
        spans = [match.span() for match in _PIECE.finditer(text) if match[0].strip()]
        for begin, end in spans:
            if not all(self.visible.of(at) for at in {begin, (begin + end) // 2, end - 1}):
                hidden = True
        if hidden:
            spans = list(self._visible_spans(text, spans))
        for begin, end in spans:
            if (line := self._line(text, begin, end)) is not None:
                pieces.append(line)
        self.result.lines = joined(pieces)
        return self.result

    def _characters(self) -> str:
        """One character for each index of PDFium's."""
        count = pdfium.FPDFText_CountChars(self.text_page)
        buffer = (ctypes.c_ushort * (count + 1))()
        got = pdfium.FPDFText_GetText(self.text_page, 0, count, buffer) - 1
        if got == count:
            text = "".join(map(chr, buffer[:count]))
        else:
            text = "".join(
                chr(min(pdfium.FPDFText_GetUnicode(self.text_page, at), 0xFFFF) or 0xFFFD)
                for at in range(count)
            )
        if _NO_MEANING.search(text) or HYPHEN in text:
            text = self._with_hyphens(text)
        return text

    def _with_hyphens(self, text: str) -> str:
        """Hyphens at lines' ends as HYPHEN, other signs without a meaning as UNKNOWN."""
        chars = list(text)
        for at, char in enumerate(chars):
            if char in (HYPHEN, "\x02", "\x03"):
                chars[at] = HYPHEN if pdfium.FPDFText_IsHyphen(self.text_page, at) == 1 else UNKNOWN
            elif _NO_MEANING.match(char):
                chars[at] = UNKNOWN
        return "".join(chars)

    def _line(self, text: str, begin: int, end: int) -> Line | None:
        own = text[begin:end]
        count = pdfium.FPDFText_CountRects(self.text_page, begin, end - begin)
        if count < 1:
            return None
        boxes = [self._rect(number) for number in range(count)]
        left, bottom = min(box[0] for box in boxes), min(box[1] for box in boxes)
        right, top = max(box[2] for box in boxes), max(box[3] for box in boxes)
        hyphen = end < len(text) and text[end] == HYPHEN
        middle = self._middle(text, begin, end)
        font, size = self._main_font(text, begin, end, middle)
        angle = pdfium.FPDFText_GetCharAngle(self.text_page, middle) + math.pi / 2 * (self.rotation // 90)
        base = self._origin(middle)
        if count > 1 and _REFERENCE.search(own):
            own = self._without_references(own, begin, base, size)
        line = Line(
            self.number,
            cleaned(own, self.result.counts),
            *self._turned_box(left, bottom, right, top),
            base,
            size,
            font,
            hyphen,
        )
        if not (self.box[0] - 1 <= (left + right) / 2 <= self.box[2] + 1) or not (
            self.box[1] - 1 <= (bottom + top) / 2 <= self.box[3] + 1
        ):
            self.result.counts["invisible"] += len(own)
            return None
        if min(angle % (2 * math.pi), -angle % (2 * math.pi)) > _TURNED:
            self.result.turned.append(line)
            return None
        return line if line.text.strip() or hyphen else None

    def _rect(self, number: int) -> tuple[float, float, float, float]:
        left, top, right, bottom = (ctypes.c_double() for _ in range(4))
        pdfium.FPDFText_GetRect(self.text_page, number, left, top, right, bottom)
        return left.value, bottom.value, right.value, top.value

    def _turned_box(self, left: float, bottom: float, right: float, top: float) -> tuple[float, ...]:
        """A box as it is seen on a page that is shown turned."""
        x0, y0, x1, y1 = self.box
        match self.rotation:
            case 90:
                return bottom - y0, x1 - right, top - y0, x1 - left
            case 180:
                return x1 - right, y1 - top, x1 - left, y1 - bottom
            case 270:
                return y1 - top, left - x0, y1 - bottom, right - x0
            case _:
                return left, bottom, right, top

    def _middle(self, text: str, begin: int, end: int) -> int:
        """A letter in the middle, where no superscript is."""
        half = (begin + end) // 2
        for at in (*range(half, end), *range(half - 1, begin - 1, -1)):
            if text[at].isalpha():
                return at
        return half

    def _main_font(self, text: str, begin: int, end: int, middle: int) -> tuple[str, float]:
        """Font and size of most of three letters: the first, one in the middle, the last."""
        chosen = self._font(middle)
        letters = [at for at in range(begin, end) if text[at].isalnum()]
        if len(letters) < 3:
            return chosen
        first, last = self._font(letters[0]), self._font(letters[-1])
        return first if first == last else chosen

    def _font(self, at: int) -> tuple[str, float]:
        buffer, flags = ctypes.create_string_buffer(128), ctypes.c_int()
        pdfium.FPDFText_GetFontInfo(self.text_page, at, buffer, 128, flags)
        matrix = pdfium.FS_MATRIX()
        pdfium.FPDFText_GetMatrix(self.text_page, at, matrix)
        size = pdfium.FPDFText_GetFontSize(self.text_page, at) * math.hypot(matrix.c, matrix.d)
        return buffer.value.decode(errors="replace"), round(size, 1)

    def _origin(self, at: int) -> float:
        x, y = ctypes.c_double(), ctypes.c_double()
        pdfium.FPDFText_GetCharOrigin(self.text_page, at, x, y)
        return {90: -x.value, 180: -y.value, 270: x.value}.get(self.rotation, y.value)

    def _without_references(self, own: str, begin: int, base: float, size: float) -> str:
        """The text without superscript numbers of references."""

        def left_out(match: re.Match[str]) -> str:
            raised = all(
                self._origin(begin + at) - base > _SUPERSCRIPT * size
                for at in (match.start(), match.end() - 1)
            )
            if not raised or _is_unit(own[: match.start()]):
                return match[0]
            self.result.counts["reference_number"] += 1
            return _LEFT_OUT

        return _BEHIND.sub("", _REFERENCE.sub(left_out, own))

    def _visible_spans(self, text: str, spans: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
        for begin, end in spans:
            first = None
            for at in range(begin, end + 1):
                seen = at < end and (text[at].isspace() or self.visible.of(at))
                if seen and first is None:
                    first = at
                elif not seen and first is not None:
                    if text[first:at].strip():
                        yield first, at
                    first = None
                if at < end and not seen:
                    self.result.counts["invisible"] += 1


_UNITS = frozenset(
    (
        *("m", "cm", "mm", "dm", "nm", "μm", "km", "s", "h", "d", "min", "kg", "g", "mg", "l", "L", "ml", "mol"),
        *("r", "R", "P", "p", "x", "n", "χ", "i", "e"),
    )
)


def _is_unit(before: str) -> bool:
    """Whether a raised number behind this text is an exponent."""
    last = re.search(r"[^\W\d_]+$", before)
    return last is not None and last[0].replace("µ", "μ") in _UNITS


def joined(pieces: Sequence[Line]) -> list[Line]:
    """Pieces of one row, one behind the other, as one line."""
    lines: list[Line] = []
    for piece in pieces:
        last = lines[-1] if lines else None
        if last is not None and not last.hyphen and _goes_on(last, piece):
            gap = piece.left - last.right
            closes = piece.text[:1] in ".,;:)]"
            blank = (
                " "
                if not closes and gap > 0.18 * max(last.size, piece.size) and not last.text.endswith(" ")
                else ""
            )
            wider = last if len(last.text) >= len(piece.text) else piece
            lines[-1] = Line(
                last.page,
                f"{last.text}{blank}{piece.text}",
                min(last.left, piece.left),
                min(last.bottom, piece.bottom),
                max(last.right, piece.right),
                max(last.top, piece.top),
                wider.base,
                wider.size,
                wider.font,
                piece.hyphen,
            )
        else:
            lines.append(piece)
    return lines


def _goes_on(last: Line, piece: Line) -> bool:
    size = max(last.size, piece.size)
    return abs(piece.base - last.base) < 0.6 * size and -0.5 * size <= piece.left - last.right < 1.2 * size
