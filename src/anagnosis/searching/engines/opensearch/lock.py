"""The lock of a cluster's one writer: a document of the index, which names the process that has it.

Its sequence number, which OpenSearch gives it, orders commands: no clock decides anything.
"""

from __future__ import annotations

import os
import socket
import time
from contextlib import suppress
from secrets import token_hex

import msgspec
import psutil

from anagnosis.errors import InputError
from anagnosis.searching.engines.opensearch.connection import Cluster, RefusedError
from anagnosis.searching.engines.opensearch.replies import Written

ID = "lock"
_CONFLICT, _MISSING = 409, 404
_LONGEST_WAIT = 60.0  # seconds, for what a dead writer has sent
_PAUSE = 0.2
_FOR_RELEASE = 5.0  # seconds, of each node
_SAME_START = 1.0  # seconds by which two readings of a process's start may differ
_held = set[str]()  # the tokens of this process's commands that run
_UNLOCK = "wait until it has ended; if it was stopped, `anagnosis check FOLDER --unlock`"


class Owner(msgspec.Struct, frozen=True):
    """The process that has the lock. started: when, in its machine's seconds. token: of one command."""

    host: str
    pid: int
    started: float
    token: str

    @property
    def has_died(self) -> bool:
        """Whether it was a command of this machine that has ended."""
        if self.host != socket.gethostname():
            return False
        if self.pid == os.getpid():
            return self.token not in _held
        try:
            process = psutil.Process(self.pid)
            is_another = abs(process.create_time() - self.started) > _SAME_START
            return is_another or process.status() == psutil.STATUS_ZOMBIE
        except psutil.NoSuchProcess:
            return True
        except psutil.Error:
            return False


class _Locked(msgspec.Struct):
    lock: Owner


class _Task(msgspec.Struct):
    description: str = ""


class _Node(msgspec.Struct):
    tasks: dict[str, _Task] = {}


class _Tasks(msgspec.Struct):
    nodes: dict[str, _Node] = {}


class Lock:
    """The lock, held. number: of its document, greater than that of each earlier command."""

    def __init__(self, cluster: Cluster) -> None:
        """Take the lock. InputError: another process has it."""
        self._cluster, self._path = cluster, f"{cluster.alias}/_doc/{ID}"
        process = psutil.Process()
        self._own = Owner(socket.gethostname(), process.pid, process.create_time(), token_hex(8))
        self._source = {"lock": self._own}
        _held.add(self._own.token)
        self._set(self._taken())

    def _taken(self) -> Written:
        create = {"op_type": "create", "require_alias": "true"}
        try:
            return self._cluster.send("PUT", self._path, self._source, Written, create)
        except RefusedError as fault:
            if fault.status != _CONFLICT:
                raise
        there = self._there()
        if there is None:
            raise InputError("another command has just ended", self._cluster.where, "give yours again")
        owner = msgspec.json.decode(there.source, type=_Locked).lock
        if owner == self._own:  # the client asked twice
            return there
        if not owner.has_died:
            what = f"another command is writing (process {owner.pid} on {owner.host})"
            raise InputError(what, self._cluster.where, _UNLOCK)
        self._wait_for_bulks()
        return self._replaced(there)

    def renew(self) -> None:
        """Get a greater number. InputError: another command has taken the lock over."""
        self._set(self._replaced(Written(number=self.number, term=self._term)))

    def check(self) -> None:
        """InputError: the lock is no longer ours."""
        there = self._there()
        if there is None or there.number != self.number:
            raise self._lost()

    def release(self) -> None:
        """Give the lock back, if it is ours. One that stays is a dead command's, whose nodes are gone."""
        _held.discard(self._own.token)
        only_if = self._only_if(self.number, self._term)
        with suppress(InputError):
            self._cluster.send("DELETE", self._path, None, Written, only_if, seconds=_FOR_RELEASE)

    def _set(self, written: Written) -> None:
        self.number, self._term = written.number, written.term

    def _replaced(self, there: Written) -> Written:
        try:
            only_if = {"require_alias": "true", **self._only_if(there.number, there.term)}
            return self._cluster.send("PUT", self._path, self._source, Written, only_if)
        except RefusedError as fault:
            if fault.status != _CONFLICT:
                raise
            now = self._there()
            if now is not None and msgspec.json.decode(now.source, type=_Locked).lock == self._own:
                return now  # the client asked twice
            raise self._lost() from None

    def _there(self) -> Written | None:
        try:
            return self._cluster.send("GET", self._path, of=Written)
        except RefusedError as fault:
            if fault.status == _MISSING and fault.kind != "index_not_found_exception":
                return None
            raise

    def _lost(self) -> InputError:
        what = "another command has taken over"
        return InputError(what, self._cluster.where, "give this one again when it has ended")

    @staticmethod
    def _only_if(number: int, term: int) -> dict[str, str]:
        return {"if_seq_no": str(number), "if_primary_term": str(term)}

    def _wait_for_bulks(self) -> None:
        """Wait until nothing is left of what a dead writer has sent. InputError: that takes too long."""
        until = time.monotonic() + _LONGEST_WAIT
        while self._is_written():
            if time.monotonic() > until:
                what = "the cluster still writes what a stopped command has sent"
                raise InputError(what, self._cluster.where, "give the command again in a minute")
            time.sleep(_PAUSE)

    def _is_written(self) -> bool:
        """Whether the cluster works on a bulk for this index."""
        wanted = {"actions": "indices:data/write/bulk*", "detailed": "true"}
        nodes = self._cluster.send("GET", "/_tasks", of=_Tasks, parameters=wanted).nodes.values()
        index = self._cluster.connection.index
        return any(index in task.description for node in nodes for task in node.tasks.values())


def unlock(cluster: Cluster) -> str:
    """Remove the lock, whoever has it; returns who had it, "" if nobody."""
    path = f"{cluster.alias}/_doc/{ID}"
    try:
        owner = msgspec.json.decode(cluster.send("GET", path, of=Written).source, type=_Locked).lock
        cluster.send("DELETE", path, of=Written)
    except RefusedError as fault:
        if fault.status == _MISSING and fault.kind != "index_not_found_exception":
            return ""
        raise
    return f"process {owner.pid} on {owner.host}"
