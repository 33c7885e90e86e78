"""What six papers say, read by eye from images of their pages (gold.json): title, DOI, headings, 30 sentences each.

gold.json keeps sentences as hashes: their first letters, how long they are, and a digest of all. Half of them go on
in another column, on another page, behind a figure, or have a word broken at the end of a line (`kind`).
"""

from __future__ import annotations

import re
import unicodedata
from hashlib import sha256
from pathlib import Path

import msgspec

FILE = Path(__file__).with_name("gold.json")
# What an eye does not tell apart.
_ALIKE = str.maketrans(
    {
        **dict.fromkeys("‐‑‒–—−", "-"),
        **dict.fromkeys("‘’′`´", "'"),
        **dict.fromkeys("“”″", '"'),
        **dict.fromkeys("˚º", "°"),
        "∆": "Δ",
        "∼": "~",
    }
)
_BLANK = re.compile(r"(?<![^\W_]) +| +(?![^\W_])")


class Sentence(msgspec.Struct, frozen=True):
    """kind: what makes it hard, "plain" for nothing. page: on which it begins, from 1. length: of `plain`."""

    kind: str
    page: int
    begins: str
    length: int
    digest: str


class Paper(msgspec.Struct, frozen=True):
    """headings: all on lines of their own, in order, up to that of the references."""

    title: str
    doi: str
    headings: list[str]
    sentences: list[Sentence]


def gold() -> dict[str, Paper]:
    """name of a file → what it says."""
    return msgspec.json.decode(FILE.read_bytes(), type=dict[str, Paper])


def plain(text: str) -> str:
    """A text as it is compared: of blanks those between letters or digits alone."""
    spaced = re.sub(r"\s+", " ", unicodedata.normalize("NFKC", text).translate(_ALIKE))
    return _BLANK.sub("", spaced)


def has(text: str, wanted: Sentence) -> bool:
    """Whether a text has a sentence, word for word. text: as of `plain`."""
    at = text.find(wanted.begins)
    while at >= 0:
        if _digest(text[at : at + wanted.length]) == wanted.digest:
            return True
        at = text.find(wanted.begins, at + 1)
    return False


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:16]
