"""Mentions of which none overlaps another."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from typing import Protocol, TypeVar

from anagnosis.documents.repairs import Repairs


class Spanned(Protocol):
    """What has a start and an end, the end exclusive."""

    @property
    def start(self) -> int: ...

    @property
    def end(self) -> int: ...


S = TypeVar("S", bound=Spanned)


def apart(mentions: Iterable[S], repairs: Repairs) -> list[S]:
    """Mentions of one span, in order: of overlapping ones the longest stays, of equally long ones the leftmost.

    Of two in one place the first given stays. Counted: mention_overlapping.
    """
    kept: list[S] = []
    starts: list[int] = []
    ends: list[int] = []
    for mention in sorted(mentions, key=lambda each: (each.start - each.end, each.start)):
        place = bisect_right(starts, mention.start)
        if (place and ends[place - 1] > mention.start) or (
            place < len(starts) and starts[place] < mention.end
        ):
            repairs.count("mention_overlapping")
            continue
        kept.insert(place, mention)
        starts.insert(place, mention.start)
        ends.insert(place, mention.end)
    return kept
