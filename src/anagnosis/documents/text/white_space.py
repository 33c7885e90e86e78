"""White space of running text: a file's line breaks and indents become one blank, special blanks stay."""

from __future__ import annotations

import re

# XML's white space only; thin and no-break spaces are the author's choice.
_RUN = re.compile(r"[ \t\r\n]{2,}|[\t\r\n]")
_TWO = re.compile("  ")


def tidied(text: str) -> str:
    """`text` with each run of blanks, tabs and line ends as one blank, and none at either end."""
    # Most texts need no change; these tests show that fastest.
    if "\n" in text or "\t" in text or "\r" in text or _TWO.search(text):
        text = _RUN.sub(" ", text)
    return text.strip(" ")
