"""Ask an index: the sentences that answer a question, with their papers, and what papers conclude.

The words, ranks and kinds of sentences order the quotations (evidence_order.py), or a trained reader does. Words, and
vectors where the index has some, decide whether the collection answers the question at all (states.py): a trained
reader finds the evidence in a paper, and never saw papers about other topics. A question is answered only if the first
sentence holds an answer of the kind that it wants (held_answers.py). A language model may choose among the best
(judging.py). The answer to a yes/no question lists what papers conclude (conclusions/).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from msgspec.structs import replace

from anagnosis.language.question_kinds import YESNO, is_topic, kind_of_question
from anagnosis.searching.answers import states
from anagnosis.searching.answers.suggestions import did_you_mean
from anagnosis.searching.citing.reference import citation_of_sentence, reference
from anagnosis.searching.conclusions.concluding import conclusions
from anagnosis.searching.engines import BY_DATE, BY_SCORE, Engine
from anagnosis.searching.engines.stored_papers import papers_of, stored_passages
from anagnosis.searching.filters import Filters
from anagnosis.searching.index.index import Index
from anagnosis.searching.index.listing import (
    by_date,
    facets,
    possible_mistakes,
    with_papers,
)
from anagnosis.searching.queries.asked import AskedQuery
from anagnosis.searching.rank.dense import Dense, can_encode
from anagnosis.searching.rank.ranking import LEXICAL
from anagnosis.searching.records.hits import (
    ANSWERED,
    BY_PAPER,
    CLOSEST,
    NOTHING,
    AskAnswer,
    By,
    Hit,
    SearchAnswer,
    State,
    Topic,
)
from anagnosis.searching.records.passage import NO_FACTS, Evidence
from anagnosis.searching.sentences import evidence_order, overlap
from anagnosis.searching.sentences.asked_names import has_names
from anagnosis.searching.sentences.evidence_order import ReadSentence, quotations, read_sentences
from anagnosis.searching.sentences.held_answers import HeldAnswers
from anagnosis.searching.sentences.highlighting import UNTRAINED, Highlighter, sentences_of
from anagnosis.searching.sentences.overlap import AskedWords
from anagnosis.searching.sentences.sentences import STRONG, best

if TYPE_CHECKING:
    from anagnosis.searching.answers.judging import Judge

READ = 20  # passages whose sentences we score
SHOWN = 5  # sentences


def search(
    index: Index,
    question: str | AskedQuery,
    filters: Filters | None = None,
    limit: int = 10,
    ranking: str | None = None,
    *,
    offset: int = 0,
    scorer: Highlighter | None = UNTRAINED,
    by: By = BY_PAPER,
    sort: str = BY_SCORE,
    with_facets: bool = False,
) -> SearchAnswer:
    """The best papers or passages after the first `offset`.

    scorer: scores the sentences of passages; None leaves them out. by: one of GROUPINGS; of a paper the best passage.
    sort: one of SORTS; a list by date is ranked by words alone. with_facets: count years, journals, types and sections.
    """
    chosen, ranked_by = filters or Filters(), index.ranking(LEXICAL if sort == BY_DATE else ranking)
    asked, last = index.read(question), offset + limit
    if sort == BY_DATE:
        asked = by_date(index.engine, asked, chosen)
    # One more than wanted, to know whether others follow.
    if by == BY_PAPER:
        found = index.best_papers(asked, chosen, last + 1, ranked_by, sort=sort)
    else:
        found = [[hit] for hit in index.search(asked, chosen, last + 1, ranked_by, sort=sort)]
    hits = with_papers(index.engine, found[offset:last])
    about = scorer.about if scorer is not None else None
    counts = facets(index.engine, asked, chosen, every=with_facets)
    return SearchAnswer(
        question=asked.text,
        understood=asked.understood,
        ranking=ranked_by,
        left_out=possible_mistakes(index.engine, chosen, asked.query),
        expanded=asked.expanded,
        did_you_mean=did_you_mean(index.engine, asked),
        by=by,
        sort=BY_DATE if sort == BY_DATE else BY_SCORE,
        matches=counts.matches,
        facets=counts if with_facets and not asked.understood.papers else None,
        found=highlighted(index, asked.topic, hits, scorer, offset),
        more=len(found) > last,
        scorer=about.name if about else "",
        scorer_says=about.says if about else "",
        collection=index.count(),
        unfinished=index.is_unfinished(),
    )


def ask(
    index: Index,
    question: str,
    filters: Filters | None = None,
    limit: int = SHOWN,
    scorer: Highlighter = UNTRAINED,
    ranking: str | None = None,
    judge: Judge | None = None,
) -> AskAnswer:
    """Read the best passages and return the best sentences. scorer: orders them. judge: chooses those that answer."""
    chosen, by = filters or Filters(), index.ranking(ranking)
    asked = index.read(question)
    topic = asked.topic
    found = with_abstract(index.engine, index.search(asked, chosen, READ, by), chosen)
    hits = highlighted(index, topic, found, scorer)
    by_words = hits if scorer is UNTRAINED else highlighted(index, topic, hits)
    words = overlap.asked_words(index.engine, topic)
    sentences, dense = read_sentences(words, by_words), usable_vectors(index)
    cosines = None if dense is None else partial(dense.cosines_of_texts, topic.text)
    most = limit if judge is None else max(limit, judge.READ)
    about, evidence = evidence_order.ABOUT, quotations(by_words, sentences, most, cosines)
    first, judged = evidence[:1], None
    if scorer is not UNTRAINED:
        about, evidence = scorer.about, best(hits, most)
    if judge is not None and evidence and not is_topic(topic.text):
        evidence, judged = judge.choose(topic.text, evidence)
        first = evidence[:1] if scorer is UNTRAINED else first  # whose scores mean something else
    evidence = evidence[:limit]
    state, wanted = state_of(index, topic.text, words, by_words, sentences), HeldAnswers(topic.text)
    holds = any(wanted.answers(one.text) for one in evidence[:1])
    if state == ANSWERED and not (holds and can_answer(topic, wanted, first)):
        state = CLOSEST
    if state == NOTHING and any(one.strength == STRONG for one in evidence):
        state = CLOSEST
    if any(wanted.spells_out(one.text) for one in evidence[:1]):
        state = ANSWERED
    kind = kind_of_question(topic.text)
    concluded = None
    if kind == YESNO and state != NOTHING:
        concluded = conclusions(index, topic, by_words)
        about_it = {one.document for one in concluded.papers}
        if state == ANSWERED and about_it.isdisjoint(one.passage.document for one in first):
            state = CLOSEST  # its paper is not about the question
    if state == ANSWERED and judged is not None and judged.chosen == 0:
        state = CLOSEST
    return AskAnswer(
        question=question,
        understood=asked.understood,
        kind=kind,
        left_out=possible_mistakes(index.engine, chosen, asked.query),
        conclusions=concluded,
        expanded=asked.expanded,
        did_you_mean=did_you_mean(index.engine, asked),
        evidence=_with_citations(index.engine, evidence),
        state=state,
        scorer=about.name,
        scorer_says=about.says,
        judged=judged,
        hits=hits,
        ranking=by,
        collection=index.count(),
        unfinished=index.is_unfinished(),
    )


def can_answer(topic: Topic, wanted: HeldAnswers, first: Sequence[Evidence]) -> bool:
    """Whether the first sentence fits well, holds the wanted kind of answer, and with its title all names asked for."""
    return any(
        one.score >= states.SURE
        and wanted.answers(one.text)
        and has_names(topic, f"{one.passage.title}\n{one.text}")
        for one in first
    )


def with_abstract(engine: Engine, hits: Sequence[Hit], filters: Filters) -> list[Hit]:
    """The hits; behind the first one the other sections of its paper's abstract, which meet the filters.

    Results seldom repeat the name of their subject, so no search finds them. What has more than READ passages is no
    abstract, but a text without a part that says so.
    """
    if not hits:
        return []
    first, found = hits[0], {(hit.passage.document, hit.passage.number) for hit in hits}
    abstract = [one for one in stored_passages(engine, first.passage.document) if not one.full_text]
    others = [
        Hit(one, 0.0)
        for one in (abstract if len(abstract) <= READ else ())
        if (one.document, one.number) not in found
        and (not filters.sections or one.section in filters.sections)
    ]
    return [first, *others, *hits[1:]]


def state_of(
    index: Index,
    question: str,
    asked: AskedWords,
    hits: Sequence[Hit],
    sentences: Sequence[ReadSentence],
) -> State:
    """Whether the collection answers the question. hits: with sentences; without any there is nothing.

    A query that only names papers, such as a DOI, has no words: its papers come closest. So they do for a topic, which
    asks nothing that a sentence could answer.
    """
    if not sentences:
        return CLOSEST if hits and not question else NOTHING
    cosines, here, dense = list[float](), states.BY_WORDS, usable_vectors(index)
    if dense is not None:
        places = [(hit.passage.document, hit.passage.number) for hit in hits]
        of_places = dense.cosines(dense.question(question), places)
        cosines, here = [of_places[place] for place in places if place in of_places], states.WITH_VECTORS
    row = states.features(asked, hits, sentences, index.count().passages, cosines)
    state = states.state(row, here)
    return CLOSEST if state == ANSWERED and is_topic(question) else state


def usable_vectors(index: Index) -> Dense | None:
    """The vectors of an index, if it has some and their encoder can be loaded."""
    return index.dense if index.dense is not None and index.dense.there and can_encode() else None


def highlighted(
    index: Index,
    topic: Topic,
    hits: Sequence[Hit],
    highlighter: Highlighter | None = UNTRAINED,
    offset: int = 0,
) -> list[Hit]:
    """The hits with scored sentences, ranked from offset + 1. highlighter: None scores nothing."""
    if highlighter is None:
        return [replace(hit, rank=rank) for rank, hit in enumerate(hits, offset + 1)]
    asked = overlap.asked_words(index.engine, topic)
    scored = zip(hits, sentences_of(hits, asked, highlighter), strict=True)
    return [replace(hit, rank=rank, sentences=own) for rank, (hit, own) in enumerate(scored, offset + 1)]


def _with_citations(engine: Engine, evidence: Sequence[Evidence]) -> list[Evidence]:
    """The sentences, each with its citation."""
    cited, papers = list[Evidence](), papers_of(engine, [one.passage.document for one in evidence])
    for one, paper in zip(evidence, papers, strict=True):
        section = one.passage.heading or one.passage.section
        of_paper = reference([one.passage], paper or NO_FACTS)
        cited.append(replace(one, citation=citation_of_sentence(of_paper, one.text, section)))
    return cited
