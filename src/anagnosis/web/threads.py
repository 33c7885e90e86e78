"""Threads for searches, and for trained readers and judges: so many at once, so many waiting, so many seconds each.

The event loop never searches, and no search waits for either. The readers have a thread of their own and read one
question at a time: a reader uses all processors by itself, and its settings (torch's threads, generators and kernels,
training/loop/devices.py) hold for the whole process.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

from anagnosis.errors import ArgumentError, InputError
from anagnosis.web.faults import Fault
from anagnosis.web.logs import crashed

T = TypeVar("T")


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
