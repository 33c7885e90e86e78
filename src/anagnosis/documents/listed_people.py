"""People from a list of names in one string, spelled as the fact `authors` (bibliography.py).

    "Elia, Gabriella; Martella, Vito"      CORD-19's tables, and our own: unchanged
    "Liu WH; Guo SN", "Liu WH, Guo SN"     PubTator: "Liu, WH; Guo, SN"
    "Keith G Heinzerling, Yingnian Wu"     names as printed: nobody can tell the family name, so each stays

A comma separates people only where every part between commas has two words or more; "Hellinger, Frank R, Jr" is one
person, and so is "van den Berg, Jan Peter", since one comma separates two people only if both have initials.
Tables of CORD-19 have entities of HTML in names, whose semicolon separates nobody: "O&apos;Neill, Ann".
"""

from __future__ import annotations

from collections.abc import Iterable
from html import unescape

from anagnosis.documents.bibliography import person_with_initials
from anagnosis.documents.text.white_space import tidied


def listed_people(names: str) -> list[str]:
    """The people in a string of names, each spelled as in the fact."""
    return [
        name if "," in name else person_with_initials(name)
        for part in unescape(names).split(";")
        for name in _people(tidied(part))
        if name
    ]


def _people(part: str) -> Iterable[str]:
    """The people in a part without semicolons."""
    pieces = [piece for each in part.split(",") if (piece := each.strip())]
    separate = all(" " in piece for piece in pieces) and (
        len(pieces) != 2 or all(person_with_initials(piece) != piece for piece in pieces)
    )
    return pieces if separate else (part.strip(" ,"),)
