"""Searches of a cluster: several in one request, and all of a long list. Each asks for the answers of all shards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from anagnosis.searching.engines.opensearch.connection import MISSING, Cluster, RefusedError
from anagnosis.searching.engines.opensearch.entries import MOST_HITS
from anagnosis.searching.engines.opensearch.replies import NO_HITS, Answer, Found
from anagnosis.searching.engines.queries import Json

# No answer without a shard; BM25 with the counts of all shards.
_HEAD = msgspec.json.encode({"allow_partial_search_results": False, "search_type": "dfs_query_then_fetch"})
PAPERS: Json = {"exists": {"field": "passages"}}  # neither the commit nor the lease
STORED: Json = {"_source": ["stored"], "seq_no_primary_term": True, "track_total_hits": False}
NAMES: Json = {**STORED, "_source": ["name"]}
_PAGE = 1_000  # papers
_TOGETHER = 1_000  # values of one search
_SEARCHES = 200  # of one request


def many(cluster: Cluster, bodies: Sequence[Json]) -> list[Answer]:
    """The answers to several searches."""
    read: list[Answer] = []
    for begin in range(0, len(bodies), _SEARCHES):
        some = bodies[begin : begin + _SEARCHES]
        lines = b"".join(_HEAD + b"\n" + msgspec.json.encode(one) + b"\n" for one in some)
        replies = cluster.send("POST", f"{cluster.alias}/_msearch", lines).responses
        if len(replies) != len(some):
            raise cluster.strange(f"{len(replies)} replies to {len(some)} searches")
        for body, reply in zip(some, replies, strict=True):
            if reply.error is not None:
                raise cluster.refused(reply.status or 503, reply.error)
            shards = reply.shards
            if shards.failed or shards.successful < shards.total:
                what = f"{shards.successful} of {shards.total} shards answered"
                raise RefusedError(503, what, cluster.where, MISSING)
            lacking = {*body.get("aggs", {})} - {*reply.aggregations}
            if lacking or reply.hits is NO_HITS:
                raise cluster.strange(f"no {min(lacking, default='hits')} in the answer to a search")
        read += replies
    return read


def with_any(cluster: Cluster, field: str, values: Iterable[str], wanted: Json = STORED) -> Iterator[Found]:
    """The papers with any of these values in a field, each once for each _TOGETHER values.

    wanted: what is read of them.
    """
    every = list(dict.fromkeys(values))
    for begin in range(0, len(every), _TOGETHER):
        some = {"terms": {field: every[begin : begin + _TOGETHER]}}
        yield from many(cluster, [{**wanted, "query": some, "size": MOST_HITS}])[0].hits.hits


def every_paper(cluster: Cluster) -> Iterator[Found]:
    """All papers, page by page."""
    body: Json = {**STORED, "size": _PAGE, "query": PAPERS, "sort": ["name"]}
    while True:
        found = many(cluster, [body])[0].hits.hits
        yield from found
        if len(found) < _PAGE:
            return
        body["search_after"] = found[-1].sort


def counted(wanted: Json, **aggregations: Json) -> Json:
    """A search for the number of a query's papers, and for what is counted of them."""
    body: Json = {"size": 0, "track_total_hits": True, "query": wanted}
    return {**body, "aggs": aggregations} if aggregations else body
