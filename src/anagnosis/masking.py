"""Masking of characters in text from files that a terminal, a browser or an editor would obey.

Such characters move cursors, change colours, reorder letters ("Trojan Source", Boucher and Anderson 2021) or break the
encoding: the controls C0 and C1 except newline and tab, the line and paragraph separators, Unicode's bidirectional
controls (UAX 9, section 2), and surrogates. Each becomes one visible sign, so that widths stay.
"""

from __future__ import annotations

import re
from typing import TypeVar

T = TypeVar("T")
_OBEYED = "\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff"
_IN_TEXT = re.compile(f"[{_OBEYED}]")
_IN_LINE = re.compile(f"[{_OBEYED}\n\t]")


def masked(text: str) -> str:
    """The text with a sign for each such character: U+2400 and on for C0 (␛ for ESC), else �."""
    return _IN_TEXT.sub(_sign, text)


def masked_line(text: str) -> str:
    """The text on one line, with signs for newlines and tabs too; for names of files, systems and documents."""
    return _IN_LINE.sub(_sign, text)


def escaped_json(json: str) -> str:
    """JSON with each such character as its escape sequence (\\u001b): the same values, safe to print.

    Outside strings JSON has none of them except newlines and tabs.
    """
    return _IN_TEXT.sub(lambda match: f"\\u{ord(match[0]):04x}", json)


def unmasked(stream: T) -> T:
    """The stream beneath a masking one (cli/output.py), for callers that mask text themselves and add colours."""
    return getattr(stream, "unmasked", stream)


def _sign(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code < 0x20:
        return chr(0x2400 + code)
    return "\N{SYMBOL FOR DELETE}" if code == 0x7F else "\N{REPLACEMENT CHARACTER}"
