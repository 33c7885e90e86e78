"""Comparison of a mention's text with the document's text at its offsets, for every format that has offsets."""

from __future__ import annotations

import re
import unicodedata

# Taggers write a Greek letter as the Latin letter that looks or sounds alike. Gene and chemical names use only these.
_GREEK = str.maketrans("αβγδεζηθικλμνξοπρστυφχψωµß", "abgdezhqiklmnxoprstufcywmb")
_BETWEEN = re.compile(r"[\W_]+")


def is_normalised(text: str, slice_: str) -> bool:
    """Whether `text` is the document's `slice_` after a tagger's normalisation.

    The comparison ignores case, compatibility forms (NFKC), Greek against Latin letters, and everything that is
    neither letter nor digit: "cxcr 1" equals "CXCR-1", "TNF-a" equals "TNF-α".
    """
    folded = _fold(text)
    return bool(folded) and folded == _fold(slice_)


def _fold(text: str) -> str:
    return _BETWEEN.sub("", unicodedata.normalize("NFKC", text).casefold().translate(_GREEK))
