"""Run a function over many shards and give the results in shard order.

    for counts in parallel.map(screen_block, blocks, parallel.local(workers=2)):
        ...

`map` is the only interface between this package and the machines it runs on. It reads shards lazily and submits a
bounded window of them, so that memory stays bounded for an endless stream of 8 MiB blocks. A *pool* runs them; `local`
makes pools on this machine, `dask` on the user's `dask.distributed` cluster. Function, shards and results must be
picklable, and the function repeatable, since we rerun a shard whose worker died. For a cluster a shard should name a
file on a shared disk instead of containing its bytes.
"""

from __future__ import annotations

import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import BrokenExecutor, Future
from contextlib import contextmanager
from importlib.util import find_spec
from multiprocessing.connection import Connection
from typing import Any, Protocol, TypeVar

from anagnosis.errors import InputError, missing_extra

T = TypeVar("T")
R = TypeVar("R")

REBUILDS = 3
"""Most replacements of a pool with dead workers in a row, without a result in between."""


class Pool(Protocol):
    """The interface of a pool, which runs shards for `map`.

    workers: number of shards that run at one time; `map` submits twice as many.
    submit: start one shard. A `BrokenExecutor`, raised here or kept in the future, means that the pool is lost; `map`
        then closes it, makes another and submits unfinished shards again.
    close: free all resources. at_once: drop running shards; otherwise all have finished already.
    """

    @property
    def workers(self) -> int: ...
    def submit(self, function: Callable[[T], R], shard: T) -> Future[R]: ...
    def close(self, *, at_once: bool) -> None: ...


def map(
    function: Callable[[T], R],
    shards: Iterable[T],
    make_pool: Callable[[], Pool],
    *,
    window: int | None = None,
) -> Iterator[R]:
    """`function(shard)` of every shard, in shard order, while later shards are running.

    An exception of the function reaches the caller in place of its result. If the caller stops early (an error, Ctrl-C,
    closing the iterator), running shards are dropped at once.
    window: most shards submitted but not yet given to the caller (default: twice the workers, or one if the shards run
    in this process).
    """
    coming = iter(shards)
    waiting: deque[tuple[T, Future[R]]] = deque()
    losses = 0
    finished = False
    pool = make_pool()
    room = window or (2 * pool.workers if pool.workers > 1 else 1)
    try:
        while True:
            while len(waiting) < room:
                try:
                    shard = next(coming)
                except StopIteration:
                    break
                waiting.append((shard, _submit(pool, function, shard)))
            if not waiting:
                break
            try:
                result = waiting[0][1].result()
            except BrokenExecutor as fault:
                losses += 1
                if losses > REBUILDS:
                    raise InputError(
                        f"worker processes died {losses} times in a row before they finished a shard",
                        "",
                        "use fewer --workers or give the machine more memory; a script of yours that calls "
                        "this must do so under `if __name__ == '__main__':`",
                    ) from fault
                pool.close(at_once=True)
                pool = make_pool()
                waiting = deque(
                    (shard, _submit(pool, function, shard) if _lost(future) else future)
                    for shard, future in waiting
                )
                continue
            waiting.popleft()
            losses = 0
            yield result
        finished = True
    finally:
        pool.close(at_once=not finished)


