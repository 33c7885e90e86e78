"""Papers are listed once, by their best passages, and all of a paper's passages come with it."""

from __future__ import annotations

from collections.abc import Callable

from anagnosis.searching.answers.asking import search
from anagnosis.searching.index.index import Index
from anagnosis.searching.index.listing import groups
from anagnosis.searching.records.hits import Hit
from anagnosis.searching.records.passage import Passage


def passages(*documents: str) -> Callable[[int], list[Hit]]:
    """A search that gives passages of these documents, one a letter."""
    numbers: dict[str, int] = {}
    hits: list[Hit] = []
    for rank, document in enumerate("".join(documents)):
        number = numbers[document] = numbers.get(document, -1) + 1
        hits.append(Hit(Passage(document, number, "results", "", "", "text"), 1000.0 - rank))
    return lambda limit: hits[:limit]


def listed(search_passages: Callable[[int], list[Hit]], wanted: int) -> list[tuple[str, list[int]]]:
    return [
        (one[0].passage.document, [hit.passage.number for hit in one[1:]])
        for one in groups(search_passages, wanted)[:wanted]
    ]


def test_papers_come_in_the_order_of_their_best_passages() -> None:
    assert listed(passages("abaacb"), 3) == [("a", [1, 2]), ("b", [1]), ("c", [])]
    assert listed(passages("abaacb"), 2) == [("a", [1, 2]), ("b", [1])]
    assert listed(passages(""), 2) == []


def test_a_search_looks_further_while_it_has_too_few_papers() -> None:
    asked: list[int] = []
    found = passages("a" * 700, "b")

    def counted(limit: int) -> list[Hit]:
        asked.append(limit)
        return found(limit)

    assert [name for name, _ in listed(counted, 2)] == ["a", "b"]
    assert asked == [100, 500, 2500]
    assert [name for name, _ in listed(passages("a" * 100, "b"), 1)] == ["a"]


def test_limit_and_offset_count_papers(index: Index) -> None:
    whole = search(index, "sleep tea")
    assert [hit.passage.document for hit in whole.found] == ["1", "4"]
    assert [one.number for one in whole.found[0].more] == [0]
    first = search(index, "sleep tea", limit=1)
    assert (first.found, first.more) == (whole.found[:1], True)
    second = search(index, "sleep tea", limit=1, offset=1)
    assert (second.found, [hit.rank for hit in second.found], second.more) == (whole.found[1:], [2], False)
    by_passage = search(index, "sleep tea", by="passage")
    assert [hit.passage.id for hit in by_passage.found] == ["1#1", "1#0", "4#0"]
    assert all(hit.paper and not hit.more for hit in by_passage.found)
