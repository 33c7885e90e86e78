"""Trained readers at work: in one thread of their own, so that no search waits for them.

One question is read at a time: a reader computes on all processors by itself, and what it sets there (torch's threads,
generators and kernels, training/loop/devices.py) holds for the process. What was read lately is kept in memory, so
that an answer that came too late for whoever asked is there when it is asked for again.
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
    """why: in words."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class Failed(NotRead):
    """The readers cannot, at least on this question; its cause is the exception."""


class Broken(Failed):
    """A fault of ours and not of the question, the papers or the machine."""


@dataclass(slots=True)
class _Work:
    """asking: how many wait for it just now."""

    future: Future[Any]
    asking: int = 0


class Reading:
    """Asked from the event loop alone. failures: how often the readers could not."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._thread: ThreadPoolExecutor | None = None
        self._kept: OrderedDict[Hashable, _Work] = OrderedDict()
        self.failures = 0

    async def run(self, key: Hashable, work: Callable[[], T]) -> T:
        """What `work` gives, or gave lately under this key. NotRead: too many wait, it takes too long, it failed.

        Broken, which is one of them, where the readers failed in a way that nobody expects.
        """
        found = self._kept.pop(key, None)
        if found is None or _failed(found.future):
            found = self._begun(work)
        self._kept[key] = found
        found.asking += 1
        future = asyncio.wrap_future(found.future)
        try:
            # Not wait_for, which would take the answer from others who wait for it too.
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
            found.asking -= 1
            future.add_done_callback(_seen)
            if not found.asking and not found.future.done():
                found.future.cancel()  # what has begun goes on
            if _failed(found.future) and self._kept.get(key) is found:
                del self._kept[key]
        raise NotRead(f"reading takes longer than {self._limits.reading_seconds:g} seconds")

    def close(self) -> None:
        """Let what is read come to its end, and what waits go."""
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
    """That of torch is a RuntimeError, told by its name, since torch is not imported here."""
    return any(kind.__name__ in ("MemoryError", "OutOfMemoryError") for kind in type(fault).__mro__)


def _failed(future: Future[Any]) -> bool:
    return future.cancelled() or (future.done() and future.exception() is not None)


def _seen(future: asyncio.Future[Any]) -> None:
    """asyncio complains of faults that nobody looked at."""
    if not future.cancelled():
        future.exception()
