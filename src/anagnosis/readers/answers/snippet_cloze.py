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
from typing import Annotated, Literal, NamedTuple, Protocol

from msgspec import Meta

from anagnosis.datasets.kinds.cloze_views import Viewed
from anagnosis.datasets.kinds.question import QuestionInstance, distinct
from anagnosis.predictions import Answer, Prediction
from anagnosis.readers.answers.ranking import Similar, ranked, similar_by
from anagnosis.readers.answers.word_answers import (
    Aggregate,
    Gap,
    Lengths,
    SnippetWord,
    WordAnswers,
    Words,
    cloze_passage,
    words_by,
)
from anagnosis.readers.predict import prediction
from anagnosis.registry import referenced

TOGETHER = 64  # questions that the run scores at once
# Opens the run; it lies in a higher layer.
OPENED_BY = "anagnosis.training.runs.cloze_scores:opened"

Weights = Literal["trained", "random"]


class ClozeScores(Protocol):
    """A run, or an encoder, that scores the candidates of cloze questions. view: the view that it reads."""

    @property
    def view(self) -> str: ...

    def scores(self, questions: Sequence[Viewed]) -> list[list[float]]:
        """For each question the scores of its candidates in order, higher for a likelier answer."""
        ...


class _Read(NamedTuple):
    """A snippet that is read. question: the index of its question. snippet: its index among the snippets of it."""

    question: int
    snippet: int
    words: list[SnippetWord]
    viewed: Viewed


def fit(
    asked: Iterable[QuestionInstance],
    *,
    cloze: Annotated[str, Meta(examples=["RUN"])],
    weights: Weights = "trained",
    gap: Gap = "end",
    stop_words: str = "nltk",
    score: Aggregate = "sum",
    lengths: Lengths = "inclusive",
    group: bool = True,
    similarity: str = "WRatio",
    seed: int = 0,
) -> SnippetCloze:
    """Zero-shot cloze: a reader trained on cloze questions answers experts' questions (the thesis, 4.2.1 and 4.3).

    cloze: a run folder, or an encoder, which gets random weights above it. weights: "random" draws the run's own anew
    from the seed, as a control. asked: says what the reader answers; not read.
    """
    run: ClozeScores = referenced(OPENED_BY)(cloze, random=weights == "random", seed=seed)
    return SnippetCloze(
        run,
        gap,
        words_by(stop_words),
        WordAnswers(score, lengths),
        similar_by(similarity) if group else None,
    )


class SnippetCloze(NamedTuple):
    """The reader. similar: by which answers are grouped; None keeps similar ones."""

    run: ClozeScores
    gap: Gap
    words: Words
    chosen: WordAnswers
    similar: Similar | None

    def predict(self, instances: Iterable[QuestionInstance]) -> Iterator[Prediction]:
        """Answer some questions at once."""
        rest = iter(instances)
        while some := list(islice(rest, TOGETHER)):
            for instance, answers in zip(some, self.answers(some), strict=True):
                yield prediction(instance.id, tuple(answers), ())

    def answers(self, instances: Sequence[QuestionInstance]) -> list[list[Answer]]:
        """The answers to some questions, the best first."""
        read = [each for number, instance in enumerate(instances) for each in self._read(number, instance)]
        scores = self.run.scores([each.viewed for each in read])
        answers: list[list[Answer]] = [[] for _ in instances]
        for each, of_words in zip(read, scores, strict=True):
            instance = instances[each.question]
            text = instance.snippets[each.snippet].text
            answer = self.chosen.best(instance.type, each.snippet, text, each.words, of_words)
            if answer is not None:
                answers[each.question].append(answer)
        return [
            ranked(each, instance.type, group=self.similar is not None, similar=self.similar)
            for each, instance in zip(answers, instances, strict=True)
        ]

    def _read(self, number: int, instance: QuestionInstance) -> list[_Read]:
        """The snippets with words, if the question has an exact answer of names."""
        if not self.chosen.has(instance.type):
            return []
        read: list[_Read] = []
        for place, text in distinct(snippet.text for snippet in instance.snippets):
            words = self.words(text)
            if words:
                spans = [(word.begin, word.end) for word in words]
                viewed = cloze_passage(f"{instance.id}:{place}", text, spans, instance.question, self.gap)
                read.append(_Read(number, place, words, viewed))
        return read
