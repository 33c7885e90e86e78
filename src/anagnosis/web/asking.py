"""Questions of concurrent requests to an index and its trained readers, which run in a thread of their own.

A page that cannot wait for the readers shows results without them (reader_thread.py).
"""

from __future__ import annotations

from dataclasses import dataclass

from anagnosis.errors import DamagedError, InputError
from anagnosis.searching.answers.asking import SHOWN, ask, highlighted
from anagnosis.searching.answers.readers import Readers
from anagnosis.searching.index.index import Index
from anagnosis.searching.queries.asked import AskedQuery
from anagnosis.searching.records.answers import AskAnswer, Hit
from anagnosis.searching.sentences.highlighting import UNTRAINED, Highlighter, Scorer
from anagnosis.web.pool import Pool
from anagnosis.web.questions import AskQuery, PageQuery, expansion
from anagnosis.web.reader_thread import NotRead, ReaderThread
from anagnosis.web.refusal import Fault


@dataclass(frozen=True, slots=True)
class ScoredPassages:
    """Passages with scored sentences. scorer: of the sentences. late: why trained readers did not score them, or ""."""

    hits: list[Hit]
    scorer: Scorer
    late: str = ""


class Asking:
    """An index, the readers of its questions, and the threads that both run in."""

    def __init__(self, index: Index, pool: Pool, readers: Readers, reading: ReaderThread) -> None:
        self.index, self.pool, self.readers, self._reading = index, pool, readers, reading

    async def answer(self, query: PageQuery | AskQuery, limit: int = SHOWN, wanted: str = "") -> AskAnswer:
        """The answer of the trained readers, where there are some. Faults: 409. NotRead: they did not come to it."""
        if self.readers.none_loaded:
            return await self.pool.run(lambda: self.answered(query, self.readers, limit, wanted))

        def state() -> tuple[str, str, list[str]]:
            return self.index.engine.version(), self.ranking(wanted), self.index.notes()

        # The key has the version, so that no cached answer outlives the papers that it is from.
        version, ranking, notes = await self.pool.run(state)
        return await self._reading.run(
            (query.q, query.filters(), expansion(query), limit, version, ranking, *notes),
            lambda: self.answered(query, self.readers, limit, ranking),
        )

    def answered(
        self, query: PageQuery | AskQuery, readers: Readers, limit: int = SHOWN, wanted: str = ""
    ) -> AskAnswer:
        """The answer of these readers, in this thread."""
        index = self.index.expanding(expansion(query))
        return ask(index, query.q, query.filters(), limit, readers, self.ranking(wanted))

    async def scored(
        self, asked: AskedQuery, hits: list[Hit], offset: int, scorer: Highlighter, version: str
    ) -> ScoredPassages:
        """Score the sentences of hits. version: of the index before the search, so that the cache mixes no versions."""
        late, topic = "", asked.topic
        if topic.text and scorer is not UNTRAINED:
            key = [(hit.passage.id, hit.passage.text, hit.score) for hit in hits]
            try:
                scored = await self._reading.run(
                    (version, scorer.about, offset, topic, *key),
                    lambda: highlighted(self.index, topic, hits, scorer, offset),
                )
                return ScoredPassages(scored, scorer.about)
            except NotRead as not_read:
                late = not_read.why
        untrained = UNTRAINED if topic.text else None
        scored = await self.pool.run(lambda: highlighted(self.index, topic, hits, untrained, offset))
        return ScoredPassages(scored, UNTRAINED.about, late)

    def ranking(self, wanted: str) -> str:
        """Faults: 409, of a ranking that the index does not have."""
        try:
            return self.index.ranking(wanted or None)
        except InputError as fault:
            if isinstance(fault, DamagedError) and not wanted:  # not the fault of the request
                raise
            raise Fault(409, fault.what, "ranking", "leave it out, or ask for lexical") from fault
