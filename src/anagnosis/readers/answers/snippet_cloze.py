"""Zero-shot cloze: a reader trained on cloze questions answers experts' questions (the thesis, 4.2.1 and 4.3).

    1  the question gets a gap, and each snippet is read with it, by itself (word_answers.py)
    2  each word of the snippet is a candidate, which the run scores
    3  scores are normalised; words that are no nouns, verbs or adjectives, and stop words, are out (word_answers.py)
    4  the best n-gram of each snippet is an answer (word_answers.py)
    5  answers are ranked, grouped and cut (ranking.py)

The thesis's results were "very poor", without figures. Questions of other types than factoid and list have no answers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple

from anagnosis.datasets.kinds.question import QuestionInstance, snippet_question
from anagnosis.language.stop_words import stop_words as listed
from anagnosis.predictions import Answer, Prediction
from anagnosis.readers.answers.word_answers import Aggregate, Gap, WordAnswers
from anagnosis.readers.predict import prediction
from anagnosis.registry import referenced

TOGETHER = 64  # questions that the run scores at once
# Opens the run; it lies in a higher layer.
OPENED_BY = "anagnosis.training.runs.cloze_scores:opened"


def fit(
    asked: Iterable[QuestionInstance],
    *,
    cloze: str,
    gap: Gap = "end",
    stop_words: str = "nltk",
    score: Aggregate = "sum",
    group: bool = True,
) -> SnippetCloze:
    """Zero-shot cloze: a reader trained on cloze questions answers experts' questions (the thesis, 4.2.1 and 4.3).

    cloze: a run folder. asked: says what the reader answers; not read.
    """
    return SnippetCloze(referenced(OPENED_BY)(cloze), WordAnswers(gap, listed(stop_words), score, group))


class SnippetCloze(NamedTuple):
    """The reader. run: a loaded run over cloze questions (training/runs/predicting.py)."""

    run: Any
    words: WordAnswers

    def predict(self, instances: Iterable[QuestionInstance]) -> Iterator[Prediction]:
        """Answer some questions at once."""
        rest = iter(instances)
        while some := list(islice(rest, TOGETHER)):
            for instance, answers in zip(some, self.answers(some), strict=True):
                yield prediction(instance.id, tuple(answers), ())

    def answers(self, instances: Sequence[QuestionInstance]) -> list[list[Answer]]:
        """The answers to some questions, the best first."""
        read = [list(self.words.read(snippet_question(instance))) for instance in instances]
        passages = [passage for of_question in read for _, passage in of_question]
        rows = self.run.answers(passages, "words of snippets")
        scores = iter([row[: len(of.candidates)] for row, of in zip(rows, passages, strict=True)])
        return [
            self.words.answers(instance.type, [snippet for snippet, _ in each], [*islice(scores, len(each))])
            for instance, each in zip(instances, read, strict=True)
        ]
