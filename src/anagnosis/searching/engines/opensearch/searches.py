"""Searches of a cluster: several in one request, and all of a long list. Each asks for the answers of all shards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from anagnosis.errors import InputError
from anagnosis.searching.engines.opensearch.connection import Cluster
from anagnosis.searching.engines.opensearch.entries import MOST_HITS
from anagnosis.searching.engines.opensearch.replies import Hit, Refusal, SearchReply
from anagnosis.searching.engines.queries import Json

# No answer without a shard; BM25 with the counts of all shards.
_HEAD = msgspec.json.encode({"allow_partial_search_results": False, "search_type": "dfs_query_then_fetch"})
PAPERS: Json = {"exists": {"field": "passages"}}  # neither the commit nor the lease
STORED: Json = {"_source": ["stored"], "seq_no_primary_term": True, "track_total_hits": False}
NAMES: Json = {**STORED, "_source": ["name"]}
_PAGE = 1_000  # papers
_TOGETHER = 1_000  # values of one search
_SEARCHES = 200  # of one request


class _Many(msgspec.Struct):
    responses: list[msgspec.Raw]


def many(cluster: Cluster, bodies: Sequence[Json]) -> list[SearchReply]:
    """The answers to several searches."""
    read: list[SearchReply] = []
    for begin in range(0, len(bodies), _SEARCHES):
        some = bodies[begin : begin + _SEARCHES]
        lines = b"".join(_HEAD + b"\n" + msgspec.json.encode(one) + b"\n" for one in some)
        replies = cluster.send("POST", f"{cluster.alias}/_msearch", lines, _Many).responses
        if len(replies) != len(some):
            raise cluster.strange(f"{len(replies)} replies to {len(some)} searches")
        for body, raw in zip(some, replies, strict=True):
            try:
                reply = msgspec.json.decode(raw, type=SearchReply)
            except msgspec.ValidationError as fault:
                raise _refused(cluster, raw, str(fault)) from None
            cluster.whole(reply.shards)
            if lacking := body.get("aggs", {}).keys() - reply.aggregations.keys():
                raise cluster.strange(f"no {min(lacking)} in aggregations")
            read.append(reply)
    return read


def _refused(cluster: Cluster, raw: msgspec.Raw, why: str) -> InputError:
    try:
        refusal = msgspec.json.decode(raw, type=Refusal)
        return cluster.refused(refusal.status, refusal.error)
    except msgspec.ValidationError:
        return cluster.strange(why)


def with_any(cluster: Cluster, field: str, values: Iterable[str], wanted: Json = STORED) -> Iterator[Hit]:
    """The papers with any of these values in a field, each once for each _TOGETHER values.

    wanted: what is read of them.
    """
    every = list(dict.fromkeys(values))
    for begin in range(0, len(every), _TOGETHER):
        some = {"terms": {field: every[begin : begin + _TOGETHER]}}
        yield from many(cluster, [{**wanted, "query": some, "size": MOST_HITS}])[0].hits.hits


def every_paper(cluster: Cluster) -> Iterator[Hit]:
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
