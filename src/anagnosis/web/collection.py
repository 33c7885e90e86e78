"""What the routes ask the index, each question as one piece of work for a thread.

The index is opened once; what a writer commits meanwhile is seen by the next search (searching/engines).
"""

from __future__ import annotations

from dataclasses import dataclass

from anagnosis import api
from anagnosis.errors import InputError
from anagnosis.searching.asking import READ, Answered, Found, highlighted
from anagnosis.searching.engines import Counts, Filters, Hit
from anagnosis.searching.index import Index
from anagnosis.searching.passages import Passage
from anagnosis.web import answers
from anagnosis.web.faults import Fault
from anagnosis.web.limits import DEEPEST
from anagnosis.web.pool import Pool
from anagnosis.web.questions import AskQuery, DocumentQuery, PageQuery, SearchQuery

ON_A_PAGE = READ
# Shown on the empty page where the collection has an answer.
EXAMPLES = (
    "pregnant women and COVID-19",
    "Does cold brew coffee raise gastric pH less than espresso?",
    "Which gene is mutated in Huntington's disease?",
    "Is tamoxifen effective against breast cancer?",
    "What is the role of IL-6 in inflammation?",
    "Which drugs cause liver injury?",
    "Does exercise lower blood pressure in older adults?",
    "What are the symptoms of diabetes?",
    "Do shorter hospital stays after surgery lead to more readmissions?",
)
_SHOWN_EXAMPLES = 4
_EXAMPLE_SCORE = 0.6


@dataclass(frozen=True, slots=True)
class Page:
    """What the page of a question shows. answer: on the first page only."""

    counts: Counts
    answer: answers.AskAnswer | None
    hits: list[answers.Hit]
    more: bool


class Collection:
    """An index, asked in threads."""

    def __init__(self, index: Index, pool: Pool) -> None:
        self._index, self._pool = index, pool
        self._examples: list[str] | None = None

    async def count(self) -> Counts:
        """Documents and passages."""
        return await self._pool.run(self._index.count)

    async def search(self, query: SearchQuery) -> answers.SearchAnswer:
        """Ranked passages."""

        def work() -> answers.SearchAnswer:
            ranking = self._ranking(query.ranking)
            found, more = self._found(
                query.q, query.filters(), query.offset, query.limit, query.highlight, ranking
            )
            hits = answers.hits(found, query.offset)
            return answers.SearchAnswer(question=query.q, ranking=ranking, found=hits, more=more)

        return await self._pool.run(work)

    async def ask(self, query: AskQuery) -> answers.AskAnswer:
        """The sentences that answer."""

        def work() -> answers.AskAnswer:
            ranking = self._ranking(query.ranking)
            return answers.ask_answer(self._asked(query.q, query.filters(), query.limit, ranking))

        return await self._pool.run(work)

    async def page(self, query: PageQuery) -> Page:
        """An answer and ranked passages, or a further page of them."""

        def work() -> Page:
            filters, counts = query.filters(), self._index.count()
            if query.page == 1:
                answered = self._asked(query.q, filters)
                more = len(answered.found) == ON_A_PAGE
                return Page(counts, answers.ask_answer(answered), answers.hits(answered.found), more)
            offset = ON_A_PAGE * (query.page - 1)
            found, more = self._found(query.q, filters, offset, ON_A_PAGE, True)
            return Page(counts, None, answers.hits(found, offset), more)

        return await self._pool.run(work)

    async def document(self, query: DocumentQuery) -> answers.DocumentAnswer:
        """Its passages. Faults: 404 where there is none."""
        passages = await self._pool.run(lambda: self._document(query.id))
        shown = passages[query.offset : query.offset + query.limit]
        return answers.DocumentAnswer(
            document=query.id,
            title=passages[0].title or query.id,
            total=len(passages),
            offset=query.offset,
            passages=[answers.told(one) for one in shown],
        )

    async def document_hits(
        self, ident: str, question: str, offset: int, limit: int
    ) -> tuple[list[answers.Hit], int]:
        """(passages of a document with their sentences scored, how many there are). Faults: 404."""

        def work() -> tuple[list[answers.Hit], int]:
            passages = self._document(ident)
            chosen = [Hit(one, 0.0) for one in passages[offset : offset + limit]]
            found = (
                highlighted(self._index, question, chosen) if question else [Found(one, []) for one in chosen]
            )
            return answers.hits(found, offset), len(passages)

        return await self._pool.run(work)

    async def examples(self) -> list[str]:
        """Questions that the collection answers; looked for once."""

        def work() -> list[str]:
            found = list[str]()
            for question in EXAMPLES:
                evidence = self._asked(question, Filters(), 1).evidence
                if evidence and evidence[0].sentence.score >= _EXAMPLE_SCORE:
                    found.append(question)
            return found[:_SHOWN_EXAMPLES]

        if self._examples is None:
            self._examples = await self._pool.run(work)
        return self._examples

    def _asked(self, question: str, filters: Filters, limit: int = 5, ranking: str | None = None) -> Answered:
        return api.ask(self._index, question, limit=limit, filters=filters, ranking=ranking)

    def _ranking(self, wanted: str) -> str:
        try:
            return self._index.ranking(wanted or None)
        except InputError as fault:
            raise Fault(409, fault.what, "ranking", "leave it out, or ask for lexical") from fault

    def _found(
        self,
        question: str,
        filters: Filters,
        offset: int,
        limit: int,
        highlight: bool,
        ranking: str | None = None,
    ) -> tuple[list[Found], bool]:
        """(those after the first `offset`, whether there are more); one more is asked for than is given."""
        every = self._index.search(question, filters, offset + limit + 1, ranking)
        chosen = every[offset : offset + limit]
        found = (
            highlighted(self._index, question, chosen) if highlight else [Found(one, []) for one in chosen]
        )
        return found, len(every) > offset + limit and offset + limit < DEEPEST

    def _document(self, ident: str) -> list[Passage]:
        try:
            return self._index.document(ident)
        except InputError as unknown:
            raise Fault(404, "no such document in this collection", "id", "check its id") from unknown
