"""The engine of a cluster: OpenSearch distributes passages over machines, and the ranking is the embedded engine's.

The place in the index folder is a file that names cluster and index (connection.py). The index has one document a
passage and one a paper (schema.py), under aliases (indices.py). One process writes at a time (lock.py, writing.py).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from anagnosis.errors import InputError
from anagnosis.io.decoding import read_json
from anagnosis.io.files import write_json
from anagnosis.searching.engines import AGAIN
from anagnosis.searching.engines.opensearch import rebuilding
from anagnosis.searching.engines.opensearch.about import about_cluster
from anagnosis.searching.engines.opensearch.connection import Cluster, Connection, read_connection
from anagnosis.searching.engines.opensearch.engine import OpenSearchEngine
from anagnosis.searching.engines.opensearch.indices import check_mapping, drop, make, numbered, searched
from anagnosis.searching.engines.opensearch.lock import unlock as unlocked
from anagnosis.searching.engines.opensearch.queries import PASSAGES
from anagnosis.searching.engines.opensearch.repairs import stale_passages, unfinished
from anagnosis.searching.engines.opensearch.replies import Health
from anagnosis.searching.engines.opensearch.searches import Searches
from anagnosis.wording import counted

# What repairs what a killed command left.
CONTINUE = "give an `anagnosis index` command again"


def create(place: Path, connection: Path | None = None) -> OpenSearchEngine:
    """Create an empty index in a cluster. InputError: no file says where, or the cluster has an index of that name."""
    if connection is None:
        what = "the engine opensearch needs a cluster"
        raise InputError(what, "--connection", "name a file (docs/cluster.md)")
    read = read_connection(connection)
    cluster = Cluster(read)
    _ = cluster.about
    if searched(cluster):
        check_mapping(cluster)
        if not _is_empty(cluster):
            what = f"the cluster has an index {read.index} with passages"
            raise InputError(what, cluster.where, "name another `index`, or delete this one")
    else:
        make(cluster, max(numbered(cluster), default=0) + 1, read.index)
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
    _ = cluster.about
    if not searched(cluster):
        raise InputError(f"the cluster has no index {cluster.connection.index}", cluster.where, AGAIN)
    check_mapping(cluster)
    if connection is not None:
        write_json(place, cluster.connection)
    return OpenSearchEngine(cluster)


def rebuilt(place: Path) -> rebuilding.RebuiltEngine:
    """A second index beside the one that is searched; see EngineModule."""
    return rebuilding.RebuiltEngine(_cluster(place))


def drop_old(place: Path) -> list[str]:
    """Delete the indices that a rebuild has replaced; see EngineModule."""
    return rebuilding.drop_old(_cluster(place))


def unlock(place: Path) -> str:
    """Remove the lock; see EngineModule."""
    return unlocked(_cluster(place))


def about(place: Path) -> Iterator[tuple[str, str]]:
    """What a user may want to know of the cluster; see EngineModule."""
    return about_cluster(_cluster(place))


def is_empty(place: Path) -> bool:
    """Whether nothing was committed; see EngineModule."""
    if not place.exists():
        return True
    cluster = _cluster(place)
    return not searched(cluster) or _is_empty(cluster)


def check(place: Path) -> Iterator[tuple[str, str]]:
    """(part, its fault, "" if it is sound): the file, and papers and passages that a killed command left."""
    cluster = _cluster(place)
    yield place.name, ""
    if cluster.send("GET", f"/_cluster/health{cluster.alias}", of=Health).status == "red":
        yield "shards", "some have no copy on any node that runs; start the nodes that are missing"
        return
    searches = Searches(cluster)
    left = unfinished(searches)
    fault = f"{counted(len(left), 'paper')} half written, first {min(left)}; {CONTINUE}" if left else ""
    yield "papers", fault
    stale = sum(1 for _ in stale_passages(searches, left))
    yield "passages", f"{counted(stale, 'passage')} of no paper; {CONTINUE}" if stale else ""


def remove(place: Path) -> None:
    """Remove everything that `create` made."""
    if place.exists():
        cluster = _cluster(place)
        if name := searched(cluster):
            drop(cluster, name)
        place.unlink()


def _cluster(place: Path) -> Cluster:
    return Cluster(read_json(place, Connection, AGAIN))


def _is_empty(cluster: Cluster) -> bool:
    return not Searches(cluster).counts([PASSAGES], PASSAGES)[0]
