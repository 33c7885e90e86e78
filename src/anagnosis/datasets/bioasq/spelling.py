"""How the organisers' files spell their JSON: one object, `questions`, indented; three ways over the years.

    edition 1           indent 4, ", " before a line's end, ASCII       Python 2's json.dumps
    editions 2 to 8     indent 2, the same
    editions 9 to 11    indent 2, ",", < > & = ' escaped, others raw   Gson

A few lists were mended by hand, and one file (10B1) was laid out anew by another program: what is spelled otherwise
than the rest of its file is kept as its text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any, Literal

import msgspec

ONE_LINE = -1

_BEGINNING = re.compile(r'\{(\n *)?"[^"\\]*"(: ?)[\["]')
_COMMA = re.compile(r",( ?)\n")
_COMMA_INSIDE = re.compile(r",( ?)")
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"?')
_HTML_ESCAPE = re.compile(r"\\u00(?:3[cde]|2[67])")
_HTML = str.maketrans({sign: f"\\u{ord(sign):04x}" for sign in "<>&='\u2028\u2029"})


class Spelling(msgspec.Struct, frozen=True):
    """indent: blanks a level, ONE_LINE for none. comma: with the blank behind it. colon likewise. end: behind all.

    escapes: of what is not ASCII (ascii), of nothing (raw), or of < > & = ' (html, as Gson does).
    """

    indent: int = 2
    comma: Literal[",", ", "] = ","
    colon: Literal[":", ": "] = ": "
    escapes: Literal["ascii", "raw", "html"] = "html"
    end: str = ""

    def text(self, value: Any, level: int) -> str:
        """A value as it stands so many levels deep."""
        indent = None if self.indent == ONE_LINE else self.indent
        separators = (self.comma, self.colon)
        text = json.dumps(value, indent=indent, separators=separators, ensure_ascii=self.escapes == "ascii")
        if self.escapes == "html":
            text = text.translate(_HTML)  # these signs stand in strings only
        return text if indent is None else text.replace("\n", self.line(level))

    def line(self, level: int) -> str:
        """A line's end and what the next one begins with."""
        return "" if self.indent == ONE_LINE else "\n" + " " * (self.indent * level)


class SpelledFile:
    """A file in a spelling, question by question; `write` gets its bytes, and `close` says that there are no more."""

    def __init__(self, spelling: Spelling, write: Callable[[bytes], object]) -> None:
        self._spelling = spelling
        self._write = write
        self.questions = 0

    def add(self, text: str) -> None:
        """One question, as its text."""
        line = self._spelling.line
        between = self._spelling.comma if self.questions else self._before()
        self._write(f"{between}{line(2)}{text}".encode())
        self.questions += 1

    def close(self) -> None:
        """What stands behind the questions."""
        line = self._spelling.line
        before = line(1) if self.questions else self._before()
        self._write(f"{before}]{line(0)}}}{self._spelling.end}".encode())

    def _before(self) -> str:
        return f'{{{self._spelling.line(1)}"questions"{self._spelling.colon}['


class SpellingSeen:
    """Finds a file's spelling: its layout from how the file begins, the escapes from all of its questions."""

    def __init__(self, head: bytes) -> None:
        text = head.decode("utf-8", "ignore")
        begins = _BEGINNING.match(text)
        self._colon = begins[2] if begins else ": "
        self._indent = len(begins[1]) - 1 if begins and begins[1] else ONE_LINE
        comma = _COMMA.search(text) if self._indent >= 0 else _COMMA_INSIDE.search(_STRING.sub("", text))
        self._comma = f",{comma[1]}" if comma else ","
        self._raw = self._html = False

    def add(self, text: str) -> None:
        """One question's text."""
        self._raw = self._raw or not text.isascii()
        self._html = self._html or _HTML_ESCAPE.search(text) is not None

    def spelling(self, end: str) -> Spelling:
        """What was found. end: what stands behind the object."""
        escapes = "html" if self._html else "raw" if self._raw else "ascii"
        return msgspec.convert(
            {
                "indent": self._indent,
                "comma": self._comma,
                "colon": self._colon,
                "escapes": escapes,
                "end": end,
            },
            Spelling,
        )
