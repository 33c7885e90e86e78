"""Threads for searches and for trained readers: so many at once, so many waiting, so many seconds each.

The event loop never searches, and no search waits for a reader. The readers have a thread of their own and read one
question at a time: a reader uses all processors by itself, and its settings (torch's threads, generators and kernels,
training/loop/devices.py) hold for the whole process.
"""

from __future__ import annotations

import asyncio
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeVar

from anagnosis.errors import InputError
from anagnosis.web.faults import Fault, unreadable
from anagnosis.web.limits import Limits
from anagnosis.web.logs import crashed

T = TypeVar("T")
KEPT = 32  # answers of readers, of some 100 KB


class PanicError(Exception):
    """An exception outside Exception, such as a Rust panic or SystemExit; the cause is the original."""


# What an engine raises if its files are missing, replaced or damaged.
EXPECTED = (OSError, ValueError, InputError, PanicError)


def contained(work: Callable[[], T]) -> Callable[[], T]:
    """The work, raising nothing but subclasses of Exception. SystemExit in a thread would end the event loop."""

    def run() -> T:
        try:
            return work()
        except Exception:
            raise
        except BaseException as panic:
            raise PanicError(type(panic).__name__) from panic

    return run


class Threads:
    """An executor. Work that has begun cannot be stopped: it holds its thread until it ends."""

    def __init__(self, threads: int, waiting: int, name: str) -> None:
        self._threads, self._most, self._name = threads, threads + waiting, name
        self._executor: ThreadPoolExecutor | None = None
        self._busy, self._lock = 0, threading.Lock()

    def begin(self, work: Callable[[], T]) -> Future[T] | None:
        """The future result of `work`, None if too many wait. It raises nothing but subclasses of Exception."""
        with self._lock:
            if self._busy >= self._most:
                return None
            self._busy += 1
            if self._executor is None:
                self._executor = ThreadPoolExecutor(self._threads, thread_name_prefix=self._name)
            future = self._executor.submit(contained(work))
        future.add_done_callback(self._ended)
        return future

    def close(self) -> None:
        """Let those that run come to their end, and those that wait go; an application can be started again."""
        with self._lock:
            executor, self._executor = self._executor, None
        if executor is not None:
            executor.shutdown(wait=False, cancel_futures=True)

    def _ended(self, _: Future[Any]) -> None:
        with self._lock:
            self._busy -= 1


class Pool(Threads):
    """The threads of searches."""

    def __init__(self, limits: Limits) -> None:
        super().__init__(limits.workers, limits.waiting, "search")
        self._seconds = limits.seconds

    async def run(self, work: Callable[[], T]) -> T:
        """The result of `work`. Faults: 503 if all threads are busy, it takes too long, or the index is unreadable."""
        future = self.begin(work)
        if future is None:
            raise Fault(503, "too many searches at once", "", "try again in a moment", retry_after=2)
        try:
            return await asyncio.wait_for(asyncio.wrap_future(future), self._seconds)
        except TimeoutError as slow:
            raise Fault(
                503,
                f"the search took longer than {self._seconds:g} seconds",
                "",
                "ask with fewer words, or try again in a moment",
                retry_after=5,
            ) from slow
        except EXPECTED as broken:
            crashed("unreadable", broken)
            raise unreadable() from broken


class NotRead(Exception):  # noqa: N818 nothing is wrong: there is only no answer of the readers yet
    """The readers have no answer yet. why: the reason, in words."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class Broken(NotRead):
    """An error in our program, not in the question, the papers or the machine; the cause is the exception."""


@dataclass(slots=True)
class _Reading:
    """A question that was begun. asking: number of requests that wait for it."""

    future: Future[Any]
    asking: int = 0


class ReaderThread(Threads):
    """The thread of the trained readers. Only the event loop calls it.

    Recent answers stay in memory, so that an answer that missed its time limit is ready when the user asks again.
    """

    def __init__(self, limits: Limits) -> None:
        super().__init__(1, limits.reading, "read")
        self._seconds = limits.reading_seconds
        self._kept: OrderedDict[Hashable, _Reading] = OrderedDict()

    async def run(self, key: Hashable, work: Callable[[], T]) -> T:
        """The result of `work`, or a recent one under this key.

        NotRead: too many questions wait, or this one takes too long or failed (Broken: with an unexpected error).
        """
        item = self._kept.pop(key, None)
        if item is None or _failed(item.future):
            item = self._begun(work)
        self._kept[key] = item
        item.asking += 1
        future = asyncio.wrap_future(item.future)
        try:
            # Not wait_for, which would cancel the work for other requests that wait for it too.
            await asyncio.wait({future}, timeout=self._seconds)
            if future.done():
                return future.result()
        except Exception as broken:
            crashed("reading", broken)
            if _out_of_memory(broken):
                raise NotRead("the trained readers ran out of memory on this question") from broken
            failure = NotRead if isinstance(broken, EXPECTED) else Broken
            raise failure("the trained readers failed on this question") from broken
        finally:
            item.asking -= 1
            future.add_done_callback(_seen)
            if not item.asking and not item.future.done():
                item.future.cancel()  # has no effect on work that has begun
            if _failed(item.future) and self._kept.get(key) is item:
                del self._kept[key]
        raise NotRead(f"reading takes longer than {self._seconds:g} seconds")

    def close(self) -> None:
        """Finish the current question and drop the waiting ones."""
        self._kept.clear()
        super().close()

    def _begun(self, work: Callable[[], Any]) -> _Reading:
        future = self.begin(work)
        if future is None:
            raise NotRead("too many questions are being read")
        done = [key for key, one in self._kept.items() if one.future.done()]
        for key in done[: max(0, len(self._kept) + 1 - KEPT)]:
            del self._kept[key]
        return _Reading(future)


def _out_of_memory(fault: Exception) -> bool:
    """Whether memory ran out. We compare torch's error by name, since this module does not import torch."""
    return any(kind.__name__ in ("MemoryError", "OutOfMemoryError") for kind in type(fault).__mro__)


def _failed(future: Future[Any]) -> bool:
    return future.cancelled() or (future.done() and future.exception() is not None)


def _seen(future: asyncio.Future[Any]) -> None:
    """Retrieve the exception, since asyncio warns about unretrieved ones."""
    if not future.cancelled():
        future.exception()
