"""The writer of an index in a cluster: papers in bulks, each created, or written only if nobody has changed it since
the command read it. Where somebody has, as a late bulk of a killed command does, the command ends in one line; given
again it reads what is there.

Each bulk also takes the version of the last commit away, so that what a killed command left has none.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from secrets import token_hex
from typing import Any, TypeVar

import msgspec

from anagnosis.errors import InputError
from anagnosis.searching.engines.opensearch.connection import Cluster, RefusedError
from anagnosis.searching.engines.opensearch.entries import document_of, ident, stored_in
from anagnosis.searching.engines.opensearch.lease import Lease
from anagnosis.searching.engines.opensearch.replies import Found
from anagnosis.searching.engines.opensearch.searches import NAMES, with_any
from anagnosis.searching.papers.records import StoredPaper
from anagnosis.wording import shortened

T = TypeVar("T")
Waiting = dict[str, StoredPaper | None]  # name → the paper, None to delete it
COMMIT = "commit"  # the id of the document of the last commit
MOST_LETTERS, MOST_PAPERS = 2 << 20, 1_000  # of a bulk, unless one paper has more
_PATIENCE = 120.0  # seconds, for nodes that are gone or busy
_SECONDS = 120.0  # for one bulk
_FIRST_PAUSE, _LONGEST_PAUSE = 0.2, 5.0
_CONFLICT = 409
_AGAIN = "give the same command again"


class Writer:
    """The writer of one command."""

    def __init__(self, cluster: Cluster) -> None:
        """Become the writer. InputError: another command writes."""
        self._cluster, self._lease = cluster, Lease(cluster)
        self._waiting, self._letters = Waiting(), 0
        # Names as they were read, or written since a commit; None: deleted.
        self._read = dict[str, Found | None]()
        try:
            self._refresh()
        except BaseException:
            self.close()
            raise

    def has_read(self, name: str, at: Found) -> None:
        """Remember a paper that the command has read, and may replace."""
        self._read.setdefault(name, Found(at.number, at.term))

    def write(self, name: str, stored: StoredPaper | None) -> None:
        """Write a paper in place of what is there of it; None deletes it."""
        self._waiting[name] = stored
        self._letters += sum(record.weight[1] for record in stored.records) if stored is not None else 0
        if self._letters > MOST_LETTERS or len(self._waiting) >= MOST_PAPERS:
            self._flush()

    def commit(self) -> None:
        """Make everything visible. InputError: a shard is not there."""
        self._flush()
        path, alias = f"{self._cluster.alias}/_doc/{COMMIT}", {"require_alias": "true"}
        patiently(lambda: self._cluster.send("PUT", path, {"version": token_hex(8)}, parameters=alias))
        patiently(self._refresh)
        self._read.clear()

    def close(self) -> None:
        """Let others write. Of what was not committed some papers may be there."""
        self._lease.release()

    def _refresh(self) -> None:
        cluster, alias = self._cluster, self._cluster.alias
        shards = cluster.send("POST", f"{alias}/_refresh", seconds=_SECONDS).shards
        # Shards without a copy have not failed.
        health = cluster.send("GET", f"/_cluster/health{alias}", of=dict[str, Any])
        if shards.failed or not shards.successful or health.get("status") not in ("green", "yellow"):
            what = "not all shards are there to show what is written"
            raise RefusedError(503, what, cluster.where, f"start the missing nodes, and {_AGAIN}")

    def _flush(self) -> None:
        """Send all that waits until the cluster has taken it. InputError: it does not, or another command writes."""
        left, self._waiting, self._letters = self._waiting, {}, 0
        if not left:
            return
        unread = [name for name, stored in left.items() if stored is not None and name not in self._read]
        for hit in patiently(lambda: [*with_any(self._cluster, "name", unread, NAMES)]):
            self.has_read(hit.source.name, hit)

        def once() -> None:
            self._lease.check()
            busy = self._sent_once(left)
            if busy is not None:
                raise busy

        patiently(once)

    def _sent_once(self, left: Waiting) -> RefusedError | None:
        """Send papers, and take those away that are written. Returns why papers are left."""
        lines = [msgspec.json.encode(one) for one in ({"index": {"_id": COMMIT}}, {"version": ""})]
        body = b"\n".join([*lines, *(line for one in left.items() for line in self._lines(*one)), b""])
        path, alias = f"{self._cluster.alias}/_bulk", {"require_alias": "true"}
        reply = self._cluster.send("POST", path, body, parameters=alias, seconds=_SECONDS)
        items = [next(iter(one.values()), Found()) for one in reply.items]
        if len(items) != 1 + len(left):
            raise self._cluster.strange(f"{len(items)} replies to {1 + len(left)} changes")
        changed, why = list[str](), None
        for name, item in zip(["", *left], items, strict=True):
            if not item.status:
                raise self._cluster.strange("a change without a status")
            # A deletion of what is not there has a status, but no error.
            fault = None if item.error is None else self._cluster.refused(item.status, item.error)
            if fault is None and name:
                self._read[name] = item if left.pop(name) is not None else None
            elif item.status == _CONFLICT:
                changed.append(name)
            elif fault is not None and fault.passes:
                why = fault
            elif fault is not None:
                raise fault
        if changed:
            self._written_already(changed, left)
        return why

    def _lines(self, name: str, stored: StoredPaper | None) -> list[bytes]:
        """The lines of a bulk for a paper."""
        target: dict[str, Any] = {"_id": ident(name)}
        if stored is None:
            return [msgspec.json.encode({"delete": target})]
        there = self._read.get(name)
        if there is not None:
            target |= {"if_seq_no": there.number, "if_primary_term": there.term}
        return [msgspec.json.encode({"create" if there is None else "index": target}), document_of(stored)]

    def _written_already(self, changed: list[str], left: Waiting) -> None:
        """Take papers away that an earlier try has written. InputError: another command has written one."""
        self._refresh()
        for hit in with_any(self._cluster, "name", changed):
            there = stored_in(hit.source.stored)
            if left.get(there.name) == there:
                self._read[there.name] = Found(hit.number, hit.term)
                del left[there.name]
        if others := [name for name in changed if name in left]:
            what = f"another command has meanwhile written {shortened(', '.join(others))}"
            raise InputError(what, self._cluster.where, _AGAIN)


def patiently(ask: Callable[[], T]) -> T:
    """What `ask` gives, once the cluster can answer. RefusedError: its nodes stay gone or busy."""
    until, pause = time.monotonic() + _PATIENCE, _FIRST_PAUSE
    while True:
        try:
            return ask()
        except RefusedError as fault:
            if not fault.passes or time.monotonic() > until:
                raise
        time.sleep(pause)
        pause = min(2 * pause, _LONGEST_PAUSE)
