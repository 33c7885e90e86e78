"""Highlighters: they score the sentences of passages and the titles of papers, and highlight those above a threshold.

A highlighter is a trained reader (`anagnosis train evidence-…`), or the word overlap, which needs no training.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import msgspec

from anagnosis.searching.engines import Engine
from anagnosis.searching.records.expansion import Topic
from anagnosis.searching.records.hits import Sentence
from anagnosis.searching.records.passage import Passage
from anagnosis.searching.sentences import overlap
from anagnosis.searching.sentences.sentences import cut, title_place

STRENGTHS = ("none", "weak", "fair", "strong")


@dataclass(frozen=True, slots=True)
class StrengthThresholds:
    """The lowest scores at which a sentence fits weakly, fairly and strongly."""

    weak: float
    fair: float
    strong: float

    def strength(self, score: float) -> int:
        """0 to 3, of STRENGTHS."""
        return sum(score >= step for step in (self.weak, self.fair, self.strong))


class Scorer(msgspec.Struct, frozen=True):
    """Description of a highlighter.

    name: its name. says: the meaning of a score, in a sentence.
    """

    name: str
    says: str


class Highlighter(Protocol):
    """The interface of highlighters."""

    @property
    def about(self) -> Scorer: ...
    @property
    def thresholds(self) -> StrengthThresholds: ...

    def highlight(self, engine: Engine, topic: Topic, passages: Sequence[Passage]) -> list[list[Sentence]]:
        """Every sentence of each passage, in its order."""
        ...

    def titles(self, engine: Engine, topic: Topic, passages: Sequence[Passage]) -> list[Sentence | None]:
        """The scored title of each passage's paper; None without a title. Each title is scored once."""
        ...


class Overlap:
    """The untrained highlighter: word overlap (overlap.py).

    Sentences below the weakest threshold share too little with the question to be shown.
    """

    about = Scorer(overlap.NAME, "the share of the question's words, by their weight, that stand in it")
    thresholds = StrengthThresholds(weak=0.3, fair=0.5, strong=0.75)

    def highlight(self, engine: Engine, topic: Topic, passages: Sequence[Passage]) -> list[list[Sentence]]:
        score = overlap.asked_words(engine, topic).score
        all_sentences: list[list[Sentence]] = []
        for passage in passages:
            sentences: list[Sentence] = []
            for begin, end in cut(passage):
                value = score(passage.text[begin:end])
                sentences.append(Sentence(begin, end, value, self.thresholds.strength(value)))
            all_sentences.append(sentences)
        return all_sentences

    def titles(self, engine: Engine, topic: Topic, passages: Sequence[Passage]) -> list[Sentence | None]:
        """The scored title of each passage's paper."""
        score = overlap.asked_words(engine, topic).score
        return each_title(passages, lambda every: [score(one.title) for one in every], self.thresholds)


def each_title(
    passages: Sequence[Passage],
    score: Callable[[Sequence[Passage]], Sequence[float]],
    thresholds: StrengthThresholds,
) -> list[Sentence | None]:
    """The scored title of each passage. score: scores passages with different titles; 0 means that it was not read."""
    first = {
        (passage.document, passage.title): passage for passage in reversed(passages) if passage.title.strip()
    }
    values = dict(zip(first, score(list(first.values())), strict=True))
    titles: list[Sentence | None] = []
    for passage in passages:
        place = title_place(passage)
        value = values.get((passage.document, passage.title), 0.0)
        strength = thresholds.strength(value) if value else 0
        titles.append(Sentence(*place, value, strength) if place else None)
    return titles


UNTRAINED = Overlap()
