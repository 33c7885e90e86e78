"""What the routes ask the index, each question as one piece of work for a thread.

The index is opened once; what a writer commits meanwhile is seen by the next search (searching/engines). What needs
trained readers is read apart (reading.py); a page that cannot wait for them shows what is found without.
"""

from __future__ import annotations

from dataclasses import dataclass

from anagnosis import api
from anagnosis.errors import DamagedError, InputError
from anagnosis.reports.search import answering
from anagnosis.reports.search import records as answers
from anagnosis.searching.answers.asking import READ, SHOWN, Answered, highlighted
from anagnosis.searching.answers.examples import examples
from anagnosis.searching.answers.readers import NONE, Readers
from anagnosis.searching.engines import Counts, Hit
from anagnosis.searching.filters import Filters
from anagnosis.searching.index.index import Index
from anagnosis.searching.near_names import NOTHING_LEFT_OUT, LeftOut
from anagnosis.searching.passages import Passage
from anagnosis.searching.sentences.highlighting import UNTRAINED, Highlighter, Scorer
from anagnosis.searching.sentences.sentences import Found
from anagnosis.web.api_records import DocumentAnswer
from anagnosis.web.faults import Fault
from anagnosis.web.limits import DEEPEST
from anagnosis.web.pool import Pool
from anagnosis.web.questions import AskQuery, DocumentQuery, PageQuery, SearchQuery
from anagnosis.web.reader_thread import Broken, NotRead, Reading
from anagnosis.web.readiness import Readiness

ON_A_PAGE = READ
SERVED = "anagnosis serve INDEX_FOLDER --readers readers --answers"


@dataclass(frozen=True, slots=True)
class Shown:
    """Passages with their sentences scored. scorer: by what. late: why trained readers did not, "" where they did."""

    hits: list[answers.Hit]
    scorer: Scorer
    late: str = ""


@dataclass(frozen=True, slots=True)
class Page:
    """What the page of a question shows. answer: on the first page only."""

    counts: Counts
    left_out: answers.LeftOut
    answer: answers.AskAnswer | None
    shown: Shown
    more: bool


