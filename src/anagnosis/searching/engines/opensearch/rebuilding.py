"""A second index, which a command fills while the first one is searched, and which one step puts in its place.

The command holds the lock of the first index, too, so that no other one writes meanwhile. A rebuild that was killed
leaves readers with the first index, and the next rebuild begins anew.
"""

from __future__ import annotations

from anagnosis.errors import InputError
from anagnosis.searching.engines.opensearch.connection import Cluster
from anagnosis.searching.engines.opensearch.engine import OpenSearchEngine
from anagnosis.searching.engines.opensearch.indices import drop, make, numbered, searched, to_fill, to_write
from anagnosis.searching.engines.opensearch.lock import Lock


class RebuiltEngine(OpenSearchEngine):
    """A Rebuilt in a cluster."""

    def __init__(self, cluster: Cluster) -> None:
        self._first, self._before = cluster, searched(cluster)
        self._held = Lock(to_write(cluster))
        try:
            there = numbered(cluster)
            self._name = make(cluster, max(there, default=0) + 1)
            for number, name in there.items():
                if number > _number(there, self._before):
                    drop(cluster, name)
        except BaseException:
            self._held.release()
            raise
        super().__init__(to_fill(cluster, self._name))

    def swap(self) -> None:
        super().close()
        self._held.check()
        if searched(self._first) != self._before:
            what = "another command has replaced the index meanwhile"
            raise InputError(what, self._first.where, "give this one again")
        alias = self._first.connection.index
        move = [
            # The client may ask twice, and the first time has removed it.
            {"remove": {"index": self._before, "alias": alias, "must_exist": False}},
            {"add": {"index": self._name, "alias": alias}},
        ]
        self._first.send("POST", "/_aliases", {"actions": move})

    def close(self) -> None:
        super().close()
        self._held.release()


def drop_old(cluster: Cluster) -> list[str]:
    """Delete the indices that a rebuild has replaced; returns their names. InputError: another command writes."""
    held = Lock(to_write(cluster))
    try:
        there = numbered(cluster)
        old = [name for number, name in sorted(there.items()) if number < _number(there, searched(cluster))]
        for name in old:
            drop(cluster, name)
        return old
    finally:
        held.release()


def _number(there: dict[int, str], name: str) -> int:
    """The number of an index; 0 of one with another name, such as a restored one."""
    return next((number for number, one in there.items() if one == name), 0)
