"""The page of a question: an answer above a list of papers, or a further page of the list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from anagnosis.searching.answers.asking import READ, search
from anagnosis.searching.answers.readers import NONE
from anagnosis.searching.engines import BY_DATE, BY_SCORE
from anagnosis.searching.filters import Filters
from anagnosis.searching.index.listing import by_date, facets, matches
from anagnosis.searching.queries.asked import AskedQuery
from anagnosis.searching.records.hits import BY_PAPER, AskAnswer, Counts, Facets, Hit, SearchAnswer
from anagnosis.searching.sentences import evidence_order
from anagnosis.searching.sentences.highlighting import UNTRAINED, Scorer
from anagnosis.web.collection import Collection, ScoredPassages
from anagnosis.web.limits import DEEPEST
from anagnosis.web.listing import Listed, facets_to_choose, listed
from anagnosis.web.questions import PageQuery, expansion
from anagnosis.web.threads import NotRead

ON_A_PAGE = READ
COUNTED = 100_000  # matching passages, of which facets are counted unasked


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


async def question_page(collection: Collection, query: PageQuery) -> Page:
    """An answer and ranked papers, or a further page of them.

    The first page has the papers of the passages that the answer read, so that nothing is scored twice.
    """

    def read() -> tuple[str, AskedQuery]:
        return collection.index.engine.version(), collection.index.expanding(expansion(query)).read(query.q)

    of, asked = await collection.pool.run(read)
    topic = asked.topic.text
    if query.page == 1 and topic and query.sort == BY_SCORE:
        late = ""
        try:
            answer = await collection.answer(query)
        except NotRead as not_read:
            late = not_read.why
            answer = await collection.pool.run(lambda: collection.answered(query, NONE))
        first = _results(query, answer.hits)
        found = await collection.pool.run(lambda: _listed(collection, query, asked, 0, first))
        return await _page(collection, query, asked, found, _beside(found, answer, late), answer)

    def work() -> SearchAnswer:
        before = ON_A_PAGE * (query.page - 1)
        if topic and query.sort == BY_SCORE:
            first = collection.index.search(asked, query.filters(), READ, collection.ranking(""))
            before += _results(query, first) - ON_A_PAGE
        return _listed(collection, query, asked, before, ON_A_PAGE)

    found = await collection.pool.run(work)
    offset = found.found[0].rank - 1 if found.found else 0
    # Over a collection readers score a sentence by the rank of its passage too, which a list by date has not.
    ranked = query.sort == BY_SCORE
    scorer = collection.readers.highlighter.over_collection(offset, found.ranking) if ranked else UNTRAINED
    shown = await collection.scored(asked, list(found.found), offset, scorer, of)
    return await _page(collection, query, asked, found, shown)


def _listed(
    collection: Collection, query: PageQuery, asked: AskedQuery, offset: int, limit: int
) -> SearchAnswer:
    """The papers or passages of a question without scored sentences."""
    how = query.filters(), limit, collection.ranking("")
    return search(collection.index, asked, *how, offset=offset, scorer=None, by=query.by, sort=query.sort)


async def _page(
    collection: Collection,
    query: PageQuery,
    asked: AskedQuery,
    found: SearchAnswer,
    shown: ScoredPassages,
    answer: AskAnswer | None = None,
) -> Page:
    engine = collection.index.engine

    def work() -> tuple[list[Listed], Facets | None]:
        of = by_date(engine, asked, query.filters()) if query.sort == BY_DATE else asked

        def count(filters: Filters) -> Facets | None:
            short = matches(engine, of, filters).passages <= COUNTED
            return facets(engine, of, filters) if query.facets or short else None

        return listed(collection.index, asked, shown.hits, found.papers), facets_to_choose(
            count, query.filters()
        )

    results, counts = await collection.pool.run(work)
    more = found.more and len(found.found) > 0 and found.found[-1].rank < DEEPEST
    long = found.matches.passages > COUNTED and not query.facets
    return Page(found.collection, answer or found, answer, shown, results, found, counts, long, more)


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