def available_workers() -> int:
    """The number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def local(workers: int | None = None) -> Callable[[], Pool]:
    """Pools on this machine: `workers` processes (default: one a processor); 1 means this process itself."""
    count = available_workers() if workers is None else workers
    if count < 1:
        raise InputError(f"{count} workers cannot do anything", "--workers", "give 1 or more")
    return _ThisProcess if count == 1 else lambda: _Processes(count)


def dask(address: str) -> Callable[[], Pool]:
    """Pools on the cluster whose scheduler listens at `address` ("tcp://host:8786").

    The cluster's workers need this package in the same version, and the files that the shards name.
    """
    if find_spec("distributed") is None:
        raise missing_extra("distributed", "cluster", "running on a cluster")
    return lambda: _Cluster(address)


def _submit(pool: Pool, function: Callable[[T], R], shard: T) -> Future[R]:
    """Submit a shard; a pool that is already broken gives the same future as one that breaks later."""
    try:
        return pool.submit(function, shard)
    except BrokenExecutor as fault:
        future: Future[R] = Future()
        future.set_exception(fault)
        return future


def _lost(future: Future[Any]) -> bool:
    return not future.done() or isinstance(future.exception(), BrokenExecutor)


class _ThisProcess:
    """Runs each shard when it is submitted; an interrupt passes through."""

    workers = 1

    def submit(self, function: Callable[[T], R], shard: T) -> Future[R]:
        future: Future[R] = Future()
        try:
            future.set_result(function(shard))
        except Exception as fault:
            future.set_exception(fault)
        return future

    def close(self, *, at_once: bool) -> None:
        pass


class _Processes:
    """Spawned processes (a fork after Arrow has started its threads may hang).

    Only this process has the writing end of the lifeline; every worker waits on the other end. When it closes, or this
    process dies in any way, all workers end within a moment, without orphans or a Ctrl-C.
    """

    def __init__(self, workers: int) -> None:
        from concurrent.futures import ProcessPoolExecutor
        from multiprocessing import get_context

        context = get_context("spawn")
        self.workers = workers
        self._worker_end, self._our_end = context.Pipe(duplex=False)
        self._executor = ProcessPoolExecutor(
            workers, mp_context=context, initializer=_begin_worker, initargs=(self._worker_end,)
        )

    def submit(self, function: Callable[[T], R], shard: T) -> Future[R]:
        with _interrupt_blocked():
            return self._executor.submit(function, shard)

    def close(self, *, at_once: bool) -> None:
        if at_once:
            self._our_end.close()
            self._end_feeding_thread()
        self._executor.shutdown(wait=True)
        self._our_end.close()
        self._worker_end.close()

    def _end_feeding_thread(self) -> None:
        """End the thread that hands out shards.

        It waits for a worker to read the shard in the pipe, which none does now, and before Python 3.11.5 the executor
        waits for the thread for ever (github.com/python/cpython/issues/94777). Without a reader its writing fails.
        """
        if sys.version_info >= (3, 11, 5):
            return
        queue: Any = getattr(self._executor, "_call_queue", None)
        reader: Any = getattr(queue, "_reader", None)
        if reader is not None and not reader.closed:
            reader.close()


def _begin_worker(lifeline: Connection) -> None:
    import threading

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_die_with_parent, args=(lifeline,), daemon=True).start()


def _die_with_parent(lifeline: Connection) -> None:
    try:
        lifeline.poll(None)
    finally:
        os._exit(1)


@contextmanager
def _interrupt_blocked() -> Generator[None]:
    """Block Ctrl-C, so that a worker spawned here inherits the block and ignores it even while starting.

    In this process a Ctrl-C during the block arrives at its end.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class _Cluster:
    """The user's dask cluster, which reruns a shard whose worker died (`allowed-failures` times)."""

    def __init__(self, address: str) -> None:
        from distributed import Client
        from distributed.comm import get_address_host_port

        where = f"--cluster {address}"
        try:
            # A client that refuses its address itself waits a minute, and prints a traceback when it goes.
            get_address_host_port(address if "://" in address else f"tcp://{address}", strict=True)
        except ValueError as fault:
            what = f"is no address of a dask scheduler ({fault})"
            raise InputError(what, where, "write it as tcp://HOST:8786") from fault
        try:
            self._client = Client(address, set_as_default=False)
        except (OSError, ValueError) as fault:
            raise InputError(
                f"no dask scheduler answers: {fault}", where, "start one with `dask scheduler`"
            ) from fault
        self._address = address
        threads: Any = self._client.nthreads()
        self.workers = max(2, sum(threads.values()))

    def submit(self, function: Callable[[T], R], shard: T) -> Future[R]:
        ours: Future[R] = Future()
        theirs = self._client.submit(function, shard, pure=False)
        theirs.add_done_callback(lambda done: self._hand_over(done, ours))
        return ours

    def _hand_over(self, theirs: Any, ours: Future[Any]) -> None:
        from distributed import KilledWorker

        lost = None
        # "lost": the worker died with a result that we had not fetched; the cluster computes it again, and we wait.
        if theirs.status in ("finished", "lost"):
            try:
                ours.set_result(theirs.result())
                return
            except Exception as fault:
                lost = fault
        elif theirs.status == "error":
            lost = theirs.exception()
            if not isinstance(lost, KilledWorker):
                ours.set_exception(lost)
                return
        if not ours.done():
            ours.set_exception(
                InputError(
                    f"the cluster lost a shard: {lost or theirs.status}",
                    f"--cluster {self._address}",
                    "see the logs of its workers; more memory for each may help",
                )
            )

    def close(self, *, at_once: bool) -> None:
        self._client.close()
