"""The lease of a cluster's one writer: a document that names the process, which writes it anew every BEAT seconds.

Who finds one waits: a lease that stays as it is for LEASE seconds is a dead process's, or one's that cannot write, and
is taken over. No clock is compared with another. A writer that was taken over ends at its next bulk.
"""

from __future__ import annotations

import os
import socket
import time
from contextlib import suppress
from secrets import token_hex
from threading import Event, Lock, Thread

import msgspec

from anagnosis.errors import InputError
from anagnosis.progress import print_note
from anagnosis.searching.engines.opensearch.connection import Cluster, RefusedError
from anagnosis.searching.engines.opensearch.replies import Place

BEAT, LEASE = 3.0, 12.0  # seconds
_PAUSE = 0.3
_SECONDS = 5.0  # for an answer of each node
_CONFLICT, _MISSING = 409, 404


class _Owner(msgspec.Struct, frozen=True):
    host: str
    pid: int
    token: str


class _Leased(msgspec.Struct):
    lease: _Owner


class _There(Place):
    source: _Leased | None = msgspec.field(name="_source", default=None)


class Lease:
    """The lease, held until `release`."""

    def __init__(self, cluster: Cluster) -> None:
        """Take the lease. InputError: another process has it."""
        self._cluster, self._path = cluster, f"{cluster.alias}/_doc/lease"
        self._own = _Owner(socket.gethostname(), os.getpid(), token_hex(8))
        self._lock, self._ended = Lock(), Event()
        self._there = self._taken()
        self._renewed = time.monotonic()
        Thread(target=self._beat, daemon=True).start()

    def check(self, *, now: bool = False) -> None:
        """InputError: another command has taken over. now: also if it was ours a moment ago."""
        with self._lock:
            if now or time.monotonic() - self._renewed > BEAT:
                began = time.monotonic()
                self._there = self._written(self._there)
                self._renewed = began

    def release(self) -> None:
        """Give the lease back, if it is ours. One that stays is taken over."""
        self._ended.set()
        with self._lock, suppress(InputError):
            only = _only_if(self._there)
            self._cluster.send("DELETE", self._path, None, Place, only, seconds=_SECONDS)

    def _beat(self) -> None:
        while not self._ended.wait(BEAT / 2):
            with suppress(InputError):  # the next bulk says so
                self.check()

    def _taken(self) -> Place:
        if (place := self._created()) is not None:
            return place
        there, until, said = self._read(), time.monotonic() + LEASE, False
        while there is not None and there.source is not None:
            owner = there.source.lease
            if owner == self._own:  # the client asked twice
                return there
            if time.monotonic() > until:
                return self._written(there)
            if not said:
                said = True
                print_note(f"waiting to see whether process {owner.pid} on {owner.host} still writes")
            time.sleep(_PAUSE)
            now = self._read()
            if now is not None and now.number != there.number:
                what = f"another command is writing (process {owner.pid} on {owner.host})"
                raise InputError(what, self._cluster.where, "wait until it has ended")
            there = now
        if (place := self._created()) is None:
            raise InputError("another command has just begun", self._cluster.where, "wait until it has ended")
        return place

    def _created(self) -> Place | None:
        try:
            return self._put({"op_type": "create"})
        except RefusedError as fault:
            if fault.status != _CONFLICT:
                raise
            return None

    def _written(self, there: Place) -> Place:
        """Write it anew. InputError: another command has meanwhile."""
        try:
            return self._put(_only_if(there))
        except RefusedError as fault:
            if fault.status != _CONFLICT:
                raise
        now = self._read()
        if now is None or now.source is None or now.source.lease != self._own:
            what = "another command has taken over"
            raise InputError(what, self._cluster.where, "give this one again when it has ended")
        return now  # the client asked twice

    def _put(self, parameters: dict[str, str]) -> Place:
        parameters["require_alias"] = "true"
        leased = _Leased(self._own)
        return self._cluster.send("PUT", self._path, leased, Place, parameters, seconds=_SECONDS)

    def _read(self) -> _There | None:
        try:
            return self._cluster.send("GET", self._path, of=_There, seconds=_SECONDS)
        except RefusedError as fault:
            if fault.status == _MISSING and fault.kind != "index_not_found_exception":
                return None
            raise


def _only_if(there: Place) -> dict[str, str]:
    return {"if_seq_no": str(there.number), "if_primary_term": str(there.term)}
