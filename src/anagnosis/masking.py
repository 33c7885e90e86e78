"""Text from files, as it may be printed: no character in it that a terminal, a browser or an editor obeys.

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
    """The text with a sign for each such character: ␛ for ESC (U+2400 and on, as for all of C0), else �."""
    return _IN_TEXT.sub(_sign, text)


def masked_line(text: str) -> str:
    """The same on one line: newlines and tabs have signs too. For names of files, systems and documents."""
    return _IN_LINE.sub(_sign, text)


def escaped_json(json: str) -> str:
    """JSON with each such character as its escape sequence (\\u001b): the same values, safe to print.

    Outside strings JSON holds none of them but newlines and tabs.
    """
    return _IN_TEXT.sub(lambda found: f"\\u{ord(found[0]):04x}", json)


def unmasked(stream: T) -> T:
    """The stream beneath one that masks (cli/output.py), for who masks texts and adds colours of its own."""
    return getattr(stream, "unmasked", stream)


def _sign(found: re.Match[str]) -> str:
    code = ord(found[0])
    if code < 0x20:
        return chr(0x2400 + code)
    return "\N{SYMBOL FOR DELETE}" if code == 0x7F else "\N{REPLACEMENT CHARACTER}"