class Collection:
    """An index, asked in threads; and readers."""

    def __init__(self, index: Index, pool: Pool, readers: Readers, reading: Reading) -> None:
        self._index, self._pool, self._readers, self._reading = index, pool, readers, reading
        self._trained = not readers.none_loaded
        self._examples: tuple[str, list[str]] = "", []  # of which version
        self._readiness = Readiness(index, pool, reading, self._read if self._trained else None)

    async def count(self) -> Counts:
        """Documents and passages."""
        return await self._pool.run(self._index.count)

    async def ready(self) -> None:
        """Whether it can be asked (readiness.py). Faults: 503 with the reason where not."""
        await self._readiness.refuse_unready()

    async def search(self, query: SearchQuery) -> answers.SearchAnswer:
        """Ranked passages; their sentences are scored without trained readers, which are too slow for that."""

        def work() -> answers.SearchAnswer:
            ranking = self._ranking(query.ranking)
            found, more = self._found(query.q, query.filters(), query.offset, query.limit, ranking)
            scorer = UNTRAINED if query.highlight else None
            marked = self._marked(query.q, found, scorer)
            missed = self._index.left_out(query.filters())
            about = scorer.about if scorer else None
            return answering.search_answer(
                query.q,
                marked,
                ranking,
                about,
                missed,
                more=more,
                offset=query.offset,
                notes=self._index.notes(),
            )

        return await self._pool.run(work)

    async def ask(self, query: AskQuery) -> answers.AskAnswer:
        """What answers. Faults: 503 where the readers do not come to it in time."""
        try:
            answered = await self._asked(query.q, query.filters(), query.limit, query.ranking)
        except Broken as bug:
            raise (bug.__cause__ or bug) from None
        except NotRead as late:
            told = "ask again in a moment, or search"
            raise Fault(503, late.why, "", told, retry_after=5) from late
        left_out, notes = await self._left_out(query.filters()), await self._pool.run(self._index.notes)
        return answering.ask_answer(answered, left_out, SERVED, notes)

    async def page(self, query: PageQuery) -> Page:
        """An answer and ranked passages, or a further page of them."""
        filters, counts = query.filters(), await self.count()
        missed = await self._left_out(filters)
        if query.page == 1:
            late = ""
            try:
                answered = await self._asked(query.q, filters)
            except NotRead as not_read:
                late = not_read.why
                answered = await self._pool.run(lambda: self._answered(query.q, filters, NONE))
            shown = Shown(answering.hits(answered.found), answered.scorer, late)
            answer = answering.ask_answer(answered, missed, SERVED, await self._pool.run(self._index.notes))
            more = len(answered.found) == ON_A_PAGE and await self._goes_on(query.q, filters)
            return Page(counts, answering.left_out(missed), answer, shown, more)
        offset = ON_A_PAGE * (query.page - 1)
        of, ranking = await self._pool.run(lambda: (self._index.engine.version(), self._ranking("")))
        found, more = await self._pool.run(lambda: self._found(query.q, filters, offset, ON_A_PAGE, ranking))
        left_out = answering.left_out(missed)
        scorer = self._readers.highlighter.over_collection(offset, ranking)
        return Page(counts, left_out, None, await self._shown(query.q, found, offset, scorer, of), more)

    async def document(self, query: DocumentQuery) -> DocumentAnswer:
        """Its passages. Faults: 404 where there is none."""
        passages = await self._pool.run(lambda: self._document(query.id))
        shown = passages[query.offset : query.offset + query.limit]
        return DocumentAnswer(
            document=query.id,
            title=passages[0].title or query.id,
            total=len(passages),
            offset=query.offset,
            passages=[answering.told(one) for one in shown],
        )

    async def document_shown(self, ident: str, question: str, offset: int, limit: int) -> tuple[Shown, int]:
        """(passages of a document with their sentences scored, how many there are). Faults: 404."""
        of, passages = await self._pool.run(lambda: (self._index.engine.version(), self._document(ident)))
        chosen = [Hit(one, 0.0) for one in passages[offset : offset + limit]]
        return await self._shown(question, chosen, offset, self._readers.highlighter, of), len(passages)

    async def examples(self) -> list[str]:
        """Titles that the collection answers; looked for once a commit."""

        def work() -> tuple[str, list[str]]:
            version = self._index.engine.version()
            return self._examples if version == self._examples[0] else (version, examples(self._index))

        self._examples = await self._pool.run(work)
        return self._examples[1]

    async def _goes_on(self, question: str, filters: Filters) -> bool:
        """Whether more is found than stands on the first page."""
        _, more = await self._pool.run(lambda: self._found(question, filters, 0, ON_A_PAGE))
        return more

    async def _asked(self, question: str, filters: Filters, limit: int = SHOWN, wanted: str = "") -> Answered:
        """Faults: 409. NotRead."""
        if not self._trained:
            return await self._pool.run(
                lambda: self._answered(question, filters, self._readers, limit, wanted)
            )
        # The version, so that an answer is not kept longer than the papers that it is from.
        of = await self._pool.run(lambda: (self._index.engine.version(), self._ranking(wanted)))
        return await self._reading.run(
            (question, filters, limit, *of),
            lambda: self._answered(question, filters, self._readers, limit, of[1]),
        )

    def _answered(
        self, question: str, filters: Filters, readers: Readers, limit: int = SHOWN, wanted: str = ""
    ) -> Answered:
        ranking = self._ranking(wanted)
        return api.ask(self._index, question, limit=limit, filters=filters, ranking=ranking, readers=readers)

    def _read(self, question: str) -> Answered:
        return self._answered(question, Filters(), self._readers, 1)

    async def _left_out(self, filters: Filters) -> LeftOut:
        if filters == Filters():
            return NOTHING_LEFT_OUT
        return await self._pool.run(lambda: self._index.left_out(filters))

    async def _shown(
        self, question: str, hits: list[Hit], offset: int, scorer: Highlighter, version: str
    ) -> Shown:
        """version: of the index before these were looked up, so that none is kept under a later one."""
        late = ""
        if question and scorer is not UNTRAINED:
            told = [(hit.passage.id, hit.passage.text, hit.score) for hit in hits]
            try:
                found = await self._reading.run(
                    (version, scorer.about, offset, question, *told),
                    lambda: self._marked(question, hits, scorer),
                )
                return Shown(answering.hits(found, offset), scorer.about)
            except NotRead as not_read:
                late = not_read.why
        untrained = UNTRAINED if question else None
        found = await self._pool.run(lambda: self._marked(question, hits, untrained))
        return Shown(answering.hits(found, offset), UNTRAINED.about, late)

    def _marked(self, question: str, hits: list[Hit], scorer: Highlighter | None) -> list[Found]:
        if scorer is None:
            return [Found(hit, []) for hit in hits]
        return highlighted(self._index, question, hits, scorer)

    def _ranking(self, wanted: str) -> str:
        try:
            return self._index.ranking(wanted or None)
        except InputError as fault:
            if isinstance(fault, DamagedError) and not wanted:  # nobody asked for what is damaged
                raise
            raise Fault(409, fault.what, "ranking", "leave it out, or ask for lexical") from fault

    def _found(
        self, question: str, filters: Filters, offset: int, limit: int, ranking: str | None = None
    ) -> tuple[list[Hit], bool]:
        """(those after the first `offset`, whether there are more); one more is asked for than is given."""
        every = self._index.search(question, filters, offset + limit + 1, ranking)
        there = len(every) > offset + limit and offset + limit < DEEPEST
        return every[offset : offset + limit], there

    def _document(self, ident: str) -> list[Passage]:
        try:
            return self._index.document(ident)
        except DamagedError:
            raise
        except InputError as unknown:
            raise Fault(404, "no such document in this collection", "id", "check its id") from unknown
