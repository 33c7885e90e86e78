"""The record of what a search added to a question: for each of its words the names that mean the same."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

Source = Literal["spelling", "terms", "abbreviation"]
SPELLING: Source = "spelling"
TERMS: Source = "terms"
ABBREVIATION: Source = "abbreviation"


class AddedName(msgspec.Struct, frozen=True):
    """A name that the search added.

    source: spelling (British or American), terms (of the index's vocabulary), or abbreviation (which papers of the
    index define).
    """

    text: str
    source: Source


class ExpandedWords(msgspec.Struct, frozen=True):
    """Words of a question, as typed, and the names that the search counts as the same."""

    words: str
    added: Sequence[AddedName]
