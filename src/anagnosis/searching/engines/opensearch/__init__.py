"""The engine of a cluster: OpenSearch distributes papers over machines, and the ranking is the embedded engine's.

The place in the index folder is a file that names cluster and index (connection.py). The index has one document a
paper (entries.py), under an alias: writes go to it alone, so that none makes an index. One process writes at a time
(lease.py, writing.py).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from anagnosis.errors import InputError
from anagnosis.io.decoding import read_json
from anagnosis.io.files import write_json
from anagnosis.searching.engines.opensearch import searches
from anagnosis.searching.engines.opensearch.connection import (
    Cluster,
    Connection,
    RefusedError,
    read_connection,
)
from anagnosis.searching.engines.opensearch.engine import OpenSearchEngine
from anagnosis.searching.engines.opensearch.entries import MAPPING, settings
from anagnosis.searching.papers.records import AGAIN

_MISSING = 404


def create(place: Path, connection: Path | None = None) -> OpenSearchEngine:
    """Create an empty index in a cluster. InputError: no file says where, or the cluster has an index of that name."""
    if connection is None:
        what = "the engine opensearch needs a cluster"
        raise InputError(what, "--connection", "name a file (docs/cluster.md)")
    read = read_connection(connection)
    cluster = Cluster(read)
    _ = cluster.line
    if _index(cluster):
        _check_mapping(cluster)
        if searches.many(cluster, [searches.counted(searches.PAPERS)])[0].hits.total.value:
            what = f"the cluster has an index {read.index} with papers"
            raise InputError(what, cluster.where, "name another `index`, or delete this one")
    else:
        of_index = {"index": settings(read.shards, read.replicas)}
        made = {"settings": of_index, "mappings": MAPPING, "aliases": {read.index: {}}}
        cluster.send("PUT", f"{cluster.alias}-1", made)
    write_json(place, read)
    return OpenSearchEngine(cluster)


def open(place: Path, connection: Path | None = None) -> OpenSearchEngine:
    """Open the index of a cluster. connection: replaces the file of `create`, which is kept if this one fails."""
    cluster = _cluster(place)
    if connection is not None:
        before, read = cluster.connection, read_connection(connection)
        if read.index != before.index:
            what = f"this index is {before.index} of its cluster, not {read.index}"
            raise InputError(what, str(connection), "index into another folder with --out")
        cluster = Cluster(read)
    _ = cluster.line
    if not _index(cluster):
        raise InputError(f"the cluster has no index {cluster.connection.index}", cluster.where, AGAIN)
    _check_mapping(cluster)
    if connection is not None:
        write_json(place, cluster.connection)
    return OpenSearchEngine(cluster)


def check(place: Path) -> Iterator[tuple[str, str]]:
    """The file alone; whether all shards are there is seen when all papers are read."""
    yield place.name, ""


def remove(place: Path) -> None:
    """Remove everything that `create` made."""
    if place.exists():
        cluster = _cluster(place)
        if name := _index(cluster):
            cluster.send("DELETE", f"/{name}")
        place.unlink()


def _cluster(place: Path) -> Cluster:
    return Cluster(read_json(place, Connection, AGAIN))


def _index(cluster: Cluster) -> str:
    """The index behind the alias; "" without one."""
    try:
        # Of this alias alone, since a user may not be let to ask about all.
        return next(
            iter(cluster.send("GET", f"{cluster.alias}/_alias{cluster.alias}", of=dict[str, Any])), ""
        )
    except RefusedError as fault:
        if fault.status != _MISSING:
            raise
        return ""


def _check_mapping(cluster: Cluster) -> None:
    """InputError: another program or version made the index."""
    ours = {name: one["type"] for name, one in MAPPING["properties"].items()}
    for mapping in cluster.send("GET", f"{cluster.alias}/_mapping", of=dict[str, Any]).values():
        properties: dict[str, Any] = mapping.get("mappings", {}).get("properties", {})
        if {name: one.get("type", "object") for name, one in properties.items()} == ours:
            continue
        what = f"the index {cluster.connection.index} is another program's, or another version's"
        raise InputError(what, cluster.where, f"name another `index`, or delete this one and {AGAIN}")
