"""Which spellings of a team's name are one team: a limit of entries must not depend on how a name is written.

Names that differ only in case, width or style of letters, accents, blanks, signs, characters that nothing shows, or
letters of Cyrillic and Greek that look like Latin ones are one team.
"""

from __future__ import annotations

import unicodedata

# Letters that look like Latin ones as capitals or as small letters, after Unicode's list of confusable characters
# (UTS #39, confusables.txt). A letter whose two cases look like different Latin ones stands with its capital's.
# Not formatted: a letter a line would be a page.
_CYRILLIC = {
    "а": "a", "в": "b", "с": "c", "ԁ": "d", "е": "e", "һ": "h", "н": "h", "і": "i", "ї": "i", "ј": "j",
    "к": "k", "ӏ": "l", "м": "m", "о": "o", "р": "p", "ԛ": "q", "ѕ": "s", "т": "t", "ѵ": "v", "ԝ": "w",
    "х": "x", "у": "y", "ү": "y",
}  # fmt: skip
_GREEK = {
    "α": "a", "β": "b", "ε": "e", "η": "h", "ι": "i", "κ": "k", "μ": "m", "ν": "n", "ο": "o", "ρ": "p",
    "τ": "t", "υ": "y", "χ": "x", "ζ": "z",
}  # fmt: skip
_LATIN = {"ı": "i", "ɡ": "g", "ɑ": "a", "ʏ": "y", "ɩ": "i"}
_LOOKALIKES = str.maketrans({**_CYRILLIC, **_GREEK, **_LATIN})
_ACCENTS = range(0x0300, 0x0370)  # other marks are part of letters, as in Japanese

# Default_Ignorable_Code_Point of Unicode 16 (DerivedCoreProperties.txt), first and last of each range. Among them are
# the fillers of Hangul (U+115F, U+1160, U+3164, U+FFA0), which are letters, and the variation selectors.
_RANGES = (
    (0x00AD, 0x00AD),
    (0x034F, 0x034F),
    (0x061C, 0x061C),
    (0x115F, 0x1160),
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),
    (0x200B, 0x200F),
    (0x202A, 0x202E),
    (0x2060, 0x206F),
    (0x3164, 0x3164),
    (0xFE00, 0xFE0F),
    (0xFEFF, 0xFEFF),
    (0xFFA0, 0xFFA0),
    (0xFFF0, 0xFFF8),
    (0x1BCA0, 0x1BCA3),
    (0x1D173, 0x1D17A),
    (0xE0000, 0xE0FFF),
)
_BLANK = 0x2800  # the pattern of Braille without a dot, which looks like a blank


def team_key(team: str) -> str:
    """The same for all spellings of a team's name; only for comparison, never for a page."""
    folded = unicodedata.normalize("NFKC", team).casefold()
    plain = "".join(map(_without_accents, unicodedata.normalize("NFC", folded))).translate(_LOOKALIKES)
    return "".join(char for char in plain if char.isalnum() and not is_invisible(char)) or folded


def _without_accents(char: str) -> str:
    letter, *marks = unicodedata.normalize("NFD", char)
    return letter if all(ord(mark) in _ACCENTS for mark in marks) else char


def is_invisible(char: str) -> bool:
    """Whether a character of a name would not be seen."""
    code = ord(char)
    return code == _BLANK or any(first <= code <= last for first, last in _RANGES)
