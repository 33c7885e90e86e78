"""Which papers do not meet a query's conditions, where no passage alone decides that (queries/paper_conditions.py).

A query of the library sees one passage at a time. So we list the passages of each part, and combine the keys of their
papers. A paper of one passage is its passage: the library decides about it, and it is in no list.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from anagnosis.searching.queries.paper_conditions import (
    decided_by_passages,
    holds_in_one_passage,
    required_parts,
    varies,
)
from anagnosis.searching.queries.tree import AllOf, AnyOf, Not, Part, any_of
from anagnosis.searching.queries.tree import Query as Tree

if TYPE_CHECKING:
    from tantivy import DocAddress, Query, Searcher

    from anagnosis.searching.engines.embedded.queries import Queries

KEY = "paper"  # the field
_DEEPER = 5  # factor by which a search deepens while papers are left out
_EVERY: frozenset[int] = frozenset()


def left_out(searcher: Searcher, queries: Queries, query: Tree) -> frozenset[int]:
    """The keys of papers with several passages that `Queries.matches` brings and that do not meet the conditions."""
    papers = _Papers(searcher, queries)
    required = required_parts(query)
    excluded = [part for part in query.excluded if varies(part)]
    dropped = frozenset[int]().union(*map(papers.of, excluded))
    if decided_by_passages(required):
        return dropped
    papers.listed.clear()
    meeting = papers.of_all(required)
    return dropped | frozenset().union(*papers.listed) - meeting


class _Papers:
    """Keys of papers with several passages. listed: those of each list of passages that was made."""

    def __init__(self, searcher: Searcher, queries: Queries) -> None:
        self._searcher, self._queries = searcher, queries
        self.listed: list[frozenset[int]] = []

    def of(self, part: Part) -> frozenset[int]:
        """The papers that have a part."""
        if holds_in_one_passage(part):
            return self._list(self._queries.condition(part))
        match part:
            case AnyOf(parts=parts):
                simple = any_of(one for one in parts if holds_in_one_passage(one))
                others = [self.of(one) for one in parts if not holds_in_one_passage(one)]
                return frozenset().union(*others, *([] if simple is None else [self.of(simple)]))
            case AllOf(parts=parts):
                return self.of_all(parts)
            case Not(part=inside):
                return self._list(self._queries.first()) - self.of(inside)
            case _:
                raise AssertionError(f"{part} holds in one passage")

    def of_all(self, parts: Sequence[Part]) -> frozenset[int]:
        """The papers that have all of these parts."""
        fixed = [one for one in parts if not varies(one)]
        moving = [one for one in parts if varies(one)]
        needed = [one for one in moving if not isinstance(one, Not)]
        simple = [one for one in needed if holds_in_one_passage(one)]
        # Names and dates limit each list, so that it is short.
        lists = [self._list(self._queries.of_all([*fixed, one])) for one in simple]
        lists += [self.of(one) for one in needed if not holds_in_one_passage(one)]
        if not simple:
            lists.append(self._list(self._queries.of_all(fixed) if fixed else self._queries.first()))
        negated = [self.of(one.part) for one in moving if isinstance(one, Not)]
        return frozenset.intersection(*lists).difference(*negated)

    def _list(self, query: Query) -> frozenset[int]:
        query = self._queries.beside_others(query)
        counted: Any = self._searcher.search(query, 1)
        if not counted.count:
            return _EVERY
        hits = self._searcher.search(query, int(counted.count), count=False, order_by_field=KEY).hits
        self.listed.append(frozenset([one for one, _ in hits]))
        return self.listed[-1]


class PaperSearcher:
    """A searcher that leaves out the passages of some papers, by their keys."""

    def __init__(self, searcher: Searcher, dropped: frozenset[int] = frozenset()) -> None:
        self.searcher, self._dropped = searcher, dropped

    def first(self, query: Query, limit: int, **order: Any) -> list[tuple[Any, DocAddress]]:
        """(value, place) of the first passages of a query. order: as for the library's search."""
        depth = limit
        while True:
            hits = self.searcher.search(query, depth, count=False, **order).hits
            kept = self.kept(hits)
            if len(kept) >= limit or len(hits) < depth:
                return kept[:limit]
            depth *= _DEEPER

    def kept(self, hits: list[tuple[Any, DocAddress]]) -> list[tuple[Any, DocAddress]]:
        """The hits whose papers are not left out."""
        if not self._dropped:
            return hits
        keys = self.searcher.fast_field_values(KEY, [place for _, place in hits])
        return [hit for hit, one in zip(hits, keys, strict=True) if one not in self._dropped]
