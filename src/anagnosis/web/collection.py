"""The operations of the routes on an index and its trained readers; each runs in a thread (threads.py).

The server opens the index once; the next search sees new commits of a writer (searching/engines).
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar

import msgspec
from msgspec.structs import replace

from anagnosis.errors import DamagedError, InputError, UnavailableError
from anagnosis.searching.answers.asking import SHOWN, ask, highlighted, search
from anagnosis.searching.answers.examples import examples
from anagnosis.searching.answers.exporting import references, references_of
from anagnosis.searching.answers.related import related
from anagnosis.searching.answers.suggestions import complete
from anagnosis.searching.citing import ExportFormat
from anagnosis.searching.engines import BY_DATE
from anagnosis.searching.filters import Filters
from anagnosis.searching.index.index import Index
from anagnosis.searching.queries.asked import AskedQuery
from anagnosis.searching.queries.identifiers import identifiers_in, perhaps_identifiers
from anagnosis.searching.rank.ranking import LEXICAL
from anagnosis.searching.records.hits import (
    AskAnswer,
    Completions,
    Counts,
    Hit,
    RelatedAnswer,
    SearchAnswer,
)
from anagnosis.searching.records.paper import Paper
from anagnosis.searching.records.passage import Passage
from anagnosis.searching.sentences.highlighting import UNTRAINED, Highlighter, Scorer
from anagnosis.web.faults import Fault, unready
from anagnosis.web.limits import DEEPEST
from anagnosis.web.logs import crashed
from anagnosis.web.questions import (
    AskQuery,
    CompleteQuery,
    DocumentPageQuery,
    DocumentQuery,
    ExportQuery,
    PageQuery,
    SearchQuery,
    expansion,
)
from anagnosis.web.threads import Broken, NotRead, Pool, ReaderThread, contained

T = TypeVar("T")
_USUAL_WORDS = "patients cells disease treatment study results"  # which most papers of medicine have


class DocumentAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A paper. document: its id in the index. passages: of them all, those from offset on."""

    document: str
    title: str
    paper: Paper
    total: int
    offset: int
    passages: Sequence[Passage]


@dataclass(frozen=True, slots=True)
class ScoredPassages:
    """Passages with scored sentences. scorer: of the sentences. late: why trained readers did not score them, or ""."""

    hits: list[Hit]
    scorer: Scorer
    late: str = ""


