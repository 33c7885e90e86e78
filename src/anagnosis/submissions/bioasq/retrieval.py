"""Phase A from an index: the ten best papers with a PMID for a question, in the order of the search."""

from __future__ import annotations

from anagnosis.predictions import Prediction
from anagnosis.searching.engines.stored_papers import stored_passages
from anagnosis.searching.index.index import Index
from anagnosis.searching.queries.asked import nothing_to_search
from anagnosis.submissions.bioasq.rules import ADDRESS, ITEMS

_DEEPER = 3  # times as many documents, while too few of them have a PMID
_MOST = 10_000


def retrieve(index: Index, ident: str, question: str, ranking: str | None = None) -> Prediction | None:
    """The documents of a question; None where no paper fits, or it names nothing to search for.

    ident: of the question. ranking: of the index; None for its usual one.
    """
    if nothing_to_search(question):
        return None
    wanted, pmids = ITEMS, dict[str, str | None]()
    while True:
        found = index.documents(question, wanted, ranking=ranking)
        for name, _ in found:
            if name not in pmids:
                passages = stored_passages(index.engine, name)
                pmids[name] = passages[0].identifiers.get("pmid") if passages else None
        papers = [*dict.fromkeys(pmid for name, _ in found if (pmid := pmids[name]))][:ITEMS]
        if len(papers) == ITEMS or len(found) < wanted or wanted >= _MOST:
            break
        wanted *= _DEEPER
    return Prediction(ident, documents=[*map(ADDRESS.format, papers)]) if papers else None
