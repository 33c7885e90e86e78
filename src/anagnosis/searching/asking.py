"""Ask an index: the sentences that answer, with what they stand in; and which kinds of answers are off.

Sentences are scored by a trained reader or untrained, which is said. Yes, no or maybe, and names, are given where a
trained reader for them is named; which of them are off is said too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from anagnosis.searching import readers as trained
from anagnosis.searching.engines import Filters, Hit
from anagnosis.searching.highlighting import UNTRAINED, Highlighter, Scorer
from anagnosis.searching.index import Index
from anagnosis.searching.question_kinds import FACTOID, LIST, YESNO
from anagnosis.searching.sentences import Evidence, Sentence, best

if TYPE_CHECKING:
    from anagnosis.searching.deciding import Decision
    from anagnosis.searching.exact import Exact

READ = 20  # passages whose sentences are scored
SHOWN = 5  # sentences
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
    what comes nearest. off: the kind of answer that no reader is there for, "" where none is missing. decision, exact:
    what readers say, None where none was asked or none had anything to read.
    """

    question: str
    kind: str
    evidence: list[Evidence]
    found: list[Found]
    scorer: Scorer
    off: str
    in_collection: bool
    decision: Decision | None = None
    exact: Exact | None = None


def ask(
    index: Index,
    question: str,
    filters: Filters | None = None,
    limit: int = SHOWN,
    readers: trained.Readers = trained.NONE,
    ranking: str | None = None,
) -> Answered:
    """Read the best passages and give the sentences that fit best."""
    scorer = readers.highlighter
    found = highlighted(index, question, index.search(question, filters, READ, ranking), scorer)
    evidence = best(((each.hit.passage, each.sentences) for each in found), limit)
    kind = readers.kind(question)
    here = bool(evidence) and evidence[0].sentence.score >= scorer.marks.found
    off, decision, exact = _OFF.get(kind, ""), None, None
    fitting = [each for each in found if any(one.strength for one in each.sentences)]
    if readers.decider is not None and kind == YESNO:
        off, decision = "", readers.decider.decide(index, question, [each.hit for each in fitting])
    elif readers.exact is not None and kind in (FACTOID, LIST):
        off, exact = "", readers.exact.answer(index, question, kind, fitting)
    return Answered(question, kind, evidence, found, scorer.about, off, here, decision, exact)


def highlighted(
    index: Index, question: str, hits: list[Hit], highlighter: Highlighter = UNTRAINED
) -> list[Found]:
    """The passages with their sentences scored."""
    every = highlighter.highlight(index.engine, question, [hit.passage for hit in hits])
    return [Found(hit, own) for hit, own in zip(hits, every, strict=True)]
