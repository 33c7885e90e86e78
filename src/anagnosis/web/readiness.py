"""Readiness of the collection: whether a search of it works, with the reason if it does not."""

from __future__ import annotations

import asyncio
import time

from anagnosis.searching.answers.asking import search
from anagnosis.searching.filters import Filters
from anagnosis.searching.index.index import Index
from anagnosis.web.faults import Fault, unready
from anagnosis.web.logs import crashed
from anagnosis.web.threads import Pool, contained

HOLDS = 1.0  # seconds for which a result is reused
WORDS = "patients cells disease treatment study results"  # which most papers of medicine have


class Readiness:
    """Checks readiness. Only the event loop calls it."""

    def __init__(self, index: Index, pool: Pool) -> None:
        self._index, self._pool = index, pool
        self._trial: asyncio.Future[Fault | None] | None = None
        self._try_again = 0.0

    async def refuse_unready(self) -> None:
        """Raise Fault (503, with the reason) if it is not ready. One check a second serves all requests."""
        trial = self._trial
        if trial is None or trial.cancelled() or (trial.done() and time.monotonic() >= self._try_again):
            trial = self._trial = asyncio.ensure_future(self._fault())
        if fault := await asyncio.shield(trial):
            raise fault.with_traceback(None)

    async def _fault(self) -> Fault | None:
        try:
            broken = await self._pool.run(self._try_search)
        except Fault as fault:  # all is busy
            return fault
        finally:
            self._try_again = time.monotonic() + HOLDS
        if broken is None:
            return None
        crashed("unready", broken)
        return unready(broken)

    def _try_search(self) -> Exception | None:
        try:
            contained(lambda: search(self._index, WORDS, Filters(), 1))()
        except Exception as broken:
            return broken
        return None
