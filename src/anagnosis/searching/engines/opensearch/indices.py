"""The indices of a collection in a cluster, and their aliases.

    papers-1    papers, papers-1.writes    it is searched
    papers-2    papers-2.writes            a rebuild fills it (rebuilding.py)

Readers use the first alias, which one step moves. A writer uses the second one: writes go to aliases alone, and what a
stopped writer still sends must not reach the index that has replaced its own.
"""

from __future__ import annotations

import re
from typing import Any

import msgspec

from anagnosis.errors import InputError
from anagnosis.searching.engines import AGAIN
from anagnosis.searching.engines.opensearch.connection import Cluster, RefusedError
from anagnosis.searching.engines.opensearch.schema import MAPPING, settings

_MISSING = 404


class _Aliases(msgspec.Struct):
    aliases: dict[str, Any] = {}


def make(cluster: Cluster, number: int, *aliases: str) -> str:
    """Make an empty index, and return its name. aliases: beside that of its writer."""
    own = cluster.connection
    name = f"{own.index}-{number}"
    made = {
        "settings": {"index": settings(own.shards, own.replicas)},
        "mappings": MAPPING,
        "aliases": {alias: {} for alias in (_of_writer(name), *aliases)},
    }
    cluster.send("PUT", f"/{name}", made)
    return name


def drop(cluster: Cluster, name: str) -> None:
    """Delete an index."""
    cluster.send("DELETE", f"/{name}")


def searched(cluster: Cluster) -> str:
    """The index behind the alias of readers; "" without one. InputError: there are several."""
    # Of this alias alone, since a user may not be let to ask about all.
    names = [*_named(cluster, f"{cluster.alias}/_alias{cluster.alias}")]
    if len(names) > 1:
        what = f"the alias {cluster.alias[1:]} names {len(names)} indices"
        raise InputError(what, cluster.where, "leave it to one of them")
    return next(iter(names), "")


def numbered(cluster: Cluster) -> dict[int, str]:
    """The indices of the collection by number, with those that nobody searches."""
    prefix = cluster.connection.index
    names = _named(cluster, f"/{prefix}-*/_alias")
    found = (re.fullmatch(rf"{re.escape(prefix)}-(\d+)", name) for name in names)
    return {int(one[1]): one[0] for one in found if one}


def to_write(cluster: Cluster) -> Cluster:
    """The cluster by the alias of the writer of what is searched now."""
    name = searched(cluster)
    alias = _of_writer(name)
    if alias not in _named(cluster, f"/{name}/_alias")[name].aliases:  # a restored index has another name
        cluster.send("PUT", f"/{name}/_alias/{alias}")
    return cluster.under(alias)


def to_fill(cluster: Cluster, name: str) -> Cluster:
    """The cluster by the alias of the writer of an index."""
    return cluster.under(_of_writer(name))


def check_mapping(cluster: Cluster) -> None:
    """InputError: another program or version made the index."""
    (mapping,) = cluster.send("GET", f"{cluster.alias}/_mapping").values()
    ours = {name: one["type"] for name, one in MAPPING["properties"].items()}
    properties: dict[str, Any] = mapping.get("mappings", {}).get("properties", {})
    theirs = {name: one.get("type", "object") for name, one in properties.items()}
    if theirs != ours:
        what = f"the index {cluster.connection.index} is another program's, or another version's"
        raise InputError(what, cluster.where, f"name another `index`, or delete this one and {AGAIN}")


def _of_writer(name: str) -> str:
    return f"{name}.writes"


def _named(cluster: Cluster, path: str) -> dict[str, _Aliases]:
    """The indices that a path names, with their aliases; none where it names none."""
    try:
        return cluster.send("GET", path, of=dict[str, _Aliases])
    except RefusedError as fault:
        if fault.status == _MISSING:
            return {}
        raise
