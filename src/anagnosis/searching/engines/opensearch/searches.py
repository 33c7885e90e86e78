"""Searches of a cluster: one, several at once, and all of a long list; and the counts of words.

Each asks for the answers of all shards. A long list is read at one point in time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress

import msgspec

from anagnosis.searching.engines.one_answer import leave_out, may_leave_out, once
from anagnosis.searching.engines.opensearch.connection import Cluster, RefusedError
from anagnosis.searching.engines.opensearch.queries import PAPERS, PAPERS_AND_UNFINISHED, Json, any_of
from anagnosis.searching.engines.opensearch.replies import (
    Found,
    ManyTermVectors,
    PointInTime,
    Refusal,
    SearchReply,
    Shards,
)
from anagnosis.searching.engines.opensearch.schema import MOST_HITS

# BM25 with the counts of all shards.
_OF_ALL = {"search_type": "dfs_query_then_fetch"}
_PAGE = 10_000
_KEPT = "2m"  # a point in time between two pages
# Doc values alone: to read a stored field, even the id, takes longer than all else of a search.
_NO_SOURCE: Json = {"_source": False, "stored_fields": "_none_"}
_TOGETHER = 1_000  # values of one search
MARKED = ("document", "mark", "alias")  # what is listed of papers
_TRIED = 1_000  # routing values, among which there is one for each shard


class _Many(msgspec.Struct):
    responses: list[msgspec.Raw]


class Searches:
    """The searches of one cluster."""

    def __init__(self, cluster: Cluster) -> None:
        self.cluster = cluster
        self._routing: dict[_Shard, str] = {}

    @property
    def _partial(self) -> dict[str, str]:
        return {"allow_partial_search_results": str(may_leave_out()).lower()}

    def one(self, body: Json, *, with_scores: bool = False) -> SearchReply:
        """The answer to a search."""
        path = f"{self.cluster.alias}/_search"
        chosen = {**self._partial, **(_OF_ALL if with_scores else {})}
        return self._complete(body, self.cluster.send("POST", path, body, SearchReply, chosen))

    def _complete(self, body: Json, reply: SearchReply) -> SearchReply:
        """InputError: a reply of some shards alone, or without what the search asks for."""
        self.cluster.whole(reply.shards)
        if lacking := body.get("aggs", {}).keys() - reply.aggregations.keys():
            raise self.cluster.strange(f"no {min(lacking)} in aggregations")
        return reply

    def many(self, bodies: Sequence[Json]) -> list[SearchReply]:
        """The answers to several searches, none of which needs scores."""
        if not bodies:
            return []
        head = msgspec.json.encode({"allow_partial_search_results": may_leave_out()})
        lines = b"".join(head + b"\n" + msgspec.json.encode(body) + b"\n" for body in bodies)
        replies = self.cluster.send("POST", f"{self.cluster.alias}/_msearch", lines, _Many)
        read: list[SearchReply] = []
        if len(replies.responses) != len(bodies):
            raise self.cluster.strange(f"{len(replies.responses)} replies to {len(bodies)} searches")
        for body, raw in zip(bodies, replies.responses, strict=True):
            try:
                reply = msgspec.json.decode(raw, type=SearchReply)
            except msgspec.ValidationError:
                raise self.cluster.refused(503, msgspec.json.decode(raw, type=Refusal).error) from None
            read.append(self._complete(body, reply))
        return read

    def listed(self, wanted: Json, fields: Sequence[str], sort: Sequence[str | Json]) -> Iterator[Found]:
        """All documents of a query, as they are when the list begins, with doc values. sort: by what, rising."""
        opened = self.cluster.send(
            "POST",
            f"{self.cluster.alias}/_search/point_in_time",
            of=PointInTime,
            parameters={"keep_alive": _KEPT, "allow_partial_pit_creation": str(may_leave_out()).lower()},
        )
        self.cluster.whole(opened.shards)
        ident, after = opened.pit_id, {}
        try:
            while True:
                body = {
                    **_NO_SOURCE,
                    "size": _PAGE,
                    "query": wanted,
                    "docvalue_fields": list(fields),
                    "sort": list(sort),
                    "track_total_hits": False,
                    "pit": {"id": ident, "keep_alive": _KEPT},
                    **after,
                }
                reply = self.cluster.send("POST", "/_search", body, SearchReply, self._partial)
                self.cluster.whole(reply.shards)
                yield from reply.hits.hits
                if len(reply.hits.hits) < _PAGE:
                    return
                ident, after = reply.pit_id or ident, {"search_after": reply.hits.hits[-1].sort}
        finally:
            with suppress(RefusedError):
                self.cluster.send("DELETE", "/_search/point_in_time", {"pit_id": [ident]})

    def of_ids(self, ids: Iterable[str], limits: Json, field: str) -> Iterator[tuple[str, msgspec.Raw]]:
        """(id, source with this field alone) of those that are there and meet a condition.

        Up to _TOGETHER ids are read in one search: all passages of a paper are then as one command wrote them.
        """
        every = list(dict.fromkeys(ids))
        for begin in range(0, len(every), _TOGETHER):
            some: Json = {"ids": {"values": every[begin : begin + _TOGETHER]}}
            wanted: Json = {"bool": {"filter": [some, limits]}}
            body = {"query": wanted, "size": _TOGETHER, "_source": [field], "track_total_hits": False}
            for found in self.one(body).hits.hits:
                yield found.id, found.source

    def with_any(self, values: dict[str, list[str]]) -> Iterator[Found]:
        """The papers with any of these values in a field, each once, with the doc values of MARKED."""
        seen = set[str]()
        for found in self._papers(PAPERS, values, MARKED):
            document = text_of(found, "document")
            if document not in seen:
                seen.add(document)
                yield found

    def _papers(self, papers: Json, values: dict[str, list[str]], fields: Sequence[str]) -> Iterator[Found]:
        """The documents of papers with any of these values in a field. fields: the doc values to give."""
        named = [(field, one) for field, some in values.items() for one in some]
        for begin in range(0, len(named), _TOGETHER):
            some: dict[str, list[str]] = {}
            for name, one in named[begin : begin + _TOGETHER]:
                some.setdefault(name, []).append(one)
            wanted = [papers, any_of([{"terms": {name: each}} for name, each in some.items()])]
            body = {
                **_NO_SOURCE,
                "query": {"bool": {"filter": wanted}},
                "size": MOST_HITS,
                "docvalue_fields": list(fields),
                "track_total_hits": False,
            }
            yield from self.one(body).hits.hits

    def sizes(self, documents: Iterable[str]) -> Iterator[tuple[str, int]]:
        """(document, its number of passages) of those that are there, also of unfinished ones."""
        for found in self._papers(
            PAPERS_AND_UNFINISHED, {"document": list(documents)}, ("document", "passages")
        ):
            yield text_of(found, "document"), self.number_of(found, "passages")

    def number_of(self, found: Found, field: str) -> int:
        """The doc value of a field. InputError: there is none, or it is no number."""
        value = text_of(found, field)
        if not value.isdecimal():
            raise self.cluster.strange(f"no number in {field}")
        return int(value)

    def counts(self, conditions: Sequence[Json], within: Json) -> list[int]:
        """The number of documents that meet each condition, among those of a query."""
        if not conditions:
            return []
        filters = {str(number): one for number, one in enumerate(conditions)}
        aggregations = {"each": {"filters": {"filters": filters}}}
        found = self.one({"size": 0, "query": within, "aggs": aggregations}).aggregations["each"].named
        if lacking := filters.keys() - found.keys():
            raise self.cluster.strange(f"no count of {min(lacking)}")
        return [found[number].doc_count for number in filters]

    def total(self, field: str, wanted: Json) -> int:
        """The sum of a field over the documents of a query."""
        found = self.one({"size": 0, "query": wanted, "aggs": {field: {"sum": {"field": field}}}})
        return int(found.aggregations[field].value)

    def frequencies(self, words: Sequence[str]) -> dict[str, int]:
        """Word → passages that have it, of these and of others of the same answer, within which each is counted once.

        Deleted passages count until the cluster merges them away. A text that we make up asks each shard.
        """
        known = once((self, "frequencies"), dict[str, int])
        wanted = [word for word in dict.fromkeys(words) if word not in known]
        if wanted:
            known |= self._counted(wanted)
        return known

    def _counted(self, words: Sequence[str]) -> dict[str, int]:
        one = {
            "_index": self.cluster.alias[1:],
            "doc": {"content": " ".join(words)},
            "fields": ["content"],
            "term_statistics": True,
            "field_statistics": False,
            "positions": False,
            "offsets": False,
        }
        routings = once((self, "routings"), self._routings)
        body = {"docs": [{**one, "routing": routing} for routing in routings]}
        replies = self.cluster.send("POST", "/_mtermvectors", body, ManyTermVectors)
        failed = [shard.error for shard in replies.docs if shard.error is not None]
        of = len(replies.docs)
        if failed and not leave_out(f"{of - len(failed)} of {of} shards"):
            raise self.cluster.refused(503, failed[0])
        counts = dict.fromkeys(words, 0)
        for shard in replies.docs:
            for found in shard.term_vectors.values():
                for word in counts.keys() & found.terms.keys():
                    counts[word] += found.terms[word].doc_freq
        return counts

    def _routings(self) -> list[str]:
        """A routing value for each shard that is there. A rebuild may change their number between answers."""
        groups = self._shards()
        shards = [group[0] for group in groups if group]
        self.cluster.whole(Shards(len(groups), len(shards)))
        for number in range(_TRIED):
            if all(one in self._routing for one in shards):
                break
            for group in self._shards(routing=str(number)):
                self._routing |= {one: str(number) for one in group[:1] if one not in self._routing}
        return [self._routing[one] for one in shards]

    def _shards(self, **parameters: str) -> list[list[_Shard]]:
        """The copies of each shard, of one without any none. parameters: of the request."""
        path = f"{self.cluster.alias}/_search_shards"
        return self.cluster.send("GET", path, of=_ShardsOf, parameters=parameters).shards


class _Shard(msgspec.Struct, frozen=True):
    index: str
    shard: int


class _ShardsOf(msgspec.Struct):
    shards: list[list[_Shard]]


def text_of(found: Found, field: str) -> str:
    """The first doc value of a field; "" without one."""
    return str(next(iter(found.fields.get(field, ())), ""))
