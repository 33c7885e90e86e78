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

from anagnosis.errors import InputError
from anagnosis.progress import print_note
from anagnosis.searching.engines.opensearch.connection import Cluster, RefusedError
from anagnosis.searching.engines.opensearch.replies import Found

BEAT, LEASE = 3.0, 12.0  # seconds
_PAUSE = 0.3
_SECONDS = 5.0  # for an answer of each node
_CONFLICT, _MISSING = 409, 404


class Lease:
    """The lease, held until `release`."""

    def __init__(self, cluster: Cluster) -> None:
        """Take the lease. InputError: another process has it."""
        self._cluster, self._path = cluster, f"{cluster.alias}/_doc/lease"
        owner = f"process {os.getpid()} on {socket.gethostname()}"
        self._own = {"owner": owner, "token": token_hex(8)}
        self._lock, self._ended = Lock(), Event()
        there = self._outlived()
        self._there = self._written({"op_type": "create"} if there is None else _only_if(there))
        self._renewed = time.monotonic()
        Thread(target=self._beat, daemon=True).start()

    def check(self) -> None:
        """InputError: another command has taken over."""
        with self._lock:
            if time.monotonic() - self._renewed > BEAT:
                began = time.monotonic()
                self._there = self._written(_only_if(self._there))
                self._renewed = began

    def release(self) -> None:
        """Give the lease back, if it is ours. One that stays is taken over."""
        self._ended.set()
        with self._lock, suppress(InputError):
            only = _only_if(self._there)
            self._cluster.send("DELETE", self._path, parameters=only, seconds=_SECONDS)

    def _beat(self) -> None:
        while not self._ended.wait(BEAT / 2):
            with suppress(InputError):  # the next bulk says so
                self.check()

    def _outlived(self) -> Found | None:
        """A lease that nobody renews; None where there is none, or not any more."""
        there, until = self._read(), time.monotonic() + LEASE
        if there is not None:
            print_note(f"waiting to see whether {_owner(there)} still writes")
        while there is not None and time.monotonic() < until:
            time.sleep(_PAUSE)
            now = self._read()
            if now is not None and now.number != there.number:
                raise self._held(now)
            there = now
        return there

    def _written(self, parameters: dict[str, str]) -> Found:
        """Write the lease. InputError: another command has meanwhile."""
        parameters["require_alias"] = "true"
        try:
            own = {"lease": self._own}
            return self._cluster.send("PUT", self._path, own, parameters=parameters, seconds=_SECONDS)
        except RefusedError as fault:
            if fault.status != _CONFLICT:
                raise
        now = self._read()
        if now is None or now.source.lease != self._own:
            raise self._held(now)
        return now  # the client asked twice

    def _held(self, there: Found | None) -> InputError:
        who = "one that has just ended" if there is None else _owner(there)
        what = f"another command is writing ({who})"
        return InputError(what, self._cluster.where, "give this one again when that has ended")

    def _read(self) -> Found | None:
        try:
            return self._cluster.send("GET", self._path, seconds=_SECONDS)
        except RefusedError as fault:
            if fault.status == _MISSING and not fault.kind:  # the document, not the index
                return None
            raise


def _owner(there: Found) -> str:
    return there.source.lease.get("owner", "another process")


def _only_if(there: Found) -> dict[str, str]:
    return {"if_seq_no": str(there.number), "if_primary_term": str(there.term)}
