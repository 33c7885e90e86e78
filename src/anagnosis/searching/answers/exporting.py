"""The references of the papers that match a question, best first, or of papers by their ids, one by one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from anagnosis.searching.citing.reference import Reference, abstract, reference
from anagnosis.searching.engines import BY_DATE, BY_SCORE
from anagnosis.searching.engines.stored_papers import shown_paper
from anagnosis.searching.filters import Filters
from anagnosis.searching.index.index import Index
from anagnosis.searching.papers.joined import abstract_of
from anagnosis.searching.queries.asked import AskedQuery
from anagnosis.searching.rank.ranking import LEXICAL

_AT_ONCE = 100  # papers in memory


def references(
    index: Index,
    question: str | AskedQuery,
    filters: Filters | None = None,
    limit: int = 100,
    ranking: str | None = None,
    *,
    sort: str = BY_SCORE,
) -> Iterator[Reference]:
    """The first `limit` papers of a list. sort: one of SORTS; by date: words alone rank."""
    ranked_by = LEXICAL if sort == BY_DATE else ranking
    papers = index.best_papers(question, filters, limit, ranked_by, sort=sort)
    yield from _references(index, [paper[0].passage.document for paper in papers[:limit]])


def references_of(index: Index, ids: Sequence[str]) -> Iterator[Reference]:
    """The papers of these ids, in their order. ids: any ids of the papers (paper_names.py).

    InputError: an id of no document, or of several.
    """
    yield from _references(index, [index.name(ident) for ident in ids])


def _references(index: Index, names: Sequence[str]) -> Iterator[Reference]:
    """The papers of these names; of several records one gives the abstract."""
    for begin in range(0, len(names), _AT_ONCE):
        for stored in index.engine.papers(names[begin : begin + _AT_ONCE]):
            if stored is None:  # deleted meanwhile
                continue
            paper = shown_paper(stored)
            made = reference(paper.passages, paper.paper)
            if len(stored.records) > 1:
                made = replace(made, abstract=abstract(abstract_of(stored)))
            yield made
