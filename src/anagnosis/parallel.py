"""Run a function over many shards and give the results in shard order.

    for counts in parallel.map(screen_block, blocks, parallel.local(workers=2)):
        ...

`map` is the only interface between this package and the machines it runs on. It reads shards lazily and submits a
bounded window of them, so that memory stays bounded for an endless stream of 8 MiB blocks. A *pool* runs them; `local`
makes pools on this machine, `dask` on the user's `dask.distributed` cluster. Function, shards and results must be
picklable, and the function repeatable, since we rerun a shard whose worker died.
"""

from __future__ import annotations

import os
import pickle
import signal
import threading
import traceback
from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from importlib.util import find_spec
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection
from typing import Any, TypeAlias, TypeVar

from anagnosis.errors import InputError, missing_extra

T = TypeVar("T")
R = TypeVar("R")

TRIES = 4
"""How often a shard is run whose worker dies over it."""
# What runs shards for `map`, of which it submits twice as many as `workers` run at one time. submit: starts a shard,
# later than those before. close: frees all resources; at_once: drops running shards, else all have finished already.
Pool: TypeAlias = "_ThisProcess | _Processes | _Cluster"


def map(function: Callable[[T], R], shards: Iterable[T], make_pool: Callable[[], Pool]) -> Generator[R]:
    """`function(shard)` of every shard, in shard order, while later shards are running.

    An exception of the function reaches the caller in place of its result. If the caller stops early (an error, Ctrl-C,
    closing the iterator), running shards are dropped at once. Twice as many shards as workers are submitted but not yet
    given to the caller, or one if they run in this process.
    """
    coming = iter(shards)
    waiting: deque[Future[R]] = deque()
    finished = False
    pool = make_pool()
    room = 2 * pool.workers if pool.workers > 1 else 1
    try:
        while not finished:
            for shard in coming:
                waiting.append(pool.submit(function, shard))
                if len(waiting) == room:
                    break
            if waiting:
                yield waiting.popleft().result()
            else:
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

    The cluster's workers need this package in the same version.
    """
    if find_spec("distributed") is None:
        raise missing_extra("distributed", "cluster", "running on a cluster")
    return lambda: _Cluster(address)


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
    """Spawned processes (a fork after Arrow has started its threads may hang), each with its own thread and pipe.

    A process that dies ends its pipe and nobody else's, also in the middle of a result; those of
    `ProcessPoolExecutor` share one pipe and its lock, and wait for each other for ever then.
    """

    def __init__(self, workers: int) -> None:
        self.workers = workers
        # What a thread starts inherits what it blocks, so a worker ignores Ctrl-C while it is starting, too.
        blocked = signal.SIG_BLOCK, {signal.SIGINT}
        self._threads = ThreadPoolExecutor(workers, initializer=signal.pthread_sigmask, initargs=blocked)
        self._all: list[tuple[Any, Connection]] = []
        self._idle: list[tuple[Any, Connection]] = []
        self._lock = threading.Lock()
        self._closed = False

    def submit(self, function: Callable[[T], R], shard: T) -> Future[R]:
        return self._threads.submit(self._run, function, shard)

    def _run(self, function: Callable[[T], R], shard: T) -> R:
        task = pickle.dumps((function, shard), pickle.HIGHEST_PROTOCOL)
        for _ in range(TRIES):
            try:
                worker = self._idle.pop() if self._idle else self._start()
                _, pipe = worker
                pipe.send_bytes(task)
                answer = pipe.recv_bytes()
            except (EOFError, OSError):
                continue
            self._idle.append(worker)
            result, fault = pickle.loads(answer)
            if fault is not None:
                raise fault
            return result
        raise InputError(
            f"worker processes died {TRIES} times in a row before they finished a shard",
            "",
            "use fewer --workers or give the machine more memory; a script of yours that calls this must do so under "
            "`if __name__ == '__main__':`",
        )

    def _start(self) -> tuple[Any, Connection]:
        context = get_context("spawn")
        ours, theirs = context.Pipe()
        process = context.Process(target=_work, args=(theirs,))
        with self._lock:
            if self._closed:
                raise CancelledError
            process.start()
            self._all.append((process, ours))
        theirs.close()
        return process, ours

    def close(self, *, at_once: bool) -> None:
        with self._lock:
            self._closed = True
            for process, pipe in self._all:
                if at_once:
                    process.kill()
                else:
                    pipe.close()
        self._threads.shutdown(cancel_futures=True)
        for process, pipe in self._all:
            pipe.close()
            process.join()


def _work(pipe: Connection) -> None:
    """Answer every shard that comes through a pipe, until its other end is closed or the parent dies."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_die_with_parent, daemon=True).start()
    while True:
        try:
            task = pipe.recv_bytes()
        except EOFError:
            return
        try:
            function, shard = pickle.loads(task)
            answer = pickle.dumps((function(shard), None), pickle.HIGHEST_PROTOCOL)
        except Exception as fault:
            answer = _pickled(fault)
        pipe.send_bytes(answer)


def _pickled(fault: Exception) -> bytes:
    """An answer with an exception, or with its text where it does not come through a pipe."""
    trace = traceback.format_exc()
    try:
        fault.add_note(trace)
        answer = pickle.dumps((None, fault))
        pickle.loads(answer)
    except Exception:
        return pickle.dumps((None, RuntimeError(trace)))
    return answer


def _die_with_parent() -> None:
    parent = parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


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
        self._where = where
        threads: Any = self._client.nthreads()
        self.workers = max(2, sum(threads.values()))
        self._threads = ThreadPoolExecutor(2 * self.workers)  # each waits for one shard

    def submit(self, function: Callable[[T], R], shard: T) -> Future[R]:
        return self._threads.submit(self._run, function, shard)

    def _run(self, function: Callable[[T], R], shard: T) -> R:
        from distributed import KilledWorker

        running: Any = self._client.submit(function, shard, pure=False)
        try:
            return running.result()
        except (KilledWorker, CancelledError) as fault:
            remedy = "see the logs of its workers; more memory for each may help"
            raise InputError(f"the cluster lost a shard: {fault}", self._where, remedy) from fault

    def close(self, *, at_once: bool) -> None:
        self._client.close()
        self._threads.shutdown(cancel_futures=True)
