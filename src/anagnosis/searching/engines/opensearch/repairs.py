"""What killed writers leave in a cluster: papers that are "being written", and passages of no paper.

Sums show whether there is any such passage, which a bulk leaves that arrives after its writer was unlocked. Only then
we list all passages.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from anagnosis.searching.engines.opensearch.queries import (
    PAPERS,
    PAPERS_AND_UNFINISHED,
    PASSAGES,
    UNFINISHED,
    any_of,
)
from anagnosis.searching.engines.opensearch.searches import Searches, text_of

_BEFORE_PASSAGES = {"number": {"missing": "_first"}}  # a paper has no number
_TOGETHER = 1_000  # documents of one count


def unfinished(searches: Searches) -> dict[str, int]:
    """The unfinished papers, with the largest number of passages that the cluster may have of each."""
    found = searches.listed(UNFINISHED, ("document", "passages"), ("document",))
    return {text_of(one, "document"): searches.number_of(one, "passages") for one in found}


def passages_of(searches: Searches, documents: list[str]) -> int:
    """The number of passages that are there of some documents."""
    some = [documents[at : at + _TOGETHER] for at in range(0, len(documents), _TOGETHER)]
    return sum(searches.counts([{"terms": {"document": each}} for each in some], PASSAGES))


def stale_passages(searches: Searches, waiting: Mapping[str, int]) -> Iterator[tuple[str, int]]:
    """(document, number) of the passages that no paper has. waiting: unfinished papers, with their sizes."""
    (there,) = searches.counts([PASSAGES], PASSAGES)
    if there == searches.total("passages", PAPERS) + passages_of(searches, [*waiting]):
        return
    fields = ("document", "number", "passages")
    document, size = "", 0
    for found in searches.listed(
        any_of([PAPERS_AND_UNFINISHED, PASSAGES]), fields, ("document", _BEFORE_PASSAGES)
    ):
        if (here := text_of(found, "document")) != document:
            document, size = here, 0
        if "passages" in found.fields:
            size = searches.number_of(found, "passages")
        elif (number := searches.number_of(found, "number")) >= size:
            yield document, number
