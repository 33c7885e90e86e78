"""The references of the papers that match a question, or of papers by their ids, best first and one by one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from anagnosis.searching.citing.reference import BestPassage, Reference, abstract, best_passage, reference
from anagnosis.searching.engines import BY_DATE, BY_SCORE
from anagnosis.searching.engines.stored_papers import shown_paper
from anagnosis.searching.filters import Filters
from anagnosis.searching.index.index import Index
from anagnosis.searching.papers.joined import abstract_of
from anagnosis.searching.papers.records import StoredPaper
from anagnosis.searching.rank.ranking import LEXICAL
from anagnosis.searching.records.paper import NO_FACTS

MOST = 10_000
"""Most papers of one export."""
_AT_ONCE = 100  # papers in memory


def references(
    index: Index,
    question: str,
    filters: Filters | None = None,
    limit: int = MOST,
    ranking: str | None = None,
    *,
    sort: str = BY_SCORE,
) -> Iterator[Reference]:
    """The first `limit` papers of a list, each with its best passage. sort: one of SORTS; by date: words alone rank."""
    ranked_by = LEXICAL if sort == BY_DATE else ranking
    papers = index.best_papers(question, filters, limit, ranked_by, sort=sort)
    hits = [paper[0] for paper in papers[:limit]]
    for begin in range(0, len(hits), _AT_ONCE):
        some = hits[begin : begin + _AT_ONCE]
        stored = index.engine.papers([hit.passage.document for hit in some])
        for rank, (hit, paper) in enumerate(zip(some, stored, strict=True), begin + 1):
            best = best_passage(hit.passage, hit.score, rank)
            yield reference([hit.passage], NO_FACTS, best) if paper is None else _reference(paper, best)


def references_of(index: Index, ids: Sequence[str]) -> Iterator[Reference]:
    """The papers of these ids, in their order. ids: any ids of the papers (paper_names.py).

    InputError: an id of no document, or of several.
    """
    for ident in ids:
        (paper,) = index.engine.papers([index.name(ident)])
        if paper is not None:
            yield _reference(paper)


def _reference(stored: StoredPaper, best: BestPassage | None = None) -> Reference:
    """The reference of a paper; of several records one gives the abstract."""
    paper = shown_paper(stored)
    made = reference(paper.passages, paper.paper, best)
    return replace(made, abstract=abstract(abstract_of(stored))) if len(stored.records) > 1 else made
