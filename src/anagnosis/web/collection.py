"""The operations of the routes on an index; each runs in a thread.

The server opens the index once; the next search sees new commits of a writer (searching/engines). Trained readers run
in a separate thread (reader_thread.py); a page that cannot wait for them shows results without them.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from msgspec.structs import replace

from anagnosis.errors import DamagedError, InputError
from anagnosis.searching.answers.asking import READ, SHOWN, ask, highlighted, search
from anagnosis.searching.answers.examples import examples
from anagnosis.searching.answers.exporting import references, references_of
from anagnosis.searching.answers.readers import NONE, Readers
from anagnosis.searching.answers.related import related
from anagnosis.searching.answers.suggestions import complete
from anagnosis.searching.citing import ExportFormat
from anagnosis.searching.engines import BY_DATE, BY_SCORE
from anagnosis.searching.filters import Filters
from anagnosis.searching.index.index import Index
from anagnosis.searching.index.listing import by_date, facets, matches
from anagnosis.searching.index.paper_names import documents_of
from anagnosis.searching.queries.asked import AskedQuery
from anagnosis.searching.queries.identifiers import identifiers_in, perhaps_identifier
from anagnosis.searching.rank.ranking import LEXICAL
from anagnosis.searching.records.answers import AskAnswer, Counts, Hit, SearchAnswer
from anagnosis.searching.records.matches import Facets
from anagnosis.searching.records.paper import Paper
from anagnosis.searching.records.paper_groups import BY_PAPER
from anagnosis.searching.records.passage import Passage
from anagnosis.searching.records.related import RelatedAnswer
from anagnosis.searching.records.suggestions import Completions
from anagnosis.searching.sentences import evidence_order
from anagnosis.searching.sentences.highlighting import UNTRAINED, Highlighter, Scorer
from anagnosis.web.api_records import DocumentAnswer
from anagnosis.web.facets import facets_to_choose
from anagnosis.web.faults import Fault
from anagnosis.web.limits import DEEPEST
from anagnosis.web.listing import Listed, listed
from anagnosis.web.pool import Pool
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

ON_A_PAGE = READ
COUNTED = 100_000  # matching passages, of which facets are counted unasked


@dataclass(frozen=True, slots=True)
class ScoredPassages:
    """Passages with scored sentences. scorer: of the sentences. late: why trained readers did not score them, or ""."""

    hits: list[Hit]
    scorer: Scorer
    late: str = ""


@dataclass(frozen=True, slots=True)
class Page:
    """The contents of a question's page.

    about: how the question was searched. answer: on the first page of a list by score only. shown: the best passage of
    each paper, or passages. results: the same, as the list shows them. found: the list and its counts. facets: null
    where they cannot be counted; count_facets: or were not, since that takes long.
    """

    counts: Counts
    about: SearchAnswer | AskAnswer
    answer: AskAnswer | None
    shown: ScoredPassages
    results: list[Listed]
    found: SearchAnswer
    facets: Facets | None
    count_facets: bool
    more: bool


class Collection:
    """An index and its readers, for concurrent requests. name: of the index, the same whenever it is served."""

    def __init__(self, index: Index, pool: Pool, readers: Readers, reading: ReaderThread) -> None:
        self._index, self._pool, self._readers, self._reading = index, pool, readers, reading
        self.name = _name(index.folder)
        self._trained = not readers.none_loaded
        self._examples: tuple[str, list[str]] = "", []  # of which version
        self._readiness = Readiness(index, pool, reading, self._read if self._trained else None)

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
            ranking = self._ranking(query.ranking)
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
            return await self._asked(query, query.limit, query.ranking)
        except Broken as bug:
            raise (bug.__cause__ or bug) from None
        except NotRead as late:
            remedy = "ask again in a moment, or search"
            raise Fault(503, late.why, "", remedy, retry_after=5) from late

    async def page(self, query: PageQuery) -> Page:
        """An answer and ranked papers, or a further page of them.

        The first page has the papers of the passages that the answer read, so that nothing is scored twice.
        """

        def read() -> tuple[str, AskedQuery]:
            return self._index.engine.version(), self._index.expanding(expansion(query)).read(query.q)

        of, asked = await self._pool.run(read)
        topic = asked.topic.text
        if query.page == 1 and topic and query.sort == BY_SCORE:
            late = ""
            try:
                answer = await self._asked(query)
            except NotRead as not_read:
                late = not_read.why
                answer = await self._pool.run(lambda: self._answered(query, NONE))
            first = _results(query, answer.hits)
            found = await self._pool.run(lambda: self._listed(query, asked, 0, first))
            return await self._page(query, asked, found, _beside(found, answer, late), answer)

        def work() -> SearchAnswer:
            before = ON_A_PAGE * (query.page - 1)
            if topic and query.sort == BY_SCORE:
                first = self._index.search(asked, query.filters(), READ, self._ranking(""))
                before += _results(query, first) - ON_A_PAGE
            return self._listed(query, asked, before, ON_A_PAGE)

        found = await self._pool.run(work)
        offset = found.found[0].rank - 1 if found.found else 0
        # Over a collection readers score a sentence by the rank of its passage too, which a list by date has not.
        ranked = query.sort == BY_SCORE
        scorer = self._readers.highlighter.over_collection(offset, found.ranking) if ranked else UNTRAINED
        shown = await self._shown(asked, list(found.found), offset, scorer, of)
        return await self._page(query, asked, found, shown)

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
        return await self._shown(asked, chosen, offset, self._readers.highlighter, of), passages, about

    async def related(self, ident: str, limit: int) -> RelatedAnswer:
        """The papers related to a document. Faults: 404 for an unknown document."""

        def work() -> RelatedAnswer:
            try:
                return related(self._index, ident, limit)
            except DamagedError:
                raise
            except InputError as unknown:
                raise Fault(404, unknown.what, "id", unknown.remedy) from unknown

        return await self._pool.run(work)

    async def export(self, query: ExportQuery, format: ExportFormat) -> str:
        """The papers of a question, or those of ids, in a format of exports. Faults: 404 for an unknown id."""

        def work() -> str:
            try:
                papers = (
                    references_of(self._index, query.id)
                    if query.id
                    else references(
                        self._index.expanding(expansion(query)),
                        query.q,
                        query.filters(),
                        query.limit,
                        self._ranking(""),
                        sort=query.sort,
                    )
                )
                return "".join(format.lines(papers))
            except DamagedError:
                raise
            except InputError as unknown:
                raise Fault(404, unknown.what, "id", unknown.remedy) from unknown

        return await self._pool.run(work)

    async def examples(self) -> list[str]:
        """Titles that the collection answers; computed once a commit."""

        def work() -> tuple[str, list[str]]:
            version = self._index.engine.version()
            return self._examples if version == self._examples[0] else (version, examples(self._index))

        self._examples = await self._pool.run(work)
        return self._examples[1]

    async def _asked(self, query: PageQuery | AskQuery, limit: int = SHOWN, wanted: str = "") -> AskAnswer:
        """Faults: 409. NotRead."""
        if not self._trained:
            return await self._pool.run(lambda: self._answered(query, self._readers, limit, wanted))

        def state() -> tuple[str, str, list[str]]:
            return self._index.engine.version(), self._ranking(wanted), self._index.notes()

        # The key has the version, so that no cached answer outlives the papers that it is from.
        version, ranking, notes = await self._pool.run(state)
        return await self._reading.run(
            (query.q, query.filters(), expansion(query), limit, version, ranking, *notes),
            lambda: self._answered(query, self._readers, limit, ranking),
        )

    def _answered(
        self, query: PageQuery | AskQuery, readers: Readers, limit: int = SHOWN, wanted: str = ""
    ) -> AskAnswer:
        index = self._index.expanding(expansion(query))
        return ask(index, query.q, query.filters(), limit, readers, self._ranking(wanted))

    def _read(self, question: str) -> AskAnswer:
        return self._answered(AskQuery(q=question), self._readers, 1)

    async def _shown(
        self, asked: AskedQuery, hits: list[Hit], offset: int, scorer: Highlighter, version: str
    ) -> ScoredPassages:
        """Score the sentences of hits. version: of the index before the search, so that the cache mixes no versions."""
        late, topic = "", asked.topic
        if topic.text and scorer is not UNTRAINED:
            key = [(hit.passage.id, hit.passage.text, hit.score) for hit in hits]
            try:
                scored = await self._reading.run(
                    (version, scorer.about, offset, topic, *key),
                    lambda: highlighted(self._index, topic, hits, scorer, offset),
                )
                return ScoredPassages(scored, scorer.about)
            except NotRead as not_read:
                late = not_read.why
        untrained = UNTRAINED if topic.text else None
        scored = await self._pool.run(lambda: highlighted(self._index, topic, hits, untrained, offset))
        return ScoredPassages(scored, UNTRAINED.about, late)

    def _ranking(self, wanted: str) -> str:
        try:
            return self._index.ranking(wanted or None)
        except InputError as fault:
            if isinstance(fault, DamagedError) and not wanted:  # not the fault of the request
                raise
            raise Fault(409, fault.what, "ranking", "leave it out, or ask for lexical") from fault

    def _listed(self, query: PageQuery, asked: AskedQuery, offset: int, limit: int) -> SearchAnswer:
        """The papers or passages of a question without scored sentences."""
        how = query.filters(), limit, self._ranking("")
        return search(self._index, asked, *how, offset=offset, scorer=None, by=query.by, sort=query.sort)

    async def _page(
        self,
        query: PageQuery,
        asked: AskedQuery,
        found: SearchAnswer,
        shown: ScoredPassages,
        answer: AskAnswer | None = None,
    ) -> Page:
        engine = self._index.engine

        def work() -> tuple[list[Listed], Facets | None]:
            of = by_date(engine, asked, query.filters()) if query.sort == BY_DATE else asked

            def count(filters: Filters) -> Facets | None:
                number = matches(engine, of, filters)
                short = number is not None and number.passages <= COUNTED
                return facets(engine, of, filters) if query.facets or short else None

            return listed(self._index, asked, shown.hits, found.papers), facets_to_choose(
                count, query.filters()
            )

        results, counts = await self._pool.run(work)
        more = found.more and len(found.found) > 0 and found.found[-1].rank < DEEPEST
        long = found.matches is not None and found.matches.passages > COUNTED and not query.facets
        return Page(found.collection, answer or found, answer, shown, results, found, counts, long, more)

    def _document(self, ident: str) -> tuple[list[Passage], Paper]:
        try:
            return self._index.document(ident), self._index.paper(ident)
        except DamagedError:
            raise
        except InputError as unknown:
            if several := documents_of(self._index.engine, ident):
                raise Fault(
                    404, "is an id of several papers", "id", f"name {' or '.join(several)}"
                ) from unknown
            raise Fault(404, "no such document in this collection", "id", "check its id") from unknown


def _name(folder: Path) -> str:
    """A digest, since a page does not tell where folders are."""
    return hashlib.sha256(os.fsencode(folder.resolve())).hexdigest()[:16]


def _results(query: PageQuery, hits: Sequence[Hit]) -> int:
    """The number of results that these passages are."""
    return len({hit.passage.document for hit in hits}) if query.by == BY_PAPER else len(hits)


def _beside(found: SearchAnswer, answer: AskAnswer, late: str) -> ScoredPassages:
    """The found passages, with the sentences that the answer scored.

    Without a trained reader quotations are ordered by words and kinds, and sentences are marked by word overlap.
    """
    scored = {hit.passage.id: hit for hit in answer.hits}
    hits = [replace(scored.get(hit.passage.id, hit), rank=hit.rank) for hit in found.found]
    untrained = answer.scorer == evidence_order.ABOUT.name
    by_reader = Scorer(answer.scorer, answer.scorer_says, answer.calibrated)
    return ScoredPassages(hits, UNTRAINED.about if untrained else by_reader, late)
