"""A language model: calls through the log, the limits and the server, with the replies in the order of the calls."""

from __future__ import annotations

import asyncio
import sys
from collections import deque
from collections.abc import Callable, Coroutine, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import AbstractAsyncContextManager, contextmanager
from dataclasses import dataclass
from itertools import islice
from threading import Thread
from typing import Any, TypeVar

from anagnosis.errors import InputError
from anagnosis.language_models.calls import Call, CallLog, Reply
from anagnosis.language_models.server import Ask, Server
from anagnosis.language_models.spending import Spending

T = TypeVar("T")
_AHEAD = 4  # items under way for each call at a time, so that a slow one does not hold up the others


@dataclass(frozen=True, slots=True)
class LanguageModel:
    """spending: adds up what the replies take. server: None if only the log answers. log: None keeps none."""

    spending: Spending
    server: Server | None = None
    log: CallLog | None = None

    def replies(self, items: Iterable[tuple[T, Sequence[Call]]]) -> Iterator[tuple[T, list[Reply]]]:
        """Each item with the replies to its calls, in order; the calls of an item run one after another.

        The first item that has calls goes alone, so that its caller knows how long one takes. InputError: a limit is
        reached, the log lacks a call and there is no server, or what the server raises.
        """
        if self.server is None:
            for item, calls in items:
                yield item, [self._logged(call) for call in calls]
            return
        rest, wanted = iter(items), 1
        waiting: deque[tuple[T, Future[list[Reply]]]] = deque()
        with _running_loop() as run:
            connection, room = self.server.connected(), asyncio.Semaphore(self.server.at_once)
            ask = run(connection.__aenter__()).result()
            try:
                while True:
                    for item, calls in islice(rest, wanted - len(waiting)):
                        waiting.append((item, run(self._all(ask, room, calls))))
                    if not waiting:
                        return
                    item, future = waiting[0]
                    replies = future.result()
                    waiting.popleft()
                    yield item, replies
                    if replies:
                        wanted = self.server.at_once * _AHEAD
            finally:
                if not sys.is_finalizing():  # when Python ends, nothing runs in the loop any more
                    run(_stopped(connection)).result()

    def _logged(self, call: Call) -> Reply:
        """The reply of the log. InputError: it lacks the call."""
        reply = self._found(call)
        if reply is None:
            what, name = f"has no reply to a call ({call.key.hex()})", self.log.name if self.log else ""
            raise InputError(what, name, "replay with the same options, or ask a server")
        return reply

    def _found(self, call: Call) -> Reply | None:
        reply = self.log.reply(call) if self.log else None
        if reply is not None:
            self.spending.add(call, reply)
        return reply

    async def _all(self, ask: Ask, room: asyncio.Semaphore, calls: Sequence[Call]) -> list[Reply]:
        return [self._found(call) or await self._asked(ask, room, call) for call in calls]

    async def _asked(self, ask: Ask, room: asyncio.Semaphore, call: Call) -> Reply:
        async with room:
            with self.spending.reserved(call):
                reply = await ask(call)
                if self.log:
                    reply = self.log.append(call, reply)
                self.spending.add(call, reply)
                return reply


async def _stopped(connection: AbstractAsyncContextManager[Ask]) -> None:
    """End the calls under way, and the connection."""
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)
    await connection.__aexit__(None, None, None)


@contextmanager
def _running_loop() -> Generator[Callable[[Coroutine[Any, Any, T]], Future[T]]]:
    """A function that runs a coroutine in a loop of its own; a notebook already has one in this thread."""
    loop = asyncio.new_event_loop()
    thread = Thread(target=loop.run_forever, daemon=True)
    thread.start()
    try:
        yield lambda coroutine: asyncio.run_coroutine_threadsafe(coroutine, loop)
    finally:
        if not sys.is_finalizing():
            loop.call_soon_threadsafe(loop.stop)
            thread.join()
            loop.close()
