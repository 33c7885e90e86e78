"""The engine of a cluster: OpenSearch distributes passages over machines, and the ranking is the embedded engine's.

The place in the index folder is a file that names cluster and index (connection.py). The index has one document a
passage and one a paper (schema.py), under an alias. One process writes at a time (lock.py, writing.py).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from anagnosis.errors import InputError
from anagnosis.io.checksums import read_checked_json, write_checked_json
from anagnosis.searching.engines import AGAIN
from anagnosis.searching.engines.opensearch.connection import (
    Cluster,
    Connection,
    RefusedError,
    read_connection,
)
from anagnosis.searching.engines.opensearch.engine import OpenSearchEngine
from anagnosis.searching.engines.opensearch.queries import PASSAGES
from anagnosis.searching.engines.opensearch.repairs import stale_passages, unfinished
from anagnosis.searching.engines.opensearch.schema import MAPPING, settings
from anagnosis.searching.engines.opensearch.searches import Searches
from anagnosis.wording import counted

_MISSING = 404
_FIRST = "-1"  # behind the alias: the name of its first index


def create(place: Path, settings_file: Path | None = None) -> OpenSearchEngine:
    """Create an empty index in a cluster. InputError: no file says where, or the cluster has an index of that name."""
    if settings_file is None:
        raise InputError(
            "the engine opensearch needs a cluster", "--connection", "name a file (docs/cluster.md)"
        )
    connection = read_connection(settings_file)
    cluster = Cluster(connection)
    _ = cluster.about
    if _exists(cluster):
        _check_mapping(cluster)
        if not _is_empty(cluster):
            what = f"the cluster has an index {connection.index} with passages"
            raise InputError(what, cluster.where, "name another `index`, or delete this one")
    else:
        made = {
            "settings": {"index": settings(connection.shards, connection.replicas)},
            "mappings": MAPPING,
            "aliases": {connection.index: {}},
        }
        cluster.send("PUT", f"{cluster.alias}{_FIRST}", made)
    write_checked_json(place, connection)
    return OpenSearchEngine(cluster)


def open(place: Path) -> OpenSearchEngine:
    """Open the index of a cluster."""
    cluster = _cluster(place)
    _ = cluster.about
    if not _exists(cluster):
        raise InputError(f"the cluster has no index {cluster.connection.index}", cluster.where, AGAIN)
    _check_mapping(cluster)
    return OpenSearchEngine(cluster)


def is_empty(place: Path) -> bool:
    """Whether nothing was committed; see EngineModule."""
    if not place.exists():
        return True
    cluster = _cluster(place)
    return not _exists(cluster) or _is_empty(cluster)


def check(place: Path) -> Iterator[tuple[str, str]]:
    """(part, its fault, "" if it is sound): the file, and papers and passages that a killed command left."""
    cluster = _cluster(place)
    searches = Searches(cluster)
    yield place.name, ""
    left = unfinished(searches)
    fault = f"{counted(len(left), 'paper')} half written, first {min(left)}" if left else ""
    yield "papers", fault
    stale = sum(1 for _ in stale_passages(searches, left))
    yield "passages", f"{counted(stale, 'passage')} of no paper" if stale else ""


def remove(place: Path) -> None:
    """Remove everything that `create` made."""
    if place.exists():
        cluster = _cluster(place)
        for index in _indices(cluster):
            cluster.send("DELETE", f"/{index}")
        place.unlink()


def _cluster(place: Path) -> Cluster:
    return Cluster(read_checked_json(place, Connection, AGAIN))


def _indices(cluster: Cluster) -> dict[str, Any]:
    """The concrete indices of the alias; none without it."""
    try:
        return cluster.send("GET", f"/_alias/{cluster.connection.index}")
    except RefusedError as fault:
        if fault.status == _MISSING:
            return {}
        raise


def _exists(cluster: Cluster) -> bool:
    """Whether there is an index under the alias. InputError: several."""
    there = _indices(cluster)
    if len(there) > 1:
        what = f"the alias {cluster.connection.index} names {len(there)} indices"
        raise InputError(what, cluster.where, "leave it to one of them")
    return bool(there)


def _check_mapping(cluster: Cluster) -> None:
    """InputError: another program or version made the index."""
    found = cluster.send("GET", f"{cluster.alias}/_mapping")
    (mapping,) = found.values()
    ours = {name: one["type"] for name, one in MAPPING["properties"].items()}
    properties: dict[str, Any] = mapping.get("mappings", {}).get("properties", {})
    theirs = {name: one.get("type", "object") for name, one in properties.items()}
    if theirs != ours:
        what = f"the index {cluster.connection.index} is another program's, or another version's"
        raise InputError(what, cluster.where, f"name another `index`, or delete this one and {AGAIN}")


def _is_empty(cluster: Cluster) -> bool:
    return not Searches(cluster).counts([PASSAGES], PASSAGES)[0]
