"""The references of the papers that match a question, or of papers by their ids, best first and one by one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from anagnosis.searching.citing.reference import BestPassage, Reference, abstract, best_passage, reference
from anagnosis.searching.engines import BY_DATE, BY_SCORE, stored_mark, stored_passages
from anagnosis.searching.filters import Filters
from anagnosis.searching.index.index import Index
from anagnosis.searching.index.listing import by_date, groups
from anagnosis.searching.papers.joined import of_abstract
from anagnosis.searching.papers.records import restored
from anagnosis.searching.rank.ranking import LEXICAL
from anagnosis.searching.records.hits import Hit
from anagnosis.searching.records.paper import NO_FACTS, Paper
from anagnosis.searching.records.passage import Passage

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
    hits = _papers(index, question, filters or Filters(), limit, ranking, sort)
    for begin in range(0, len(hits), _AT_ONCE):
        some = hits[begin : begin + _AT_ONCE]
        facts = index.engine.papers([hit.passage.document for hit in some])
        for rank, (hit, paper) in enumerate(zip(some, facts, strict=True), begin + 1):
            passages = stored_passages(index.engine, hit.passage.document) or [hit.passage]
            yield _reference(index, passages, paper, best_passage(hit.passage, hit.score, rank))


def references_of(index: Index, ids: Sequence[str]) -> Iterator[Reference]:
    """The papers of these ids, in their order. ids: any ids of the papers (paper_names.py).

    InputError: an id of no document, or of several.
    """
    for ident in ids:
        passages = index.document(ident)
        (paper,) = index.engine.papers([passages[0].document])
        yield _reference(index, passages, paper)


def _reference(
    index: Index, passages: Sequence[Passage], paper: Paper | None, best: BestPassage | None = None
) -> Reference:
    """The reference of a paper; of several records one gives the abstract."""
    made = reference(passages, paper or NO_FACTS, best)
    if not paper or not paper.sources or (mark := stored_mark(index.engine, made.id)) is None:
        return made
    return replace(made, abstract=abstract(of_abstract(restored(mark, passages, paper))))


def _papers(
    index: Index, question: str, filters: Filters, limit: int, ranking: str | None, sort: str
) -> list[Hit]:
    """The best passage of each of the first papers."""
    asked, ranked_by = index.read(question), ranking
    if sort == BY_DATE:
        asked, ranked_by = by_date(index.engine, asked, filters), LEXICAL
    found = groups(lambda number: index.search(asked, filters, number, ranked_by, sort=sort), limit)
    return [group.best for group in found]
