"""The writer of an index in a cluster: whole papers in bulks, whose marks are written once their passages are there.

A paper is one bulk: "being written", its passages, deletions of stale ones. A later bulk writes the paper's own
document, with its mark. A paper that is still "being written" has no mark: the next command deletes it, and writes it
anew if it is given again. Each line has a version: twice the number of the command's lock, one more where a paper is
finished. A late line of an earlier command has a smaller one, and is refused.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import NamedTuple, TypeVar

from anagnosis.errors import InputError
from anagnosis.progress import print_note
from anagnosis.searching.engines.opensearch.connection import Cluster, RefusedError
from anagnosis.searching.engines.opensearch.entries import (
    PaperEntry,
    being_written,
    delete_line,
    digest,
    passage_id,
    write_line,
)
from anagnosis.searching.engines.opensearch.lock import Lock
from anagnosis.searching.engines.opensearch.repairs import stale_passages, unfinished
from anagnosis.searching.engines.opensearch.replies import BulkReply, Cause, Health, Refreshed, Written
from anagnosis.searching.engines.opensearch.searches import Searches
from anagnosis.wording import counted, shortened

T = TypeVar("T")
COMMIT = "commit"  # the id of the document of the last commit
MOST_BYTES, MOST_LINES = 8 << 20, 2_000  # of a bulk, unless one paper has more
_IN_FLIGHT = 2
_PATIENCE = 120.0  # seconds, for nodes that are gone or busy
_SECONDS = 120.0  # for one bulk
_FIRST_PAUSE, _LONGEST_PAUSE = 0.2, 5.0
_FOR_FINALS = 1 << 20  # bytes
_REFUSED, _CONFLICT = 400, 409
_GIVEN_AGAIN = "give the same command again"


class Line(NamedTuple):
    """A line of a bulk, with its source, and the document that it is part of."""

    document: str
    data: bytes


class Bulk(NamedTuple):
    """Lines of whole papers. papers: those that they write."""

    lines: list[Line]
    papers: list[PaperEntry]


class Writer:
    """The writer of one command."""

    def __init__(self, searches: Searches) -> None:
        """Become the writer, and delete what killed writers left half done. InputError: another command writes."""
        self._searches, self._cluster = searches, searches.cluster
        self._lock = Lock(self._cluster)
        self._pool = ThreadPoolExecutor(_IN_FLIGHT)
        self._flight = deque[tuple[Future[dict[str, Cause]], Bulk]]()
        self._waiting: dict[str, PaperEntry] = {}
        self._replaced = set[str]()  # documents of which the cluster may have passages
        # Document → most passages that the cluster may have of it, of those sent since a commit.
        self._sizes: dict[str, int] = {}
        self._numbered = set[str]()  # documents written with the lock's number
        self._finals: list[PaperEntry] = []  # whose passages are there
        self._emptied: list[PaperEntry] = []  # refused papers, whose passages have to go
        self._size = self._lines = 0
        try:
            self._refresh()
            self._remove_remains()
        except BaseException:
            self.close()
            raise

    def write(self, paper: PaperEntry) -> None:
        """Write a paper in place of what is there of it."""
        size = sum(map(len, paper.passages))
        if self._waiting and (
            self._size + size > MOST_BYTES or self._lines + len(paper.passages) + 2 > MOST_LINES
        ):
            self._flush()
        self._waiting[paper.document] = paper
        self._size += size
        self._lines += len(paper.passages) + 2

    def delete(self, document: str) -> None:
        """Delete a paper, if it is there."""
        self._replaced.add(document)
        self.write(PaperEntry(document, (), None))

    def commit(self) -> None:
        """Make everything visible. InputError: a shard is not there."""
        self._finish()
        commit = {"commit": self._version}
        parameters = {"version": str(self._version), "version_type": "external_gte", "require_alias": "true"}
        path = f"{self._cluster.alias}/_doc/{COMMIT}"
        _patiently(lambda: self._cluster.send("PUT", path, commit, Written, parameters))
        _patiently(self._refresh)
        _patiently(self._lock.renew)
        self._numbered.clear()
        self._sizes.clear()

    def close(self) -> None:
        """Let others write. What was not committed may be there, whole papers and half ones."""
        self._waiting.clear()
        self._pool.shutdown(cancel_futures=True)
        self._lock.release()

    @property
    def _version(self) -> int:
        return 2 * (self._lock.number + 1)

    def _refresh(self) -> None:
        alias = self._cluster.alias
        reply = self._cluster.send("POST", f"{alias}/_refresh", of=Refreshed, seconds=_SECONDS)
        if (
            reply.shards.failed
            or self._cluster.send("GET", f"/_cluster/health{alias}", of=Health).status == "red"
        ):
            what = "not all shards are there to show what is written"
            remedy = f"start the missing nodes, and {_GIVEN_AGAIN}"
            raise RefusedError("unavailable_shards_exception", 503, what, self._cluster.where, remedy)

    def _remove_remains(self) -> None:
        """Delete half papers, and passages of none, which a late bulk of an unlocked writer may have left."""
        half = unfinished(self._searches)
        lines = [
            Line(document, delete_line(passage_id((document, number)), document, self._version))
            for document, number in stale_passages(self._searches, half)
        ]
        for begin in range(0, len(lines), MOST_LINES):
            send(self._cluster, self._lock, lines[begin : begin + MOST_LINES])
        self._sizes |= half
        for document in half:
            self.delete(document)
        if half or lines:
            found = f"{counted(len(half), 'half paper')} and {counted(len(lines), 'passage')} of none"
            print_note(
                f"a stopped command left {found}, which are deleted; papers given again are written anew"
            )

    def _flush(self) -> None:
        """Send all papers that wait."""
        again = self._numbered & self._waiting.keys()
        if again:  # a greater number, since their marks have the greatest version of this one
            self._finish_sent()
            _patiently(self._lock.renew)
            self._numbered.clear()
        replaced = self._replaced & self._waiting.keys()
        for document, size in _patiently(lambda: list(self._searches.sizes(replaced))):
            self._sizes[document] = max(size, self._sizes.get(document, 0))
        for bulk in self._bulks(self._waiting.values()):
            self._submit(bulk)
        self._numbered |= self._waiting.keys()
        self._replaced -= self._waiting.keys()
        self._waiting.clear()
        self._size = self._lines = 0

    def _bulks(self, papers: Iterable[PaperEntry]) -> Iterator[Bulk]:
        """Bulks of whole papers, with room to finish as many."""
        bulk, size = Bulk([], []), 0
        for paper in papers:
            lines = self._written(paper)
            added = sum(len(line.data) for line in lines)
            count = len(bulk.lines) + len(lines) + len(bulk.papers) + 1
            if bulk.papers and (size + added > MOST_BYTES - _FOR_FINALS or count > MOST_LINES):
                yield bulk
                bulk, size = Bulk([], []), 0
            bulk.lines.extend(lines)
            bulk.papers.append(paper)
            size += added
        if bulk.papers:
            yield bulk

    def _written(self, paper: PaperEntry) -> list[Line]:
        """The lines that write a paper's passages."""
        document, version = paper.document, self._version
        before, now = self._sizes.get(document, 0), len(paper.passages)
        self._sizes[document] = most = max(before, now)
        return [
            Line(document, write_line(digest(document), document, version, being_written(document, most))),
            *(
                Line(document, write_line(passage_id((document, number)), document, version, source))
                for number, source in enumerate(paper.passages)
            ),
            *(
                Line(document, delete_line(passage_id((document, number)), document, version))
                for number in range(now, before)
            ),
        ]

    def _finished(self, paper: PaperEntry) -> Line:
        """The line that finishes a paper."""
        document, version = paper.document, self._version + 1
        if paper.final is None:
            return Line(document, delete_line(digest(document), document, version))
        return Line(document, write_line(digest(document), document, version, paper.final))

    def _submit(self, bulk: Bulk) -> None:
        """Send a bulk, and with it what finishes papers whose passages are there."""
        size = sum(len(line.data) for line in bulk.lines)
        while self._finals and len(bulk.lines) < MOST_LINES:
            line = self._finished(self._finals[-1])
            size += len(line.data)
            if size > MOST_BYTES and bulk.lines:
                break
            bulk.lines.append(line)
            self._finals.pop()
        if len(self._flight) >= _IN_FLIGHT:
            self._land()
        self._flight.append((self._pool.submit(send, self._cluster, self._lock, bulk.lines), bulk))

    def _land(self) -> None:
        """Wait for the oldest bulk, whose papers can then be finished. Papers that the cluster refuses are named."""
        future, bulk = self._flight.popleft()
        refused = future.result()
        for paper in bulk.papers:
            if paper.document not in refused:
                self._finals.append(paper)
        for document, cause in refused.items():
            print_note(
                f"{document} is left out, since the cluster refuses it ({shortened(cause.reason or cause.type)})"
            )
            if any(paper.document == document and paper.passages for paper in bulk.papers):
                self._emptied.append(PaperEntry(document, (), None))

    def _finish(self) -> None:
        """Send all that waits, and finish all papers."""
        self._flush()
        self._finish_sent()

    def _finish_sent(self) -> None:
        while self._flight or self._finals or self._emptied:
            while self._flight:
                self._land()
            emptied, self._emptied = self._emptied, []
            for bulk in self._bulks(emptied):
                self._submit(bulk._replace(papers=[]))  # they stay "being written"
            if self._finals and not emptied:
                self._submit(Bulk([], []))


