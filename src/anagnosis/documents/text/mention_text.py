"""Does a mention's text stand where its offsets say? One answer for every format that has offsets."""

from __future__ import annotations

import re
import unicodedata

# Taggers write Greek letters as the Latin letter of the same look or sound; only the letters seen in gene and
# chemical names matter.
_GREEK = str.maketrans("αβγδεζηθικλμνξοπρστυφχψωµß", "abgdezhqiklmnxoprstufcywmb")
_BETWEEN = re.compile(r"[\W_]+")


def is_normalised(text: str, slice_: str) -> bool:
    """Whether `text` is the document's `slice_` after a tagger's normalisation.

    True when both are equal once case, compatibility forms (NFKC), Greek letters, and everything that is neither
    letter nor digit are folded away: "cxcr 1" for "CXCR-1", "TNF-a" for "TNF-α".
    """
    folded = _fold(text)
    return bool(folded) and folded == _fold(slice_)


def _fold(text: str) -> str:
    return _BETWEEN.sub("", unicodedata.normalize("NFKC", text).casefold().translate(_GREEK))
