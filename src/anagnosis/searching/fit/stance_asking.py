"""Measure a reader of stances on BioASQ's yes/no questions, asked over a collection of their snippets.

The collection has a document for each paper of the editions before FIRST_HELD_OUT: its distinct snippets, a line each.
The questions are those of the newest editions, as many with yes as with no; the reader is trained on none. A question
has the stance of the first paper of its list that has one and counts. The reader fitted on abstracts sees single
sentences here, and papers that the search ranks, as users' questions have them.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from anagnosis.datasets.bioasq.held_out import edition_of, is_held_out, may_train, same_question
from anagnosis.datasets.folder.store import ALL, Dataset, instances
from anagnosis.datasets.kinds.question import YESNO, QuestionInstance
from anagnosis.progress import Progress
from anagnosis.searching.answers.asking import READ, highlighted
from anagnosis.searching.conclusions.listing import conclusions
from anagnosis.searching.conclusions.stance import StanceReader
from anagnosis.searching.fit.held_out import newest_editions, scratch_index, snippet_collection
from anagnosis.searching.fit.stance_fitting import as_many_of_both, figures_of
from anagnosis.searching.index.index import Index
from anagnosis.searching.records.conclusions import UNCLEAR, Stance, StanceFigures

FEWEST = 100  # questions


def measure_over_collection(reader: StanceReader, questions: Dataset, date: str) -> StanceFigures | None:
    """The figures over a collection; None if there are too few questions of the newest editions.

    questions: of BioASQ's golden files. date: of the measurement, ISO.
    """
    every = list(instances(questions, ALL, of=QuestionInstance))
    tested = {same_question(one.question) for one in every if is_held_out(one.file)}
    old = [one for one in every if may_train(one.file)]
    drawn = drawn_questions(one for one in old if same_question(one.question) not in tested)
    if len(drawn) < FEWEST:
        return None
    stances = list[Stance]()
    with (
        scratch_index(partial(snippet_collection, old)) as index,
        Progress("stances", len(drawn), "questions") as bar,
    ):
        for one in drawn:
            stances.append(first_stance(index, one.question, reader))
            bar.advance()
    editions = sorted({edition_of(one.file) for one in drawn})
    numbers = f"edition{'s' if len(editions) > 1 else ''} {' and '.join(map(str, editions))}"
    data = f"{questions.name}, {numbers}, asked over their snippets"
    return figures_of(stances, [_is_yes(one) for one in drawn], data, date)


def drawn_questions(every: Iterable[QuestionInstance]) -> list[QuestionInstance]:
    """The newest questions with yes or no and a snippet, as many with yes as with no."""
    questions = list(every)
    newest = newest_editions(questions)
    asked = [
        one
        for one in questions
        if edition_of(one.file) in newest
        and one.type == YESNO
        and one.snippets
        and one.exact
        and one.exact[0][0].lower() in ("yes", "no")
    ]
    return as_many_of_both(asked, _is_yes, lambda one: one.question)


def first_stance(index: Index, question: str, reader: StanceReader) -> Stance:
    """The stance of the first paper of the list that has one and counts; UNCLEAR without."""
    read = index.read(question)
    hits = highlighted(index, read.topic, index.search(read, None, READ))
    listed = conclusions(index, read.topic, hits, reader, unearned=True).papers
    for one in listed:
        if one.counted and one.stance is not None and one.stance != UNCLEAR:
            return one.stance
    return UNCLEAR


def _is_yes(one: QuestionInstance) -> bool:
    return bool(one.exact) and one.exact[0][0].lower() == "yes"
