"""Ask an index: the sentences that answer, with what they stand in; and which kinds of answers are off.

Sentences are scored by a trained reader or untrained, which is said. Whether the collection holds the answer at all,
and which papers are read for it, is judged by the overlap of words either way: a trained reader tells which sentence of
a paper is evidence, and was never shown papers about something else. Yes, no or maybe, and names, are given where a
trained reader for them is loaded, somebody has measured it on held-out questions, and the answer seems to be here;
which of them are off, and why, is said too.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from anagnosis.language.negation import negated
from anagnosis.language.question_kinds import FACTOID, LIST, YESNO
from anagnosis.searching.answers import readers as trained
from anagnosis.searching.filters import Filters
from anagnosis.searching.index.index import Index
from anagnosis.searching.records.answers import AskAnswer, Hit, Off, SearchAnswer
from anagnosis.searching.sentences.highlighting import UNTRAINED, Highlighter
from anagnosis.searching.sentences.sentences import best

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
ASKED = "anagnosis ask INDEX_FOLDER QUESTION --readers readers --answers"
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


def search(
    index: Index,
    question: str,
    filters: Filters | None = None,
    limit: int = 10,
    ranking: str | None = None,
    *,
    offset: int = 0,
    scorer: Highlighter | None = UNTRAINED,
) -> SearchAnswer:
    """The passages that fit best, those after the first `offset`. scorer: of their sentences, if they are scored."""
    chosen, by = filters or Filters(), index.ranking(ranking)
    hits = index.search(question, chosen, offset + limit + 1, by)  # one more shows whether others follow
    about = scorer.about if scorer is not None else None
    return SearchAnswer(
        question=question,
        index_notes=index.notes(),
        ranking=by,
        left_out=index.left_out(chosen),
        found=highlighted(index, question, hits[offset : offset + limit], scorer, offset),
        more=len(hits) > offset + limit,
        scorer=about.name if about else "",
        scorer_says=about.says if about else "",
        calibrated=about.calibrated if about else False,
        collection=index.count(),
    )


def ask(
    index: Index,
    question: str,
    filters: Filters | None = None,
    limit: int = SHOWN,
    readers: trained.Readers = trained.NONE,
    ranking: str | None = None,
    again: str = ASKED,
) -> AskAnswer:
    """Read the best passages and give the sentences that fit best. again: the command that asks for answers."""
    chosen, by = filters or Filters(), index.ranking(ranking)
    scorer = readers.highlighter.over_collection(ranking=by)
    found = highlighted(index, question, index.search(question, chosen, READ, by), scorer)
    evidence = best(found, limit, ranked=scorer.about.ranked)
    kind = readers.kind(question)
    words = found if scorer is UNTRAINED else highlighted(index, question, found)
    sure = any(one.score >= SURE for each in words for one in each.sentences)
    off, decision, exact = _off(question, kind, readers, again), None, None
    if sure and off is None and kind == YESNO and readers.decider is not None:
        decision = readers.decider.decide(index, question, words, found)
    elif sure and off is None and kind in (FACTOID, LIST) and readers.exact is not None:
        # As names were ranked when their weights were fitted.
        fitting = [each for each in words if any(one.strength for one in each.sentences)]
        exact = readers.exact.answer(index, question, kind, fitting)
    if decision is not None and evidence:
        from anagnosis.searching.answers.deciding import beside

        decision = beside(decision, evidence[0].text)
    # With nothing to show it is as if it were not here.
    sure = sure and bool(evidence or decision or exact)
    if not sure and not evidence:
        evidence = best(found, limit, ranked=scorer.about.ranked, unmarked=True)
    return AskAnswer(
        question=question,
        index_notes=index.notes(),
        kind=kind,
        left_out=index.left_out(chosen),
        decision=decision,
        exact=exact,
        off=off,
        evidence=evidence,
        sure=sure,
        scorer=scorer.about.name,
        scorer_says=scorer.about.says,
        calibrated=scorer.about.calibrated,
        hits=found,
        ranking=by,
        collection=index.count(),
    )


def highlighted(
    index: Index,
    question: str,
    hits: Sequence[Hit],
    highlighter: Highlighter | None = UNTRAINED,
    offset: int = 0,
) -> list[Hit]:
    """The hits with their sentences and titles scored, and ranked from offset + 1. highlighter: None scores nothing."""
    if highlighter is None:
        return [replace(hit, rank=rank) for rank, hit in enumerate(hits, offset + 1)]
    passages = [hit.passage for hit in hits]
    every = highlighter.highlight(index.engine, question, passages)
    titles = highlighter.titles(index.engine, question, passages)
    scored = zip(hits, titles, every, strict=True)
    return [
        Hit(hit.passage, hit.score, rank, title, own)
        for rank, (hit, title, own) in enumerate(scored, offset + 1)
    ]


def _off(question: str, kind: str, readers: trained.Readers, again: str) -> Off | None:
    """Why a question gets no answer of its kind beside its sentences; None where it does, or wants none."""
    role = _ROLES.get(kind)
    if role is None:
        return None
    what, measure = _WANTED[kind], _MEASURES.format(role)
    if kind == YESNO and negated(question):
        return Off(what, NEGATED)
    if role in readers.silent:
        return Off(what, NOT_ASKED_FOR, [again])
    reader = readers.decider if role == trained.DECISION else readers.exact
    if reader is None:
        return Off(what, NO_READER, [_TRAINS[role], measure, again])
    return None if reader.held_out is not None else Off(what, NOT_MEASURED, [measure, again])
