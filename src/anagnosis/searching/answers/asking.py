"""Ask an index: the sentences that answer, with what they stand in; and which kinds of answers are off.

Sentences are scored by a trained reader or untrained, which is said. Whether the collection holds the answer at all,
and which papers are read for it, is judged by the overlap of words either way: a trained reader tells which sentence of
a paper is evidence, and was never shown papers about something else. Yes, no or maybe, and names, are given where a
trained reader for them is loaded, somebody has measured it on held-out questions, and the answer seems to be here;
which of them are off, and why, is said too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from anagnosis.language.negation import negated
from anagnosis.language.question_kinds import FACTOID, LIST, YESNO
from anagnosis.searching.answers import readers as trained
from anagnosis.searching.engines import Hit
from anagnosis.searching.filters import Filters
from anagnosis.searching.index.index import Index
from anagnosis.searching.sentences.highlighting import UNTRAINED, Highlighter, Scorer
from anagnosis.searching.sentences.sentences import Evidence, Found, best

if TYPE_CHECKING:
    from anagnosis.searching.answers.deciding import Decision
    from anagnosis.searching.entities.name_answers import Exact

READ = 20  # passages whose sentences are scored
SHOWN = 5  # sentences
# By the overlap of words: below it for the best sentence, the collection more likely does not hold the answer. Chosen
# on 1,000 questions of BioASQ's editions 7 and 8, asked with and without the documents that answer them
# (benchmarks/search_bioasq.py).
SURE = 0.66
_WANTED = {
    YESNO: "yes, no or maybe",
    FACTOID: "the name that is asked for",
    LIST: "the list that is asked for",
}
_ROLES = {YESNO: trained.DECISION, FACTOID: trained.EXACT, LIST: trained.EXACT}
_TRAINED = "anagnosis train {} --data DATASET --out readers/{}"
_TRAINS = {
    trained.DECISION: _TRAINED.format("pubmedqa-shallow-features", trained.DECISION),
    trained.EXACT: _TRAINED.format("biomrc-attention-sum-local", trained.EXACT),
}
_MEASURES = "anagnosis calibrate readers/{} DATASET"
NO_READER = "no trained reader for it was named"
NOT_ASKED_FOR = "it was not asked for"
NOT_MEASURED = "nobody has measured its reader on held-out questions"
# "No" to "Does tea not help?" may mean either; and readers are hardly ever trained on such questions.
NEGATED = "the question is negated, so that yes and no can each mean two things; ask it without the negation"


@dataclass(frozen=True, slots=True)
class Off:
    """A kind of answer that is not given: what it is, and why.

    turn_on: commands to run before asking again; None where no command turns it on.
    """

    what: str
    why: str
    turn_on: tuple[str, ...] | None = ()

    def commands(self, again: str) -> list[str]:
        """All commands that turn it on. again: how one asks for answers."""
        return [] if self.turn_on is None else [*self.turn_on, again]


@dataclass(frozen=True, slots=True)
class Answered:
    """kind: of question_kinds. evidence: best first, empty where nothing fits. scorer: what judged the sentences.

    sure: whether a sentence shares enough with the question that the answer seems to be here; if not, the
    evidence is what comes nearest, marked or not, and no answer is made of it. off: the kind of answer that is not
    given, None where none is missing. decision, exact: what readers say, None where they are off or read nothing.
    """

    question: str
    kind: str
    evidence: list[Evidence]
    found: list[Found]
    scorer: Scorer
    off: Off | None
    sure: bool
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
    scorer = readers.highlighter.over_collection(ranking=index.ranking(ranking))
    found = highlighted(index, question, index.search(question, filters, READ, ranking), scorer)
    evidence = _evidence(found, limit, scorer)
    kind = readers.kind(question)
    words = found
    if scorer is not UNTRAINED:
        words = highlighted(index, question, [each.hit for each in found])
    sure = any(one.score >= SURE for each in words for one in each.sentences)
    off, decision, exact = _off(question, kind, readers), None, None
    if sure and off is None and kind == YESNO and readers.decider is not None:
        decision = readers.decider.decide(index, question, words, found)
    elif sure and off is None and kind in (FACTOID, LIST) and readers.exact is not None:
        # As names were ranked when their weights were fitted.
        fitting = [each for each in words if any(one.strength for one in each.sentences)]
        exact = readers.exact.answer(index, question, kind, fitting)
    if decision is not None and evidence:
        decision = decision.beside(evidence[0].text)
    # With nothing to show it is as if it were not here.
    sure = sure and bool(evidence or decision or exact)
    if not sure and not evidence:
        evidence = _evidence(found, limit, scorer, unmarked=True)
    return Answered(question, kind, evidence, found, scorer.about, off, sure, decision, exact)


def highlighted(
    index: Index, question: str, hits: list[Hit], highlighter: Highlighter = UNTRAINED
) -> list[Found]:
    """The passages with their sentences and titles scored."""
    passages = [hit.passage for hit in hits]
    every = highlighter.highlight(index.engine, question, passages)
    titles = highlighter.titles(index.engine, question, passages)
    return [Found(*one) for one in zip(hits, every, titles, strict=True)]


def _evidence(
    found: list[Found], limit: int, scorer: Highlighter, *, unmarked: bool = False
) -> list[Evidence]:
    return best(
        ((each.hit.passage, each.sentences) for each in found),
        limit,
        ((each.hit.passage, each.title) for each in found),
        ranked=scorer.about.ranked,
        unmarked=unmarked,
    )


def _off(question: str, kind: str, readers: trained.Readers) -> Off | None:
    """Why a question gets no answer of its kind beside its sentences; None where it does, or wants none."""
    role = _ROLES.get(kind)
    if role is None:
        return None
    what, measure = _WANTED[kind], _MEASURES.format(role)
    if kind == YESNO and negated(question):
        return Off(what, NEGATED, None)
    if role in readers.silent:
        return Off(what, NOT_ASKED_FOR)
    reader = readers.decider if role == trained.DECISION else readers.exact
    if reader is None:
        return Off(what, NO_READER, (_TRAINS[role], measure))
    return None if reader.held_out is not None else Off(what, NOT_MEASURED, (measure,))
