"""Threads for searches and for trained readers: so many at once, so many waiting, so many seconds each.

The event loop never searches, and no search waits for a reader. The readers have a thread of their own and read one
question at a time: a reader uses all processors by itself, and its settings (torch's threads, generators and kernels,
training/loop/devices.py) hold for the whole process.
"""

from __future__ import annotations

import asyncio
import threading
from collections import Counter, OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

from anagnosis.errors import ArgumentError, InputError
from anagnosis.web.faults import Fault
from anagnosis.web.logs import crashed

T = TypeVar("T")
KEPT = 32  # answers of readers, of some 100 KB


class PanicError(Exception):
    """An exception outside Exception, such as a Rust panic or SystemExit; the cause is the original."""


# What an engine raises if its files are missing, replaced or damaged.
EXPECTED = (OSError, ValueError, InputError, PanicError)


def contained(work: Callable[[], T]) -> T:
    """The result of work, raising nothing but subclasses of Exception. SystemExit in a thread would end the loop."""
    try:
        return work()
    except Exception:
        raise
    except BaseException as panic:
        raise PanicError(type(panic).__name__) from panic


class Threads:
    """An executor. Work that has begun cannot be stopped: it holds its thread until it ends.

    anyio's limiter would give its place back when the request is given up, while the thread works on.
    """

    def __init__(self, threads: int, waiting: int, seconds: float) -> None:
        self.seconds = seconds
        self._executor = ThreadPoolExecutor(threads)
        self._free = threading.Semaphore(threads + waiting)

    def begin(self, work: Callable[[], T]) -> Future[T] | None:
        """The future result of work, None if too many wait."""
        if not self._free.acquire(blocking=False):
            return None
        future = self._executor.submit(contained, work)
        future.add_done_callback(lambda _: self._free.release())
        return future

    async def run(self, work: Callable[[], T]) -> T:
        """The result of work.

        ArgumentError, Fault: as the work raises them. TimeoutError: it takes too long. Faults: 503 if too many wait or
        the index is unreadable.
        """
        future = self.begin(work)
        if future is None:
            raise Fault(503, "too many searches at once", "", "try again in a moment", retry_after=2)
        try:
            return await asyncio.wait_for(asyncio.wrap_future(future), self.seconds)
        except (ArgumentError, Fault, TimeoutError):
            raise
        except EXPECTED as broken:
            crashed("unreadable", broken)
            what = "the collection cannot be read just now"
            raise Fault(503, what, "", "try again in a moment", retry_after=5) from broken

    def close(self) -> None:
        """Let those that run come to their end, and those that wait go."""
        self._executor.shutdown(wait=False, cancel_futures=True)


class NotRead(Exception):  # noqa: N818 nothing is wrong: there is only no answer of the readers yet
    """The readers have no answer yet, and why."""


class ReaderThread(Threads):
    """The thread of the trained readers. Only the event loop calls it.

    Recent answers stay in memory, so that an answer that missed its time limit is ready when the user asks again.
    """

    def __init__(self, waiting: int, seconds: float) -> None:
        super().__init__(1, waiting, seconds)
        self._kept: OrderedDict[Hashable, Future[Any]] = OrderedDict()
        self._asking = Counter[Future[Any]]()  # requests that wait

    async def read(self, key: Hashable, work: Callable[[], T]) -> T:
        """The result of work, or a recent one under this key.

        NotRead: too many questions wait, or this one takes too long or failed.
        """
        future = self._kept.pop(key, None)
        if future is None or _failed(future):
            future = self._begun(work)
        self._kept[key] = future
        self._asking[future] += 1
        waiting = asyncio.wrap_future(future)
        waiting.add_done_callback(_failed)  # asyncio wants each exception seen
        try:
            # Not wait_for, which would cancel the work for other requests that wait for it too.
            await asyncio.wait({waiting}, timeout=self.seconds)
            if future.done():
                return future.result()
        except (ArgumentError, Fault):
            raise
        except Exception as broken:
            crashed("reading", broken)
            why = "ran out of memory" if _out_of_memory(broken) else "failed"
            raise NotRead(f"the trained readers {why} on this question") from broken
        finally:
            self._asking[future] -= 1
            if not self._asking[future]:
                del self._asking[future]
                future.cancel()  # has no effect on work that has begun
            if _failed(future) and self._kept.get(key) is future:
                del self._kept[key]
        raise NotRead(f"reading takes longer than {self.seconds:g} seconds")

    def _begun(self, work: Callable[[], Any]) -> Future[Any]:
        future = self.begin(work)
        if future is None:
            raise NotRead("too many questions are being read")
        done = [key for key, one in self._kept.items() if one.done()]
        for key in done[: max(0, len(self._kept) + 1 - KEPT)]:
            del self._kept[key]
        return future


def _failed(future: Future[Any] | asyncio.Future[Any]) -> bool:
    return future.cancelled() or (future.done() and future.exception() is not None)


def _out_of_memory(fault: Exception) -> bool:
    """Whether memory ran out. We compare torch's error by name, since this module does not import torch."""
    return any(kind.__name__ in ("MemoryError", "OutOfMemoryError") for kind in type(fault).__mro__)
