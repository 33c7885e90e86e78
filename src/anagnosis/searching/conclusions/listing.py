"""What the papers about a yes/no question conclude: the list of an answer.

- A paper is listed if it is about the question (about.py), in the order of the search.
- Of a paper up to LONGEST characters we read all, of a longer one the retrieved passages and its conclusions.
- Retracted papers and notices about other papers appear with their notice; they take nobody's place.
- There is no vote: papers disagree, and the list shows who says what.
"""

from __future__ import annotations

from collections.abc import Sequence

from anagnosis.searching.conclusions.about import covered
from anagnosis.searching.conclusions.concluding import concluding_sentence
from anagnosis.searching.conclusions.paper_kinds import paper_kind
from anagnosis.searching.engines.stored_papers import stored_passages
from anagnosis.searching.index.index import Index
from anagnosis.searching.records.conclusions import Conclusion, Conclusions
from anagnosis.searching.records.expansion import Topic
from anagnosis.searching.records.hits import Hit
from anagnosis.searching.records.passage import Passage
from anagnosis.searching.sentences.overlap import asked_words

PAPERS = 10  # papers to list that count
ASIDE = 3  # papers to list that do not count
LONGEST = 6000  # characters of a paper
_CONCLUSION = "conclusion"


def conclusions(index: Index, topic: Topic, by_words: Sequence[Hit]) -> Conclusions:
    """What the papers of a search conclude. by_words: passages by rank, with sentences scored by word overlap."""
    asked, ranks = asked_words(index.engine, topic), _ranks(by_words)
    left, papers = {True: PAPERS, False: ASIDE}, list[Conclusion]()
    for document, rank in ranks.items():
        passages = _passages(index, document, by_words)
        if not passages or not left[passages[0].counted]:
            continue
        whole = covered(asked, passages)
        if whole is None:
            continue
        left[passages[0].counted] -= 1
        first = passages[0]
        papers.append(
            Conclusion(
                document,
                first.paper,
                paper_kind(passages),
                first.date[:4],
                round(whole, 4),
                concluding_sentence(passages, asked, rank),
                first.notices,
            )
        )
    return Conclusions(papers, len(ranks))


def _ranks(by_words: Sequence[Hit]) -> dict[str, int]:
    """The documents that a search found, and the rank of each one's best passage."""
    ranks: dict[str, int] = {}
    for place, hit in enumerate(by_words, 1):
        ranks.setdefault(hit.passage.document, hit.rank or place)
    return ranks


def _passages(index: Index, document: str, by_words: Sequence[Hit]) -> list[Passage]:
    """The passages of a paper to read, in its order."""
    every = stored_passages(index.engine, document)
    if sum(len(passage.text) for passage in every) <= LONGEST:
        return every
    retrieved = {hit.passage.number for hit in by_words if hit.passage.document == document}
    return [
        passage
        for passage in every
        if passage.number in retrieved or passage.section in (_CONCLUSION, "abstract")
    ]
