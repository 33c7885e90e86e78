"""What `anagnosis check` tells of a cluster: version, nodes, disk, shards, the connection, and what the user may do.

Nothing is written: whether writing is allowed shows a deletion that no document meets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from anagnosis.searching.engines import NOTE
from anagnosis.searching.engines.opensearch.connection import Cluster, RefusedError
from anagnosis.searching.engines.opensearch.indices import numbered, searched, to_write
from anagnosis.searching.engines.opensearch.queries import PASSAGES
from anagnosis.searching.engines.opensearch.searches import Searches
from anagnosis.wording import counted

_GB = 1e9
# What empty values of a connection mean.
_DEFAULTS = {
    "ca": "the certificates that this machine trusts",
    "user": "none",
    "password_env": "none",
    "password_file": "none",
}
_NEVER = {"if_seq_no": str(2**53 - 1), "if_primary_term": "1"}  # no document has this number
_CONFLICT = 409
_SECONDS = 5  # a shard that is missing would be waited for


class _Health(msgspec.Struct):
    status: str
    number_of_nodes: int
    number_of_data_nodes: int
    active_primary_shards: int
    active_shards: int
    unassigned_shards: int


class _Total(msgspec.Struct):
    total_in_bytes: int = 0
    available_in_bytes: int = 0


class _Disk(msgspec.Struct):
    total: _Total = msgspec.field(default_factory=_Total)


class _Node(msgspec.Struct):
    fs: _Disk = msgspec.field(default_factory=_Disk)


class _Nodes(msgspec.Struct):
    nodes: dict[str, _Node] = {}


def about_cluster(cluster: Cluster) -> Iterator[tuple[str, str]]:
    """(name, value) of each; a NOTE is what to look at."""
    yield "version", f"OpenSearch {cluster.about.version.number}"
    for part in (_health, _disk):
        try:
            yield from part(cluster)
        except RefusedError as fault:
            yield NOTE, f"{part.__name__.strip('_')} is not shown: {fault.what}"
    now = searched(cluster)
    yield "index", now
    for name in numbered(cluster).values():
        if name != now:
            yield (
                NOTE,
                f"{name} is not searched: a rebuild fills it, was stopped, or has replaced it (--drop-old)",
            )
    for key, value in msgspec.to_builtins(cluster.connection).items():
        shown = ", ".join(value) if isinstance(value, tuple | list) else str(value)
        yield f"connection {key}", shown or _DEFAULTS[key]
    for what, trial in (("reading", _read), ("writing", _write)):
        yield what, _allowed(trial, cluster)


def _health(cluster: Cluster) -> Iterator[tuple[str, str]]:
    health = cluster.send("GET", f"/_cluster/health{cluster.alias}", of=_Health)
    yield "nodes", f"{health.number_of_nodes}, of which {health.number_of_data_nodes} hold data"
    (of_index,) = cluster.send("GET", f"{cluster.alias}/_settings", of=dict[str, dict[str, Any]]).values()
    own = of_index["settings"]["index"]
    shards, replicas = own["number_of_shards"], own["number_of_replicas"]
    yield "shards", f"{shards}, with {health.active_primary_shards} there"
    yield "replicas", f"{replicas} of each, with {health.active_shards - health.active_primary_shards} there"
    if health.unassigned_shards:
        waiting = counted(health.unassigned_shards, "shard copy").replace("copys", "copies")
        yield NOTE, f"{waiting} without a node: the cluster has too few, or waits for one to come back"


def _disk(cluster: Cluster) -> Iterator[tuple[str, str]]:
    disks = cluster.send("GET", "/_nodes/data:true/stats/fs", of=_Nodes).nodes.values()
    total = sum(one.fs.total.total_in_bytes for one in disks)
    used = total - sum(one.fs.total.available_in_bytes for one in disks)
    yield "disk", f"{used / _GB:,.1f} of {total / _GB:,.1f} GB used, on the nodes that hold data"


def _read(cluster: Cluster) -> None:
    searches = Searches(cluster)
    searches.many([{"size": 0, "query": PASSAGES}])
    searches.frequencies(["a"])
    next(searches.listed({"match_none": {}}, (), ("document",)), None)


def _write(cluster: Cluster) -> None:
    by_writer = to_write(cluster)
    by_writer.send("GET", "/_tasks", parameters={"actions": "indices:data/write/bulk*"})
    try:
        by_writer.send("DELETE", f"{by_writer.alias}/_doc/none", parameters=_NEVER, seconds=_SECONDS)
    except RefusedError as fault:
        if fault.status != _CONFLICT:
            raise


def _allowed(trial: Callable[[Cluster], None], cluster: Cluster) -> str:
    try:
        trial(cluster)
    except RefusedError as fault:
        return f"not allowed, or not possible: {fault.what}"
    return "allowed"
