"""A sentence as an answer quotes it."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from anagnosis.searching.records.passage import Passage

Share = Annotated[float, Meta(ge=0, le=1)]
Strength = Annotated[int, Meta(ge=0, le=3, description="how well it fits: 0 (not at all) to 3 (strongly)")]
Count = Annotated[int, Meta(ge=0)]
Rank = Annotated[int, Meta(ge=0, description="of the passage among the hits, from 1")]
TEXT, TITLE = "text", "title"  # the fields of a passage that a quotation can come from


class Evidence(msgspec.Struct, frozen=True):
    """A quoted sentence: characters [begin, end) of the passage's text, or of its title."""

    text: str
    begin: int
    end: int
    score: float
    strength: Strength
    rank: Rank
    passage: Passage
    stands_in: Literal["text", "title"] = TEXT


class CitedEvidence(Evidence, frozen=True, kw_only=True):
    """A quoted sentence. citation: the sentence with its paper, as text to paste."""

    citation: str