def send(cluster: Cluster, lock: Lock, lines: Sequence[Line]) -> dict[str, Cause]:
    """Send a bulk until the cluster has taken it; returns the documents that it refuses, with the reasons.

    InputError: another command writes, or the nodes stay gone or busy.
    """
    refused, left = dict[str, Cause](), lines

    def once() -> None:
        nonlocal left
        lock.check()
        left, busy = _taken(cluster, left, refused)
        if busy is not None:
            raise busy

    _patiently(once)
    return refused


def _patiently(ask: Callable[[], T]) -> T:
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


def _taken(
    cluster: Cluster, lines: Sequence[Line], refused: dict[str, Cause]
) -> tuple[Sequence[Line], RefusedError | None]:
    """Send lines once; returns those that the cluster was too busy for, and its reason."""
    path, parameters = f"{cluster.alias}/_bulk", {"require_alias": "true"}
    body = b"".join(line.data for line in lines)
    reply = cluster.send("POST", path, body, BulkReply, parameters, seconds=_SECONDS)
    if not reply.errors:
        return (), None
    again: list[Line] = []
    busy: RefusedError | None = None
    for line, item in zip(lines, reply.items, strict=True):
        (done,) = item.values()
        if done.error is None:  # a deletion of what is not there has a status, but no error
            continue
        if done.status == _CONFLICT:
            what = "a later command has written here"
            raise InputError(what, cluster.where, f"when it has ended, {_GIVEN_AGAIN}")
        fault = cluster.refused(done.status, done.error)
        if fault.passes:
            again.append(line)
            busy = fault
        elif done.status == _REFUSED:
            refused.setdefault(line.document, done.error)
        else:  # it is not the paper's fault
            raise fault
    return again, busy
