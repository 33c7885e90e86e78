"""Tokenizers by name: functions from a text to its tokens, in order, parted by single blanks.

words     words with their hyphens, numbers with their points, and every other sign alone: "0.5 mg ( CT )"
blanks    what white space parts, for texts whose tokens are parted already
"""

from __future__ import annotations

import re
from collections.abc import Callable

from anagnosis.registry import find

Tokenizer = Callable[[str], str]

TOKENIZERS = {
    "words": "anagnosis.language.tokenizers:words",
    "blanks": "anagnosis.language.tokenizers:blanks",
}

# An abbreviation with points, a number, a possessive, a word with hyphens or apostrophes inside, or one other sign.
_TOKEN = re.compile(
    r"(?:[^\W\d_]\.){2,}|\d+(?:[.,]\d+)*|['’]s\b|[^\W\d_][^\W_]*(?:[-‐‑'’](?!s\b)[^\W_]+)*|\S"
)


def tokenizer(name: str) -> Tokenizer:
    """The tokenizer of that name. InputError: there is none."""
    return find(TOKENIZERS, name, "tokenizer")


def words(text: str) -> str:
    """Words, numbers and signs: "post-operative fever (38.5 °C)" becomes "post-operative fever ( 38.5 ° C )"."""
    return " ".join(_TOKEN.findall(text))


def blanks(text: str) -> str:
    """What white space parts."""
    # A printable text has no white space but blanks; most texts that are tokenised have single ones.
    if "  " not in text and text.isprintable():
        return text.strip()
    return " ".join(text.split())
