"""What fits of readers share: their questions, collections of snippets to ask, figures with intervals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from anagnosis.datasets.bioasq.held_out import edition_of, is_held_out, may_train, same_question
from anagnosis.datasets.kinds.question import QuestionInstance
from anagnosis.documents.document import Document, Section
from anagnosis.evaluation.intervals import wilson
from anagnosis.progress import Progress
from anagnosis.searching.answers.asking import READ, highlighted
from anagnosis.searching.index.index import Index, create_index
from anagnosis.searching.records.expansion import Topic
from anagnosis.searching.records.hits import Hit

NEWEST = 0.28  # share of the questions to measure on, whole editions: 7 and 8 of 2 to 8
DRAWS = 10_000
LEVEL = 0.95
DIGITS = 4  # of figures


def without_held_out(
    questions: Iterable[QuestionInstance], test: Container[str] = ()
) -> list[QuestionInstance]:
    """The questions that may train readers, without those that a held-out batch or the test part asks too.

    test: the ids of the test part.
    """
    every = list(questions)
    tested = {same_question(one.question) for one in every if is_held_out(one.file) or one.id in test}
    return [one for one in every if may_train(one.file) and same_question(one.question) not in tested]


def newest_editions(questions: Iterable[QuestionInstance]) -> set[int]:
    """The newest editions of BioASQ, as many as have NEWEST of the questions together."""
    counts = Counter(edition_of(one.file) for one in questions)
    chosen, left = set[int](), NEWEST * counts.total()
    for edition in sorted(counts, reverse=True):
        if left <= 0 or (chosen and counts[edition] > 2 * left):
            break
        chosen.add(edition)
        left -= counts[edition]
    return chosen


def share(right: Sequence[bool]) -> tuple[float, float, float]:
    """(share of the right ones, low, high) with the 95 % interval, rounded; 0 between 0 and 1 without any."""
    if not right:
        return 0.0, 0.0, 1.0
    value = sum(right) / len(right)
    interval = wilson(value, len(right))
    return round(value, DIGITS), round(interval.low, DIGITS), round(interval.high, DIGITS)


def difference(here: Sequence[float], there: Sequence[float]) -> tuple[float, float]:
    """(low, high): the 95 % interval of the mean of here − there, by questions drawn anew.

    here, there: measures of the same questions, a value for each, at least one.
    """
    apart = np.array(here) - np.array(there)
    drawn = np.random.default_rng(0).integers(0, len(apart), (DRAWS, len(apart)))
    edge = 100 * (1 - LEVEL) / 2
    low, high = np.percentile(apart[drawn].mean(1), [edge, 100 - edge]).tolist()
    return low, high


def each_asked(index: Index, questions: Sequence[str], note: str) -> Iterator[tuple[Topic, list[Hit]]]:
    """The topic of each question and the hits that `ask` reads, by word overlap. note: of the progress bar."""
    with Progress(note, len(questions), "questions") as bar:
        for question in questions:
            asked = index.read(question)
            yield asked.topic, highlighted(index, asked.topic, index.search(asked, None, READ))
            bar.advance()


@contextmanager
def scratch_index(make: Callable[[Path], Index]) -> Generator[Index]:
    """An index in a temporary folder. make: makes it in a new folder."""
    with TemporaryDirectory(prefix="anagnosis-") as scratch:
        index = make(Path(scratch) / "index")
        try:
            yield index
        finally:
            index.close()


def snippet_collection(questions: Iterable[QuestionInstance], folder: Path) -> Index:
    """An index in a new folder with one document for each PMID: its distinct snippets, a line each.

    White space is collapsed, and a snippet that another one of the document contains is left out.
    """
    texts: dict[str, dict[str, None]] = {}
    for question in questions:
        for snippet in question.snippets:
            texts.setdefault(snippet.pmid, {})[" ".join(snippet.text.split())] = None
    index, counts = create_index(folder), Counter[str]()
    for pmid, snippets in texts.items():
        kept = [one for one in snippets if not any(one != other and one in other for other in snippets)]
        index.add(Document(pmid, (Section("abstract", "\n".join(kept)),)), counts)
    index.commit()
    return index
