"""The page of a question: an answer above a list of papers, or a further page of the list.

Words that only name a topic ask nothing, and get the list alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from anagnosis.language.question_kinds import is_topic
from anagnosis.reports.search.results import quoted_places
from anagnosis.searching.answers.asking import search
from anagnosis.searching.engines import BY_DATE, BY_SCORE
from anagnosis.searching.filters import Filters
from anagnosis.searching.index.listing import by_date, facets, matches
from anagnosis.searching.queries.asked import AskedQuery
from anagnosis.searching.records.hits import ANSWERED, AskAnswer, Counts, Facets, SearchAnswer
from anagnosis.searching.sentences.highlighting import STRENGTHS, UNTRAINED
from anagnosis.searching.sentences.sentences import STRONG
from anagnosis.web.collection import Collection, ScoredPassages
from anagnosis.web.limits import DEEPEST
from anagnosis.web.listing import Listed, facets_to_choose, listed
from anagnosis.web.questions import PageQuery, expansion
from anagnosis.web.threads import NotRead

ON_A_PAGE = 20  # papers or passages
COUNTED = 100_000  # matching passages, of which facets are counted unasked


@dataclass(frozen=True, slots=True)
class Page:
    """The contents of a question's page.

    about: how the question was searched. answer: of a question, on the first page of a list by score only. places:
    where it quotes sentences. late: why it is without trained readers, or "". shown: the best passage of each paper, or
    passages. results: the same, as the list shows them. found: the list and its counts. facets: null where they
    cannot be counted; count_facets: or were not, since that takes long.
    """

    counts: Counts
    about: SearchAnswer | AskAnswer
    answer: AskAnswer | None
    places: Mapping[str, str]
    late: str
    shown: ScoredPassages
    results: list[Listed]
    found: SearchAnswer
    facets: Facets | None
    count_facets: bool
    more: bool

    @property
    def strengths(self) -> Sequence[str]:
        """The words for how well sentences fit; none is called strong below the verdict that they may not answer."""
        doubted = self.answer is not None and self.answer.state != ANSWERED
        return STRENGTHS[:STRONG] if doubted else STRENGTHS


async def question_page(collection: Collection, query: PageQuery) -> Page:
    """An answer and ranked papers, or a further page of them."""
    index, engine = collection.index, collection.index.engine

    def read() -> tuple[str, AskedQuery]:
        return engine.committed().version, index.expanding(expansion(query)).read(query.q)

    of, asked = await collection.pool.run(read)
    topic, answer, late = asked.topic.text, None, ""
    if query.page == 1 and query.sort == BY_SCORE and topic and not is_topic(topic):
        try:
            answer = await collection.answer(query)
        except NotRead as not_read:
            late = not_read.why
            by_words = await collection.pool.run(lambda: collection.answered(query, UNTRAINED))
            answer = replace(by_words, conclusions=None)

    def list_results() -> SearchAnswer:
        how = query.filters(), ON_A_PAGE, collection.ranking("")
        before = ON_A_PAGE * (query.page - 1)
        return search(index, asked, *how, offset=before, scorer=None, by=query.by, sort=query.sort)

    found = await collection.pool.run(list_results)
    shown = await _scored(collection, asked, found, answer, late, of)
    places = quoted_places(answer) if answer is not None else {}

    def describe() -> tuple[list[Listed], Facets | None]:
        counted = by_date(engine, asked, query.filters()) if query.sort == BY_DATE else asked

        def count(filters: Filters) -> Facets | None:
            short = matches(engine, counted, filters).papers <= COUNTED
            return facets(engine, counted, filters) if query.facets or short else None

        results = listed(index, asked, shown.hits, found.papers, places)
        return results, facets_to_choose(count, query.filters())

    results, counts = await collection.pool.run(describe)
    more = found.more and len(found.found) > 0 and found.found[-1].rank < DEEPEST
    long, about = found.matches.papers > COUNTED and not query.facets, answer or found
    return Page(found.collection, about, answer, places, late, shown, results, found, counts, long, more)


async def _scored(
    collection: Collection,
    asked: AskedQuery,
    found: SearchAnswer,
    answer: AskAnswer | None,
    late: str,
    version: str,
) -> ScoredPassages:
    """The found passages with scored sentences; those that the answer read are not scored twice.

    Readers that came too late for the answer are not asked again.
    """
    hits = {hit.passage.id: hit for hit in answer.hits} if answer is not None else {}
    rest = [hit for hit in found.found if hit.passage.id not in hits]
    offset = rest[0].rank - 1 if rest else 0
    scorer = UNTRAINED if late else collection.scorer
    shown = ScoredPassages([], scorer.about)
    if rest:
        shown = await collection.scored(asked, rest, offset, scorer, version)
        hits |= {hit.passage.id: hit for hit in shown.hits}
    ranked = [replace(hits[hit.passage.id], rank=hit.rank) for hit in found.found]
    return ScoredPassages(ranked, shown.scorer, shown.late)
