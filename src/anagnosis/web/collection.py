"""The operations of the routes on an index; each runs in a thread.

The server opens the index once; the next search sees new commits of a writer (searching/engines).
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path

import msgspec
from msgspec.structs import replace

from anagnosis.errors import DamagedError, InputError
from anagnosis.searching.answers.asking import READ, search
from anagnosis.searching.answers.examples import examples
from anagnosis.searching.answers.exporting import references, references_of
from anagnosis.searching.answers.readers import Readers
from anagnosis.searching.answers.related import related
from anagnosis.searching.answers.suggestions import complete
from anagnosis.searching.citing import ExportFormat
from anagnosis.searching.engines import BY_DATE
from anagnosis.searching.index.index import Index
from anagnosis.searching.queries.asked import AskedQuery
from anagnosis.searching.queries.identifiers import identifiers_in, perhaps_identifier
from anagnosis.searching.rank.ranking import LEXICAL
from anagnosis.searching.records.answers import AskAnswer, Counts, Hit, SearchAnswer
from anagnosis.searching.records.paper import Paper
from anagnosis.searching.records.passage import Passage
from anagnosis.searching.records.related import RelatedAnswer
from anagnosis.searching.records.suggestions import Completions
from anagnosis.searching.sentences.highlighting import UNTRAINED
from anagnosis.web.asking import Asking, ScoredPassages
from anagnosis.web.limits import DEEPEST
from anagnosis.web.pool import Pool
from anagnosis.web.question_page import Page, question_page
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
from anagnosis.web.reader_thread import Broken, NotRead, ReaderThread
from anagnosis.web.readiness import Readiness
from anagnosis.web.refusal import Fault

ON_A_PAGE = READ
COUNTED = 100_000  # matching passages, of which facets are counted unasked


@contextmanager
def _named_papers() -> Generator[None]:
    """Faults: 404 where an id names no document, or several."""
    try:
        yield
    except DamagedError:
        raise
    except InputError as unknown:
        raise Fault(404, unknown.what, "id", unknown.remedy) from unknown


class DocumentAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A paper. document: its id in the index. passages: of them all, those from offset on."""

    document: str
    title: str
    paper: Paper
    total: int
    offset: int
    passages: Sequence[Passage]


class Collection:
    """An index and its readers, for concurrent requests. name: of the index, the same whenever it is served."""

    def __init__(self, index: Index, pool: Pool, readers: Readers, reading: ReaderThread) -> None:
        self._index, self._pool, self._readers = index, pool, readers
        self._asking = Asking(index, pool, readers, reading)
        self.name = _name(index.folder)
        self._examples: tuple[str, list[str]] = "", []  # of which version
        self._readiness = Readiness(index, pool, reading, None if readers.none_loaded else self._read)

    async def count(self) -> Counts:
        """Documents and passages."""
        return await self._pool.run(self._index.count)

    async def ready(self) -> None:
        """Check that questions work (readiness.py). Faults: 503 with the reason."""
        await self._readiness.refuse_unready()

    async def search(self, query: SearchQuery) -> SearchAnswer:
        """Ranked papers or passages; no trained reader scores their sentences: that would take too long."""
        scorer, last = UNTRAINED if query.highlight else None, query.offset + query.limit

        def work() -> SearchAnswer:
            if query.sort == BY_DATE and query.ranking not in ("", LEXICAL):
                raise Fault(400, "a list by date is found by words", "ranking", "leave it out")
            ranking = self._asking.ranking(query.ranking)
            how = query.filters(), query.limit, ranking
            answer = search(
                self._index.expanding(expansion(query)),
                query.q,
                *how,
                offset=query.offset,
                scorer=scorer,
                by=query.by,
                sort=query.sort,
                with_facets=query.facets,
            )
            return replace(answer, more=answer.more and last < DEEPEST)

        return await self._pool.run(work)

    async def ask(self, query: AskQuery) -> AskAnswer:
        """The answer to a question. Faults: 503 if the readers do not answer in time."""
        try:
            return await self._asking.answer(query, query.limit, query.ranking)
        except Broken as bug:
            raise (bug.__cause__ or bug) from None
        except NotRead as late:
            remedy = "ask again in a moment, or search"
            raise Fault(503, late.why, "", remedy, retry_after=5) from late

    async def page(self, query: PageQuery) -> Page:
        """An answer and ranked papers, or a further page of them."""
        return await question_page(self._asking, query)

    async def paper(self, question: str) -> str:
        """The document that a query of one identifier alone goes to; "" for any other."""
        if not (identifiers_in(question) or perhaps_identifier(question)):
            return ""
        papers = await self._pool.run(lambda: self._index.read(question).understood.papers)
        return papers[0] if len(papers) == 1 else ""

    async def complete(self, query: CompleteQuery) -> Completions:
        """What begins as somebody types."""
        return await self._pool.run(lambda: complete(self._index.engine, query.q, query.limit))

    async def document(self, query: DocumentQuery) -> DocumentAnswer:
        """The passages of a document. Faults: 404 for an unknown document."""
        passages, about = await self._pool.run(lambda: self._document(query.id))
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
            of, (passages, about) = self._index.engine.version(), self._document(query.id)
            return of, self._index.expanding(expansion(query)).read(query.q), passages, about

        of, asked, passages, about = await self._pool.run(work)
        chosen = [Hit(one, 0.0) for one in passages[offset : offset + limit]]
        return (
            await self._asking.scored(asked, chosen, offset, self._readers.highlighter, of),
            passages,
            about,
        )

    async def related(self, ident: str, limit: int) -> RelatedAnswer:
        """The papers related to a document. Faults: 404 for an unknown document."""

        def work() -> RelatedAnswer:
            with _named_papers():
                return related(self._index, ident, limit)

        return await self._pool.run(work)

    async def export(self, query: ExportQuery, format: ExportFormat) -> str:
        """The papers of a question, or those of ids, in a format of exports. Faults: 404 for an unknown id."""

        def work() -> str:
            if query.id:
                with _named_papers():
                    return "".join(format.lines(references_of(self._index, query.id)))
            index = self._index.expanding(expansion(query))
            how = query.filters(), query.limit, self._asking.ranking("")
            return "".join(format.lines(references(index, query.q, *how, sort=query.sort)))

        return await self._pool.run(work)

    async def examples(self) -> list[str]:
        """Titles that the collection answers; computed once a commit."""

        def work() -> tuple[str, list[str]]:
            version = self._index.engine.version()
            return self._examples if version == self._examples[0] else (version, examples(self._index))

        self._examples = await self._pool.run(work)
        return self._examples[1]

    def _read(self, question: str) -> AskAnswer:
        return self._asking.answered(AskQuery(q=question), self._readers, 1)

    def _document(self, ident: str) -> tuple[list[Passage], Paper]:
        with _named_papers():
            return self._index.document(ident), self._index.paper(ident)


def _name(folder: Path) -> str:
    """A digest, since a page does not tell where folders are."""
    return hashlib.sha256(os.fsencode(folder.resolve())).hexdigest()[:16]


class CollectionAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """What there is to search. sections: names for the filter."""

    documents: int
    passages: int
    sections: Sequence[str]
    version: str


class State(msgspec.Struct, frozen=True, kw_only=True):
    """ok or ready."""

    status: str
