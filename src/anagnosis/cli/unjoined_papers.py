"""Print the papers of an index that might be part of one of several others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from anagnosis.showing import masked_line

if TYPE_CHECKING:
    from anagnosis.searching.records.paper import Unjoined

_SHOWN = 10


def print_unjoined(papers: Sequence[Unjoined]) -> None:
    """The number of these papers, and the first of them with their identifiers; nothing if there are none."""
    if not papers:
        return
    print(f"{len(papers):,} stand alone: their identifiers belong to several papers")
    for one in papers[:_SHOWN]:
        print(f"  {masked_line(one.document)}: {masked_line(', '.join(one.shared))}")
