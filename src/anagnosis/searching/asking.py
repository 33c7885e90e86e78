"""Ask an index: the sentences that answer, with what they stand in; and which kinds of answers are off.

Sentences are scored by overlap.py, untrained, which is said. Yes, no or maybe is given where a trained reader for it is
named; which exact answers are off is said too.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from anagnosis.searching import overlap
from anagnosis.searching.engines import Filters, Hit
from anagnosis.searching.index import Index
from anagnosis.searching.question_kinds import FACTOID, LIST, YESNO, kind_of_question
from anagnosis.searching.sentences import Evidence, Sentence, best, scored

if TYPE_CHECKING:
    from anagnosis.searching.deciding import Decider, Decision

READ = 20  # passages whose sentences are scored
SHOWN = 5  # sentences
# Below it a sentence shares too little with the question to be shown at all.
LEAST = 0.3
# Below it for the best sentence, the collection more likely does not hold the answer: chosen on 1,000 questions of
# BioASQ's editions 7 and 8, asked with and without the documents that answer them (benchmarks/search_bioasq.py).
NOT_FOUND = 0.66
_OFF = {YESNO: "yes, no or maybe", FACTOID: "the name that is asked for", LIST: "the list that is asked for"}


@dataclass(frozen=True, slots=True)
class Found:
    """A passage among those that fit a question, with the score of each of its sentences."""

    hit: Hit
    sentences: list[Sentence]


@dataclass(frozen=True, slots=True)
class Answered:
    """kind: of question_kinds. evidence: best first, empty where nothing fits. scorer: what judged the sentences.

    in_collection: whether the best sentence fits well enough that the answer seems to be here; if not, the evidence is
    what comes nearest. off: the kind of answer that no reader is there for, "" where none is missing. decision: what a
    reader says, None where none was asked.
    """

    question: str
    kind: str
    evidence: list[Evidence]
    found: list[Found]
    scorer: str
    off: str
    in_collection: bool
    decision: Decision | None = None


def ask(
    index: Index,
    question: str,
    filters: Filters | None = None,
    limit: int = SHOWN,
    decider: Decider | None = None,
    ranking: str | None = None,
) -> Answered:
    """Read the best passages and give the sentences that fit best. decider: for questions of yes and no."""
    found = highlighted(index, question, index.search(question, filters, READ, ranking))
    evidence = best(((each.hit.passage, each.sentences) for each in found), limit, LEAST)
    kind = kind_of_question(question)
    here = bool(evidence) and evidence[0].sentence.score >= NOT_FOUND
    off, decision = _OFF.get(kind, ""), None
    if decider is not None and kind == YESNO:
        fitting = [each.hit for each in found if any(one.score >= LEAST for one in each.sentences)]
        off, decision = "", decider.decide(index, question, fitting)
    return Answered(question, kind, evidence, found, overlap.NAME, off, here, decision)


def highlighted(index: Index, question: str, hits: list[Hit]) -> list[Found]:
    """The passages with their sentences scored."""
    score: Callable[[str], float] = overlap.scorer(index.engine, question)
    return [Found(hit, scored(hit.passage, score)) for hit in hits]
