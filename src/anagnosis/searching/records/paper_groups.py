"""Passages in groups: a search shows each paper once, by its best passage."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from anagnosis.searching.records.paper import Paper

By = Literal["paper", "passage"]
GROUPINGS: tuple[By, ...] = ("paper", "passage")
BY_PAPER, BY_PASSAGE = GROUPINGS


class OtherSection(msgspec.Struct, frozen=True):
    """Another passage of the paper that fits: its number in the document, its section and heading."""

    number: int
    section: str
    heading: str


class PaperFound(msgspec.Struct, frozen=True):
    """A paper that a search shows by its best passage.

    more: its other passages among those that the search looked at, best first. paper: authors and the like; null if it
    was deleted meanwhile.
    """

    document: str
    more: Sequence[OtherSection] = ()
    paper: Paper | None = None
