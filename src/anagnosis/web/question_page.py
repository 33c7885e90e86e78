"""The page of a question: an answer above a list of papers, or a further page of the list.

Words that only name a topic ask nothing, and get the list alone. Facets are what each further value of a filter would
bring, as shops and libraries count them. Values of one filter are alternatives, so each filter's values are counted
with the other filters alone: a list of one journal offers other journals.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from msgspec.structs import replace

from anagnosis.api import searching
from anagnosis.language.question_kinds import is_topic
from anagnosis.reports.search.results import quoted_places
from anagnosis.searching.citing.reference import citation_of_sentence, first_authors, reference
from anagnosis.searching.engines import BY_SCORE
from anagnosis.searching.filters import NAME_FILTERS, Filters
from anagnosis.searching.index.index import Index
from anagnosis.searching.queries.names import folded
from anagnosis.searching.records.hits import ANSWERED, AskAnswer, Facets, Hit, SearchAnswer, Topic
from anagnosis.searching.records.passage import NO_FACTS
from anagnosis.searching.sentences.highlighting import STRENGTHS
from anagnosis.searching.sentences.sentences import STRONG, plain
from anagnosis.web.page_query import PageQuery
from anagnosis.web.served_index import NotRead, ServedIndex

ON_A_PAGE = 20  # papers or passages
ANY = Filters()


class Listed(NamedTuple):
    """A result with the citation of its best sentence.

    authors: the first of its paper. citation: "" where no sentence is marked, or the answer quotes it.
    """

    hit: Hit
    authors: str
    citation: str


@dataclass(frozen=True)
class Page:
    """The contents of a question's page.

    facets: null where they cannot be counted. answer: of a question, on the first page of a list
    by score only. late: why it is without trained readers and judge, or "".
    """

    topic: Topic
    found: SearchAnswer
    facets: Facets | None
    answer: AskAnswer | None = None
    late: str = ""

    @property
    def strengths(self) -> Sequence[str]:
        """The words for how well sentences fit; none is called strong below the verdict that they may not answer."""
        doubted = self.answer is not None and self.answer.state != ANSWERED
        return STRENGTHS[:STRONG] if doubted else STRENGTHS

    @cached_property
    def places(self) -> Mapping[str, str]:
        """Where the answer quotes sentences."""
        return quoted_places(self.answer) if self.answer is not None else {}

    @cached_property
    def results(self) -> list[Listed]:
        """The list."""
        return [
            Listed(hit, first_authors((hit.paper or NO_FACTS).authors), _citation(hit, self.places))
            for hit in self.found.found
        ]


async def with_answer(served: ServedIndex, query: PageQuery, page: Page) -> Page:
    """The page with an answer, where the question wants one."""
    if query["page"] > 1 or query["sort"] != BY_SCORE or not page.topic.text or is_topic(page.topic.text):
        return page
    given = {name: value for name, value in query.arguments.items() if name not in ("sort", "by")}
    try:
        return dataclasses.replace(page, answer=await served.answer(**given))
    except NotRead as not_read:
        by_words = replace(await served.run(searching.ask, **given), conclusions=None)
        return dataclasses.replace(page, answer=by_words, late=str(not_read))


def facets_to_choose(count: Callable[[Filters], Facets | None], filters: Filters) -> Facets | None:
    """The facets of a list, with values that the filters leave out; chosen values come first.

    count: the facets of the list with such filters; None where they cannot be counted.
    """
    counted = count(filters)
    for name in ("years", "sections", *(one.names for one in NAME_FILTERS)):
        values = {"since": "", "until": ""} if name == "years" else {name: ()}
        others = replace(filters, **values)
        all_of_it = count(others) if others != filters else None
        if counted is not None and all_of_it is not None:
            chosen = {folded(value) for value in getattr(filters, name, ())}
            first = [one for one in getattr(counted, name) if folded(one.name) in chosen]
            rest = [one for one in getattr(all_of_it, name) if folded(one.name) not in chosen]
            counted = replace(counted, **{name: (*first, *rest)})
    return counted


def list_page(index: Index, question: str = "", page: int = 1, filters: Filters = ANY, **given: Any) -> Page:
    """A page of the list of a question, or of all papers, without an answer. page: its number, from 1."""
    asked: dict[str, Any] = {**given, "facets": True, "files": False}
    offset = ON_A_PAGE * (page - 1)
    found = searching.search(index, question, limit=ON_A_PAGE, offset=offset, filters=filters, **asked)

    def count(others: Filters) -> Facets | None:
        if others == filters:
            return found.facets
        return searching.search(index, question, limit=1, highlight=False, filters=others, **asked).facets

    return Page(index.read(question).topic, found, facets_to_choose(count, filters))


def _citation(hit: Hit, quoted: Container[str]) -> str:
    best = max(hit.sentences, key=lambda one: one.score, default=None)
    if best is None or not best.strength:
        return ""
    passage = hit.passage
    sentence = passage.text[best.begin : best.end]
    if plain(sentence) in quoted:
        return ""
    paper = reference([passage], hit.paper or NO_FACTS)
    return citation_of_sentence(paper, sentence, passage.heading or passage.section)
