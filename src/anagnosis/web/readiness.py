"""Readiness of the collection, checked by the same calls as for questions, with the reason if it is not ready.

The check verifies that the folder still holds the opened index, counts, searches and reads a passage. It also repeats
the last failed request, since only that may touch the damage. It tries trained readers before the first answer and
after each failure. The collection is ready again as soon as the checks pass.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

from anagnosis.errors import InputError
from anagnosis.searching.filters import Filters
from anagnosis.searching.index.index import Index
from anagnosis.searching.index.settings import FILE, read_settings
from anagnosis.web.faults import unready
from anagnosis.web.logs import crashed
from anagnosis.web.pool import Pool, contained
from anagnosis.web.reader_thread import Failed, NotRead, ReaderThread
from anagnosis.web.refusal import Fault

HOLDS = 1.0  # seconds for which a result is reused
# Words that most papers of medicine have; and a question for each kind of reader, filled with words of a passage, so
# that some sentence matches.
WORDS = "patients cells disease treatment study results"
QUESTIONS = ("Does {}?", "Which gene {}?")
_LONGEST = 12  # words


class Readiness:
    """Checks readiness. Only the event loop calls it. read: answers a question with the readers, None without any."""

    def __init__(
        self, index: Index, pool: Pool, reading: ReaderThread, read: Callable[[str], object] | None
    ) -> None:
        self._index, self._pool, self._reading, self._read = index, pool, reading, read
        self._trial: asyncio.Future[Fault | None] | None = None
        self._try_again = 0.0
        self._readers_fault: Fault | None = None
        self._tried = -1  # failures of readers that had happened before they were tried

    async def refuse_unready(self) -> None:
        """Raise Fault (503, with the reason) if it is not ready. One check a second serves all requests."""
        trial = self._trial
        if trial is None or trial.cancelled() or (trial.done() and time.monotonic() >= self._try_again):
            trial = self._trial = asyncio.ensure_future(self._fault())
        if fault := await asyncio.shield(trial):
            raise fault.with_traceback(None)

    async def _fault(self) -> Fault | None:
        try:
            words = await self._pool.run(self._words_or_fault)
            if isinstance(words, Exception):
                crashed("unready", words)
                return unready(words)
            return await self._fault_of_readers(words)
        except Fault as fault:  # all is busy
            return fault
        finally:
            self._try_again = time.monotonic() + HOLDS

    def _words_or_fault(self) -> str | Exception:
        try:
            return contained(self._try_index)()
        except Exception as broken:
            return broken

    def _try_index(self) -> str:
        """Try the index; returns words of a passage."""
        failed = self._pool.failed
        _refuse_another(self._index)
        self._index.engine.version()
        self._index.count()
        hits = self._index.search(WORDS, Filters(), 1)
        if failed is not None:
            failed()
            self._pool.forget(failed)
        return " ".join(hits[0].passage.text.split()[:_LONGEST]) if hits else WORDS

    async def _fault_of_readers(self, words: str) -> Fault | None:
        if self._read is None:
            return None
        failures = self._reading.failures
        if self._tried != failures or self._readers_fault is not None:
            self._readers_fault = await self._trial_of_readers(self._read, words)
            self._tried = self._reading.failures
        return self._readers_fault

    async def _trial_of_readers(self, read: Callable[[str], object], words: str) -> Fault | None:
        for question in (each.format(words) for each in QUESTIONS):
            try:
                await self._reading.run(("ready", question, time.monotonic()), _of(read, question))
            except Failed as failed:
                return unready(failed)
            except NotRead:
                return None  # busy or slow: meanwhile pages show results without the readers
        return None


def _of(read: Callable[[str], object], question: str) -> Callable[[], Any]:
    return lambda: read(question)


def _refuse_another(index: Index) -> None:
    """InputError: the folder is gone, or holds an index of another engine."""
    path = index.folder / FILE
    if not path.is_file():
        raise InputError("the collection has gone", str(index.folder), "put it back")
    if read_settings(index.folder).engine != index.settings.engine:
        raise InputError(
            "the collection was replaced by one of another kind", str(index.folder), "start the server again"
        )
