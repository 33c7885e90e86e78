"""Searches of a cluster: several in one request, and all of a long list. Each asks for the answers of all shards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from anagnosis.errors import InputError
from anagnosis.searching.engines.opensearch.connection import Cluster
from anagnosis.searching.engines.opensearch.queries import PAPERS, Json
from anagnosis.searching.engines.opensearch.replies import Hit, Refusal, SearchReply
from anagnosis.searching.engines.opensearch.schema import MOST_HITS

_WHOLE = {"allow_partial_search_results": False}
# BM25 with the counts of all shards.
SCORED = {"search_type": "dfs_query_then_fetch"}
STORED: Json = {"_source": ["stored"], "seq_no_primary_term": True, "track_total_hits": False}
NAMES: Json = {**STORED, "_source": ["name"]}
_PAGE = 1_000  # papers
_TOGETHER = 1_000  # values of one search
_SEARCHES = 200  # of one request


class _Many(msgspec.Struct):
    responses: list[msgspec.Raw]


def many(cluster: Cluster, bodies: Sequence[Json], **of_first: str) -> list[SearchReply]:
    """The answers to several searches. of_first: how the first one is searched."""
    read: list[SearchReply] = []
    for begin in range(0, len(bodies), _SEARCHES):
        some = bodies[begin : begin + _SEARCHES]
        heads = [{**_WHOLE, **(of_first if not begin and not number else {})} for number in range(len(some))]
        pairs = zip(heads, some, strict=True)
        lines = b"".join(msgspec.json.encode(part) + b"\n" for pair in pairs for part in pair)
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
        return cluster.refused(503, msgspec.json.decode(raw, type=Refusal).error)
    except msgspec.ValidationError:
        return cluster.strange(why)


def with_any(cluster: Cluster, field: str, values: Iterable[str], wanted: Json = STORED) -> Iterator[Hit]:
    """The papers with any of these values in a field, each once for each _TOGETHER values.

    wanted: what is read of them.
    """
    every = list(dict.fromkeys(values))
    some = [every[begin : begin + _TOGETHER] for begin in range(0, len(every), _TOGETHER)]
    asked = [{**wanted, "query": {"terms": {field: one}}, "size": MOST_HITS} for one in some]
    for body in asked:
        yield from many(cluster, [body])[0].hits.hits


def every_paper(cluster: Cluster) -> Iterator[Hit]:
    """All papers, page by page."""
    body: Json = {**STORED, "size": _PAGE, "query": PAPERS, "sort": ["name"]}
    while True:
        found = many(cluster, [body])[0].hits.hits
        yield from found
        if len(found) < _PAGE:
            return
        body["search_after"] = found[-1].sort


def counts(cluster: Cluster, conditions: Sequence[Json]) -> list[int]:
    """The number of papers that meet each condition."""
    asked = [counted(one) for one in conditions]
    return [reply.hits.total.value for reply in many(cluster, asked)]


def counted(wanted: Json, **aggregations: Json) -> Json:
    """A search for the number of a query's papers, and for what is counted of them."""
    body: Json = {"size": 0, "track_total_hits": True, "query": wanted}
    return {**body, "aggs": aggregations} if aggregations else body
