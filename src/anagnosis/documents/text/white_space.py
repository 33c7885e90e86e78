"""White space of running text: what a file's layout put there is one blank, special blanks stay characters."""

from __future__ import annotations

import re

# XML's own white space; a thin or no-break space was chosen by an author.
_RUN = re.compile(r"[ \t\r\n]{2,}|[\t\r\n]")
_TWO = re.compile("  ")


def tidied(text: str) -> str:
    """`text` with each run of blanks, tabs and line ends as one blank, and none at its ends."""
    # The usual text needs no change, and these find that fastest.
    if "\n" in text or "\t" in text or "\r" in text or _TWO.search(text):
        text = _RUN.sub(" ", text)
    return text.strip(" ")
