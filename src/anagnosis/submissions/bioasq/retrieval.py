"""Phase A from an index: ten documents for a question, and ten of their sentences with true offsets.

Documents are papers with a PMID in the order of the search. Snippets are their sentences in the order of `ask`'s
quotations (searching/sentences/evidence_order.py). A snippet lies in the title, or in the abstract as PubMed prints it:

    abstract[begin:end] == text, code points, of the parts of the abstract joined by one blank, each behind its label in
    capitals and a colon: "BACKGROUND: We asked … METHODS: …"

So do the offsets of BioASQ's own snippets, in the structured abstracts that we have.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from anagnosis.predictions import FoundSnippet, Prediction
from anagnosis.searching.answers.asking import highlighted
from anagnosis.searching.engines import documents_with, stored_passages
from anagnosis.searching.index.index import Index
from anagnosis.searching.passages import LONGEST
from anagnosis.searching.queries.asked import AskedQuery, nothing_to_search
from anagnosis.searching.records.hits import Hit
from anagnosis.searching.records.passage import TITLE, Evidence, Passage
from anagnosis.searching.sentences.evidence_order import quotations, read_sentences
from anagnosis.searching.sentences.overlap import asked_words
from anagnosis.submissions.bioasq.rules import ADDRESS, ITEMS

_DEEPER = 3  # times as many documents, while too few of them have a PMID
_MOST = 10_000
_PASSAGES = 100  # whose ranks order sentences
_UNLABELLED = "UNASSIGNED"  # PubMed's category of a part without a label; never printed


class Abstract(NamedTuple):
    """The abstract of a paper. begins: number of a passage → where it begins in the text."""

    text: str
    begins: dict[int, int]


def retrieve(index: Index, ident: str, question: str, ranking: str | None = None) -> Prediction:
    """The documents and snippets of a question; none where it names nothing to search for.

    ident: of the question. ranking: of the index; None for its usual one.
    """
    if nothing_to_search(question):
        return Prediction(ident, documents=[], snippets=[])
    asked = index.read(question)
    papers = _papers(index, question, ranking)
    return Prediction(
        ident,
        documents=[*map(ADDRESS.format, papers)],
        snippets=snippets_of(index, asked, papers, ranking),
    )


def snippets_of(
    index: Index, asked: AskedQuery, papers: Mapping[str, Sequence[Passage]], ranking: str | None = None
) -> list[FoundSnippet]:
    """The best sentences of titles and abstracts of some papers, best first. papers: PMID → passages."""
    numbers = {
        passages[0].document: {passage.number: passage for passage in of_abstract(passages)}
        for passages in papers.values()
    }
    hits: dict[str, Hit] = {}
    for hit in index.search(asked, limit=_PASSAGES, ranking=ranking):
        if hit.passage.number in numbers.get(hit.passage.document, ()):
            hits[hit.passage.id] = hit
    for own in numbers.values():
        for passage in own.values():
            hits.setdefault(passage.id, Hit(passage, 0.0))
    scored = highlighted(index, asked.topic, [*hits.values()])
    words = asked_words(index.engine, asked.topic)
    abstracts = {passages[0].document: abstract_of(passages) for passages in papers.values()}
    pmids = {passages[0].document: pmid for pmid, passages in papers.items()}
    return [
        _snippet(one, pmids[one.passage.document], abstracts[one.passage.document])
        for one in quotations(words, scored, read_sentences(words, scored), ITEMS)
    ]


def of_abstract(passages: Sequence[Passage]) -> list[Passage]:
    """The passages of title and abstract in the paper's fullest record."""
    return [passage for passage in passages if not passage.full_text and not passage.source]


def abstract_of(passages: Sequence[Passage]) -> Abstract:
    """The abstract that a paper's passages give."""
    text, begins = "", dict[int, int]()
    before: Passage | None = None
    for passage in of_abstract(passages):
        if passage.section == TITLE:
            continue
        label = passage.heading.rstrip(": ").upper()
        if before is None or (before.section, before.heading) != (passage.section, passage.heading):
            text += " " * bool(text) + (f"{label}: " if label not in ("", _UNLABELLED) else "")
        elif len(before.text) <= LONGEST // 2:  # a part that is cut has longer pieces
            text += " "
        begins[passage.number] = len(text)
        text += passage.text
        before = passage
    return Abstract(text, begins)


def texts_of(index: Index) -> Callable[[str, str], str | None]:
    """(PMID, section) → the title or the abstract of a paper of the index, None without such a paper."""

    def text_of(pmid: str, section: str) -> str | None:
        for name in (pmid, *documents_with(index.engine, [f"pmid:{pmid}"])):
            passages = stored_passages(index.engine, name)
            if passages and passages[0].identifiers.get("pmid") == pmid:
                return passages[0].title if section == TITLE else abstract_of(passages).text
        return None

    return text_of


def _papers(index: Index, question: str, ranking: str | None) -> dict[str, list[Passage]]:
    """PMID → the passages, in order, of the best papers that have one."""
    wanted, read = ITEMS, dict[str, list[Passage]]()
    while True:
        found = index.documents(question, wanted, ranking=ranking)
        papers: dict[str, list[Passage]] = {}
        for ident, _ in found:
            if ident not in read:
                read[ident] = stored_passages(index.engine, ident)
            pmid = read[ident][0].identifiers.get("pmid") if read[ident] else None
            if pmid is not None and len(papers) < ITEMS:
                papers.setdefault(pmid, read[ident])
        if len(papers) == ITEMS or len(found) < wanted or wanted >= _MOST:
            return papers
        wanted *= _DEEPER


def _snippet(one: Evidence, pmid: str, abstract: Abstract) -> FoundSnippet:
    in_title = one.stands_in == TITLE or one.passage.section == TITLE
    section, start = (TITLE, 0) if in_title else ("abstract", abstract.begins[one.passage.number])
    begin, end = start + one.begin, start + one.end
    return FoundSnippet(ADDRESS.format(pmid), section, begin, section, end, one.text)
