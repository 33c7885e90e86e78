"""Threads for searching: so many at once, so many waiting, so many seconds each; the event loop never searches."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

from anagnosis.errors import InputError
from anagnosis.web.faults import unreadable
from anagnosis.web.limits import Limits
from anagnosis.web.logs import crashed
from anagnosis.web.refusal import Fault

T = TypeVar("T")


class PanicError(Exception):
    """An exception outside Exception, such as a Rust panic or SystemExit; the cause is the original."""


def contained(work: Callable[[], T]) -> Callable[[], T]:
    """The same work, raising nothing but subclasses of Exception. SystemExit in a thread would end the event loop."""

    def run() -> T:
        try:
            return work()
        except Exception:
            raise
        except BaseException as panic:
            raise PanicError(type(panic).__name__) from panic

    return run


class Pool:
    """A search that has begun cannot be stopped; it holds its thread until it ends, and others wait or are refused.

    failed: the last work on which the index failed, for another attempt (readiness.py).
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._threads: ThreadPoolExecutor | None = None
        self._busy, self._lock = 0, threading.Lock()
        self.failed: Callable[[], object] | None = None

    async def run(self, work: Callable[[], T]) -> T:
        """The result of `work`. Faults: 503 if all threads are busy, it takes too long, or the index is unreadable."""
        with self._lock:
            if self._busy >= self._limits.workers + self._limits.waiting:
                raise Fault(503, "too many searches at once", "", "try again in a moment", retry_after=2)
            self._busy += 1
            if self._threads is None:
                self._threads = ThreadPoolExecutor(self._limits.workers, thread_name_prefix="search")
            future = self._threads.submit(contained(work))
        future.add_done_callback(self._ended)
        try:
            return await asyncio.wait_for(asyncio.wrap_future(future), self._limits.seconds)
        except TimeoutError as slow:
            raise Fault(
                503,
                f"the search took longer than {self._limits.seconds:g} seconds",
                "",
                "ask with fewer words, or try again in a moment",
                retry_after=5,
            ) from slow
        except (OSError, ValueError, InputError, PanicError) as broken:
            # An engine raises these if its files are missing, replaced or damaged.
            crashed("unreadable", broken)
            self.failed = work
            raise unreadable() from broken

    def forget(self, work: Callable[[], object]) -> None:
        """Clear a recorded failure."""
        if self.failed is work:
            self.failed = None

    def close(self) -> None:
        """Let those that run come to their end, and those that wait go; an application can be started again."""
        with self._lock:
            threads, self._threads = self._threads, None
        if threads is not None:
            threads.shutdown(wait=False, cancel_futures=True)

    def _ended(self, _: Future[T]) -> None:
        with self._lock:
            self._busy -= 1
