"""Ask an index: the sentences that answer, with what they stand in; and which kinds of answers are off.

Sentences are scored by a trained reader or untrained, which is said. Whether the collection holds the answer at all,
and which papers are read for it, is judged by the overlap of words either way: a trained reader tells which sentence of
a paper is evidence, and was never shown papers about something else. Yes, no or maybe, and names, are given where a
trained reader for them is named and the answer seems to be here; which of them are off is said too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from anagnosis.language.question_kinds import FACTOID, LIST, YESNO
from anagnosis.searching import readers as trained
from anagnosis.searching.engines import Filters, Hit
from anagnosis.searching.highlighting import UNTRAINED, Highlighter, Scorer
from anagnosis.searching.index import Index
from anagnosis.searching.sentences import Evidence, Sentence, best

if TYPE_CHECKING:
    from anagnosis.searching.deciding import Decision
    from anagnosis.searching.exact import Exact

READ = 20  # passages whose sentences are scored
SHOWN = 5  # sentences
# By the overlap of words: below it for the best sentence, the collection more likely does not hold the answer. Chosen
# on 1,000 questions of BioASQ's editions 7 and 8, asked with and without the documents that answer them
# (benchmarks/search_bioasq.py).
FOUND = 0.66
_OFF = {YESNO: "yes, no or maybe", FACTOID: "the name that is asked for", LIST: "the list that is asked for"}
_TRAINED = "anagnosis train {} --out readers/{}"
_NAMES = _TRAINED.format("biomrc-attention-sum-local --data DATASET", trained.EXACT)
_TURNED_ON = {
    YESNO: _TRAINED.format("pubmedqa-shallow-features --data DATASET", trained.DECISION),
    FACTOID: _NAMES,
    LIST: _NAMES,
}


@dataclass(frozen=True, slots=True)
class Found:
    """A passage among those that fit a question, with the score of each of its sentences, and of its paper's title.

    title: None where there is none, or nothing was scored.
    """

    hit: Hit
    sentences: list[Sentence]
    title: Sentence | None = None


@dataclass(frozen=True, slots=True)
class Answered:
    """kind: of question_kinds. evidence: best first, empty where nothing fits. scorer: what judged the sentences.

    in_collection: whether a sentence shares enough with the question that the answer seems to be here; if not, the
    evidence is what comes nearest, and no answer is made of it. off: the kind of answer that no reader is there for, ""
    where none is missing. decision, exact: what readers say, None where none was asked or none had anything to read.
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

    @property
    def turned_on(self) -> str:
        """The command that makes the reader that is missing, for `--readers readers`; "" where none is missing."""
        return _TURNED_ON[self.kind] if self.off else ""


def ask(
    index: Index,
    question: str,
    filters: Filters | None = None,
    limit: int = SHOWN,
    readers: trained.Readers = trained.NONE,
    ranking: str | None = None,
) -> Answered:
    """Read the best passages and give the sentences that fit best."""
    scorer = readers.highlighter.over_collection(ranking=index.ranking(ranking))
    found = highlighted(index, question, index.search(question, filters, READ, ranking), scorer)
    evidence = best(
        ((each.hit.passage, each.sentences) for each in found),
        limit,
        ((each.hit.passage, each.title) for each in found),
        ranked=scorer.about.ranked,
    )
    kind = readers.kind(question)
    words = found
    if scorer is not UNTRAINED:
        words = highlighted(index, question, [each.hit for each in found])
    here = any(one.score >= FOUND for each in words for one in each.sentences)
    off, decision, exact = _OFF.get(kind, ""), None, None
    # As names were ranked when their weights were fitted.
    fitting = [each for each in words if any(one.strength for one in each.sentences)]
    if readers.decider is not None and kind == YESNO:
        off, decision = "", readers.decider.decide(index, question, words, found) if here else None
    elif readers.exact is not None and kind in (FACTOID, LIST):
        off, exact = "", readers.exact.answer(index, question, kind, fitting) if here else None
    # With nothing to show it is as if it were not here.
    here = here and bool(evidence or decision or exact)
    return Answered(question, kind, evidence, found, scorer.about, off, here, decision, exact)


def highlighted(
    index: Index, question: str, hits: list[Hit], highlighter: Highlighter = UNTRAINED
) -> list[Found]:
    """The passages with their sentences and titles scored."""
    passages = [hit.passage for hit in hits]
    every = highlighter.highlight(index.engine, question, passages)
    titles = highlighter.titles(index.engine, question, passages)
    return [Found(*one) for one in zip(hits, every, titles, strict=True)]
