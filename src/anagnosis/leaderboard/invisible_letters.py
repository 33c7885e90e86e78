"""Characters that nothing shows although Python calls most of them printable, and some of them letters.

Two names that differ in them alone look the same, so no name may hold one.
"""

from __future__ import annotations

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


def is_invisible(char: str) -> bool:
    """Whether a character of a name would not be seen."""
    code = ord(char)
    return code == _BLANK or any(first <= code <= last for first, last in _RANGES)
