"""Group passages by paper: the best passages of many, with the other passages of each.

Papers come in the order of their best passages, so that they are in the order of the passages.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from anagnosis.searching.engines import Engine
from anagnosis.searching.records.answers import Hit, OtherSection, PaperFound

# A search looks at this many passages for each paper that it needs, and at five times more while there are too few.
_PASSAGES = 5
_LEAST, _MOST = 100, 50_000


class Group(NamedTuple):
    """The passages of a paper, best first."""

    best: Hit
    others: list[Hit]


def groups(search: Callable[[int], list[Hit]], wanted: int) -> list[Group]:
    """The best papers, at most `wanted`. search: gives this many best passages, fewer if there are no more."""
    depth = max(_LEAST, _PASSAGES * wanted)
    while True:
        hits = search(depth)
        papers: dict[str, Group] = {}
        for hit in hits:
            group = papers.setdefault(hit.passage.document, Group(hit, []))
            if group.best is not hit:
                group.others.append(hit)
        if len(papers) >= wanted or len(hits) < depth or depth >= _MOST:
            return list(papers.values())[:wanted]
        depth *= _PASSAGES


def papers_found(engine: Engine, found: Sequence[Group]) -> list[PaperFound]:
    """The papers of these groups, with their other passages."""
    documents = [group.best.passage.document for group in found]
    return [
        PaperFound(
            document,
            [
                OtherSection(hit.passage.number, hit.passage.section, hit.passage.heading)
                for hit in group.others
            ],
            paper,
        )
        for document, group, paper in zip(documents, found, engine.papers(documents), strict=True)
    ]