class Collection:
    """An index and what scores its sentences, for concurrent requests.

    name: of the index, the same whenever it is served.
    """

    def __init__(self, index: Index, pool: Pool, scorer: Highlighter, reading: ReaderThread) -> None:
        self.index, self.pool, self.scorer, self._reading = index, pool, scorer, reading
        # A digest, since a page does not tell where folders are.
        self.name = hashlib.sha256(os.fsencode(index.folder.resolve())).hexdigest()[:16]
        self._examples: tuple[str, list[str]] = "", []  # of which version

    async def count(self) -> Counts:
        """Documents and passages."""
        return await self.pool.run(self.index.count)

    async def ready(self) -> None:
        """Search once. Faults: 503 with the reason if that does not work."""

        def trial() -> Exception | None:
            try:
                contained(lambda: search(self.index, _USUAL_WORDS, Filters(), 1))()
            except Exception as broken:
                return broken
            return None

        if (broken := await self.pool.run(trial)) is not None:
            crashed("unready", broken)
            raise unready(broken)

    async def search(self, query: SearchQuery) -> SearchAnswer:
        """Ranked papers or passages; no trained reader scores their sentences: that would take too long."""
        scorer, last = UNTRAINED if query.highlight else None, query.offset + query.limit

        def work() -> SearchAnswer:
            if query.sort == BY_DATE and query.ranking not in ("", LEXICAL):
                raise Fault(400, "a list by date is found by words", "ranking", "leave it out")
            ranking = self.ranking(query.ranking)
            how = query.filters(), query.limit, ranking
            answer = search(
                self.index.expanding(expansion(query)),
                query.q,
                *how,
                offset=query.offset,
                scorer=scorer,
                by=query.by,
                sort=query.sort,
                with_facets=query.facets,
            )
            return replace(answer, more=answer.more and last < DEEPEST)

        return await self.pool.run(work)

    async def ask(self, query: AskQuery) -> AskAnswer:
        """The answer to a question. Faults: 503 if the readers do not answer in time."""
        try:
            return await self.answer(query, query.limit, query.ranking)
        except Broken as bug:
            raise (bug.__cause__ or bug) from None
        except NotRead as late:
            remedy = "ask again in a moment, or search"
            raise Fault(503, late.why, "", remedy, retry_after=5) from late

    async def answer(self, query: PageQuery | AskQuery, limit: int = SHOWN, wanted: str = "") -> AskAnswer:
        """The answer of the trained readers, where there are some. Faults: 409. NotRead: they did not come to it."""
        if self.scorer is UNTRAINED:
            return await self.pool.run(lambda: self.answered(query, self.scorer, limit, wanted))

        def state() -> tuple[str, str, list[str]]:
            return self.index.engine.committed().version, self.ranking(wanted), self.index.notes()

        # The key has the version, so that no cached answer outlives the papers that it is from.
        version, ranking, notes = await self.pool.run(state)
        return await self._reading.run(
            (query.q, query.filters(), expansion(query), limit, version, ranking, *notes),
            lambda: self.answered(query, self.scorer, limit, ranking),
        )

    def answered(
        self, query: PageQuery | AskQuery, scorer: Highlighter, limit: int = SHOWN, wanted: str = ""
    ) -> AskAnswer:
        """The answer, its sentences in the order of this scorer, in this thread."""
        index = self.index.expanding(expansion(query))
        return ask(index, query.q, query.filters(), limit, scorer, self.ranking(wanted))

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

    async def paper(self, question: str) -> str:
        """The document that a query of one identifier alone goes to; "" for any other."""
        if not (identifiers_in(question) or perhaps_identifiers(question)):
            return ""
        papers = await self.pool.run(lambda: self.index.read(question).understood.papers)
        return papers[0] if len(papers) == 1 else ""

    async def complete(self, query: CompleteQuery) -> Completions:
        """What begins as somebody types."""
        return await self.pool.run(lambda: complete(self.index.engine, query.q, query.limit))

    async def document(self, query: DocumentQuery) -> DocumentAnswer:
        """The passages of a document. Faults: 404 for an unknown document."""
        passages, about = await self.pool.run(lambda: self._document(query.id))
        shown = passages[query.offset : query.offset + query.limit]
        return DocumentAnswer(
            document=passages[0].document,
            title=passages[0].paper,
            paper=about,
            total=len(passages),
            offset=query.offset,
            passages=shown,
        )

    async def document_shown(
        self, query: DocumentPageQuery, offset: int, limit: int
    ) -> tuple[ScoredPassages, list[Passage], Paper]:
        """(some passages of a document with scored sentences, all its passages, its paper). Faults: 404."""

        def work() -> tuple[str, AskedQuery, list[Passage], Paper]:
            of, (passages, about) = self.index.engine.committed().version, self._document(query.id)
            return of, self.index.expanding(expansion(query)).read(query.q), passages, about

        of, asked, passages, about = await self.pool.run(work)
        chosen = [Hit(one, 0.0) for one in passages[offset : offset + limit]]
        return (
            await self.scored(asked, chosen, offset, self.scorer, of),
            passages,
            about,
        )

    def passages(self, ident: str) -> list[Passage]:
        """The passages of a document, in this thread. Faults: 404 for an unknown document."""
        with _named_papers():
            return self.index.document(ident)

    async def related(self, ident: str, limit: int) -> RelatedAnswer:
        """The papers related to a document. Faults: 404 for an unknown document."""

        def work() -> RelatedAnswer:
            with _named_papers():
                return related(self.index, ident, limit)

        return await self.pool.run(work)

    async def export(self, query: ExportQuery, format: ExportFormat) -> str:
        """The papers of a question, or those of ids, in a format of exports. Faults: 404 for an unknown id."""

        def work() -> str:
            if query.id:
                with _named_papers():
                    return "".join(format.lines(references_of(self.index, query.id)))
            index = self.index.expanding(expansion(query))
            how = query.filters(), query.limit, self.ranking("")
            return "".join(format.lines(references(index, query.q, *how, sort=query.sort)))

        return await self.pool.run(work)

    async def examples(self) -> list[str]:
        """Titles that the collection answers; computed once a commit."""

        def work() -> tuple[str, list[str]]:
            version = self.index.engine.committed().version
            return self._examples if version == self._examples[0] else (version, examples(self.index))

        self._examples = await self.pool.run(work)
        return self._examples[1]

    def _document(self, ident: str) -> tuple[list[Passage], Paper]:
        with _named_papers():
            stored = self.index.stored(ident)
            return stored.passages, stored.paper


@contextmanager
def _named_papers() -> Generator[None]:
    """Faults: 404 where an id names no document, or several."""
    try:
        yield
    except (DamagedError, UnavailableError):
        raise
    except InputError as unknown:
        raise Fault(404, unknown.what, "id", unknown.remedy) from unknown
