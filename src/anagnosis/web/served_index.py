"""An index for concurrent requests, with the threads that search it and the trained readers of its sentences.

The server opens the index once; the next search sees new commits of a writer (searching/engines).
"""

from __future__ import annotations

import asyncio
import hashlib
import os
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any, TypeVar

from anagnosis.api import searching
from anagnosis.errors import ArgumentError, DamagedError, InputError, UnavailableError
from anagnosis.searching.answers.judging import Judge
from anagnosis.searching.index.index import Index
from anagnosis.searching.records.hits import AskAnswer
from anagnosis.searching.sentences.highlighting import UNTRAINED, Highlighter
from anagnosis.web.faults import Fault
from anagnosis.web.limits import Limits
from anagnosis.web.logs import crashed
from anagnosis.web.threads import Threads

T = TypeVar("T")
_USUAL_WORDS = "patients cells disease treatment study results"  # which most papers of medicine have


class NotRead(Exception):  # noqa: N818 nothing is wrong: there is only no answer of theirs
    """The readers and the judge have no answer, and why."""


class ServedIndex:
    """An index and what scores and judges its sentences. name: of the index, the same whenever it is served."""

    def __init__(self, index: Index, limits: Limits, scorer: Highlighter, judge: Judge | None = None) -> None:
        self.index, self.scorer, self.judge = index, scorer, judge
        # A digest, since a page does not tell where folders are.
        self.name = hashlib.sha256(os.fsencode(index.folder.resolve())).hexdigest()[:16]
        self.searching = Threads(limits.workers, limits.waiting, limits.seconds)
        # A judge computes elsewhere: no search waits for it, and no question, which can be answered without.
        slow = (limits.judging, 0) if scorer is UNTRAINED else (1, limits.reading)
        self._reading = Threads(*slow, limits.reading_seconds)

    def close(self) -> None:
        """End the threads, and close the index."""
        self._reading.close()
        self.searching.close()
        self.index.close()

    async def run(self, verb: Callable[..., T], **given: Any) -> T:
        """What a verb gives of the index. Faults: 404 for an unknown id, 409 for a ranking that it does not have."""
        return await self.searching.run(lambda: self._given(verb, given))

    def _given(self, verb: Callable[..., T], given: dict[str, Any]) -> T:
        words = {name: given[name] for name in ("no_synonyms", "without") if name in given}
        index = searching.expanding(self.index, **words) if words else self.index
        given = {name: value for name, value in given.items() if name not in words}
        if verb in (searching.search, searching.ask):
            given["files"] = False  # a page does not tell where files are
        if given.get("ranking"):
            with refusing(409, "ranking", "leave it out, or ask for lexical"):
                self.index.ranking(given["ranking"])
        if "ident" in given or "ids" in given:
            with refusing(404, "ident"):
                return verb(index, **given)
        return verb(index, **given)

    async def ready(self) -> None:
        """Search once. Faults: 503 with the reason if that does not work."""
        try:
            await self.run(searching.search, question=_USUAL_WORDS, limit=1)
        except TimeoutError:
            raise
        except Exception as fault:
            broken = fault.__cause__ or fault
            crashed("unready", broken)
            if isinstance(broken, InputError):  # where it is may be a path
                raise Fault(503, broken.what, "", broken.remedy, retry_after=5) from fault
            what = f"the collection cannot be searched ({type(broken.__cause__ or broken).__name__})"
            raise Fault(503, what, "", "see the log of the server", retry_after=5) from fault

    async def ask(self, **given: Any) -> AskAnswer:
        """The answer to a question, without the judge if it does not come to it. Faults: 503 if the readers do not."""
        try:
            return await self.answer(**given)
        except NotRead as late:
            if self.scorer is UNTRAINED:
                return await self.run(searching.ask, **given)
            raise Fault(503, str(late), "", "ask again in a moment, or search", retry_after=5) from late

    async def answer(self, **given: Any) -> AskAnswer:
        """The answer of trained readers and a judge, if there are any. NotRead: they did not come to it, or failed."""
        if self.scorer is UNTRAINED and self.judge is None:
            return await self.run(searching.ask, **given)
        read = {**given, "readers": self.scorer, "judge": self.judge}
        future = self._reading.begin(lambda: self._given(searching.ask, read))
        if future is None:
            raise NotRead("too many questions are being read")
        seconds = self._reading.seconds
        try:
            return await asyncio.wait_for(asyncio.wrap_future(future), seconds)
        except (ArgumentError, Fault):
            raise
        except TimeoutError as late:
            raise NotRead(f"reading takes longer than {seconds:g} seconds") from late
        except Exception as broken:
            crashed("reading", broken)
            raise NotRead("reading failed on this question") from broken


@contextmanager
def refusing(status: int, where: str, remedy: str = "") -> Generator[None]:
    """Faults: of this status, where the index has not what is named. remedy: for visitors, in place of its own."""
    try:
        yield
    except (DamagedError, UnavailableError, ArgumentError):
        raise
    except InputError as unknown:
        raise Fault(status, unknown.what, where, remedy or unknown.remedy) from unknown
