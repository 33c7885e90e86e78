"""What the papers about a yes/no question conclude: the list of an answer, with the sentence of each that concludes.

- A paper is listed if it is about the question (about.py), in the order of the search.
- Of a paper up to LONGEST characters we read all, of a longer one the retrieved passages and its conclusions.
- Retracted papers and notices about other papers appear with their notice; they take nobody's place.
- There is no vote: papers disagree, and the list shows who says what.

A sentence can conclude if it stands in a section of conclusions, if it says so ("in conclusion", "our results
suggest"), or if it ends an abstract without conclusions. Aims, methods, citation lines, registrations, questions,
promises of protocols and calls for more research never conclude, whatever words they share with the question. Among the
others the best one has the highest sum of the share of the question's words (overlap.py) and the weights below. Chosen
on the training half of PubMedQA's PQA-L with its headings removed: 96 % of the chosen sentences then stand in the
conclusion (`benchmarks/conclusions.py`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from anagnosis.language.sentence_kinds import (
    AIM,
    CITATION,
    CONCLUSION,
    METHOD,
    NO_FINDINGS,
    OUTLOOK,
    sentence_kind,
)
from anagnosis.searching.conclusions.about import covered
from anagnosis.searching.conclusions.paper_kinds import paper_kind
from anagnosis.searching.engines.stored_papers import stored_passages
from anagnosis.searching.index.index import Index
from anagnosis.searching.records.hits import Conclusion, Conclusions, Hit, Sentence, Topic
from anagnosis.searching.records.passage import Evidence, Passage
from anagnosis.searching.sentences.highlighting import UNTRAINED
from anagnosis.searching.sentences.overlap import AskedWords, asked_words
from anagnosis.searching.sentences.sentences import cut, quoted

PAPERS = 10  # papers to list that count
ASIDE = 3  # papers to list that do not count
LONGEST = 6000  # characters of a paper
OF_SECTION = 1.0
OF_PHRASE = 0.2
# By the place of a sentence from the end of an abstract, the last one first.
OF_PLACE = (0.8, 0.6, 0.6)
_CONCLUSION = "conclusion"
# Sections in which a sentence may say that it concludes, or end an abstract.
_OPEN = frozenset(("abstract", "results", "discussion", "other", "case", _CONCLUSION))
# Without a section of conclusions, the last passage of the first of these that the paper has ends its abstract.
_ENDING = ("abstract", "results", "discussion")
_NEVER = NO_FINDINGS | {CITATION, OUTLOOK}
_NEVER_OUTSIDE = _NEVER | {AIM, METHOD}


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


def concluding_sentence(passages: Sequence[Passage], asked: AskedWords, rank: int = 0) -> Evidence | None:
    """The best concluding sentence of a paper; None without one. Ties go to the first.

    passages: of the paper, in its order. rank: of the paper's best passage. score: the share of the question's words.
    """
    best = max(_concluding(passages, asked), key=lambda one: one[0], default=None)
    return quoted(best[1], best[2], rank) if best is not None else None


def _concluding(passages: Sequence[Passage], asked: AskedWords) -> Iterator[tuple[float, Sentence, Passage]]:
    """Each sentence that may conclude, behind its value. score: the share of the question's words."""
    sections = {passage.section for passage in passages}
    ending = None if _CONCLUSION in sections else _ending(passages)
    for passage in passages:
        if passage.section not in _OPEN:
            continue
        places = cut(passage)
        for place, (begin, end) in enumerate(places):
            text = passage.text[begin:end]
            kind = sentence_kind(text)
            concludes = passage.section == _CONCLUSION
            from_end = len(places) - 1 - place
            ends = OF_PLACE[from_end] if passage is ending and from_end < len(OF_PLACE) else 0.0
            if kind in (_NEVER if concludes else _NEVER_OUTSIDE):
                continue
            if not (concludes or ends or kind == CONCLUSION):
                continue
            shared = asked.score(text)
            value = shared + OF_SECTION * concludes + OF_PHRASE * (kind == CONCLUSION) + ends
            yield value, Sentence(begin, end, shared, UNTRAINED.thresholds.strength(shared)), passage


def _ending(passages: Sequence[Passage]) -> Passage | None:
    """The passage that ends the abstract of a paper without conclusions."""
    last = {passage.section: passage for passage in passages}
    return next((last[section] for section in _ENDING if section in last), None)
