"""What recipes of questions with retrieved documents share."""

from __future__ import annotations

from typing import Annotated

import msgspec


class RankingRecipe(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """depth: at most so many documents of a question. k1, b: of BM25, as Lucene has them."""

    depth: Annotated[int, msgspec.Meta(ge=2, le=1000)] = 100
    k1: Annotated[float, msgspec.Meta(ge=0, le=100)] = 1.2
    b: Annotated[float, msgspec.Meta(ge=0, le=1)] = 0.75
