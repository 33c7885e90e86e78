"""The thread of the trained readers, so that no search waits for them.

It reads one question at a time: a reader uses all processors by itself, and its settings (torch's threads, generators
and kernels, training/loop/devices.py) hold for the whole process. Recent answers stay in memory, so that an answer that
missed its time limit is ready when the user asks again.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeVar

from anagnosis.errors import InputError
from anagnosis.web.limits import Limits
from anagnosis.web.logs import crashed
from anagnosis.web.pool import PanicError, contained

T = TypeVar("T")
KEPT = 32  # answers, of some 100 KB


class NotRead(Exception):  # noqa: N818 nothing is wrong: there is only no answer of the readers yet
    """The readers have no answer yet. why: the reason, in words."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class Failed(NotRead):
    """The readers failed on this question; the cause is the exception."""


class Broken(Failed):
    """An error in our program, not in the question, the papers or the machine."""


@dataclass(slots=True)
class _Work:
    """A submitted question. asking: number of requests that wait for it."""

    future: Future[Any]
    asking: int = 0


class ReaderThread:
    """Runs readers in one thread. Only the event loop calls it. failures: number of failed questions."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._thread: ThreadPoolExecutor | None = None
        self._kept: OrderedDict[Hashable, _Work] = OrderedDict()
        self.failures = 0

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
            await asyncio.wait({future}, timeout=self._limits.reading_seconds)
            if future.done():
                return future.result()
        except Exception as broken:
            crashed("reading", broken)
            self.failures += 1
            if _out_of_memory(broken):
                raise Failed("the trained readers ran out of memory on this question") from broken
            expected = isinstance(broken, (OSError, ValueError, InputError, PanicError))
            raise (Failed if expected else Broken)("the trained readers failed on this question") from broken
        finally:
            item.asking -= 1
            future.add_done_callback(_seen)
            if not item.asking and not item.future.done():
                item.future.cancel()  # has no effect on work that has begun
            if _failed(item.future) and self._kept.get(key) is item:
                del self._kept[key]
        raise NotRead(f"reading takes longer than {self._limits.reading_seconds:g} seconds")

    def close(self) -> None:
        """Finish the current question and drop the waiting ones."""
        thread, self._thread = self._thread, None
        self._kept.clear()
        if thread is not None:
            thread.shutdown(wait=False, cancel_futures=True)

    def _begun(self, work: Callable[[], Any]) -> _Work:
        if sum(not one.future.done() for one in self._kept.values()) > self._limits.reading:
            raise NotRead("too many questions are being read")
        if self._thread is None:
            self._thread = ThreadPoolExecutor(1, thread_name_prefix="read")
        done = [key for key, one in self._kept.items() if one.future.done()]
        for key in done[: max(0, len(self._kept) + 1 - KEPT)]:
            del self._kept[key]
        return _Work(self._thread.submit(contained(work)))


def _out_of_memory(fault: Exception) -> bool:
    """Whether memory ran out. We compare torch's error by name, since this module does not import torch."""
    return any(kind.__name__ in ("MemoryError", "OutOfMemoryError") for kind in type(fault).__mro__)


def _failed(future: Future[Any]) -> bool:
    return future.cancelled() or (future.done() and future.exception() is not None)


def _seen(future: asyncio.Future[Any]) -> None:
    """Retrieve the exception, since asyncio warns about unretrieved ones."""
    if not future.cancelled():
        future.exception()
