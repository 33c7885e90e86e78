"""Highlighters: they score the sentences of passages, and highlight those above a threshold.

A highlighter is a trained reader (`anagnosis train evidence-…`), or the word overlap, which needs no training. It gets
the sentences of a paper together, in its order, under its title.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import msgspec

from anagnosis.searching.records.hits import Hit, Sentence
from anagnosis.searching.sentences import overlap
from anagnosis.searching.sentences.overlap import AskedWords
from anagnosis.searching.sentences.sentences import cut

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


class ToScore(NamedTuple):
    """A sentence of a document with its title."""

    document: str
    title: str
    text: str


class Highlighter(Protocol):
    """The interface of highlighters."""

    @property
    def about(self) -> Scorer: ...
    @property
    def thresholds(self) -> StrengthThresholds: ...

    def scores(self, asked: AskedWords, groups: Sequence[Sequence[ToScore]]) -> list[list[float]]:
        """The scores of each group, whose sentences are read together."""
        ...


class Overlap:
    """The untrained highlighter: word overlap (overlap.py).

    Sentences below the weakest threshold share too little with the question to be shown.
    """

    about = Scorer(overlap.NAME, "the share of the question's words, by their weight, that stand in it")
    thresholds = StrengthThresholds(weak=0.3, fair=0.5, strong=0.75)

    def scores(self, asked: AskedWords, groups: Sequence[Sequence[ToScore]]) -> list[list[float]]:
        return [[asked.score(one.text) for one in group] for group in groups]


UNTRAINED = Overlap()


def sentences_of(hits: Sequence[Hit], asked: AskedWords, highlighter: Highlighter) -> list[list[Sentence]]:
    """Every sentence of each hit's passage, in its order."""
    # Number of a passage and of its hit, and the place of a sentence; those of a paper are read in its order.
    papers: dict[str, list[tuple[int, int, int, int]]] = {}
    for at, hit in enumerate(hits):
        for begin, end in cut(hit.passage):
            papers.setdefault(hit.passage.document, []).append((hit.passage.number, at, begin, end))
    groups = list[list[ToScore]]()
    for places in papers.values():
        places.sort()
        own = [(hits[at].passage, begin, end) for _, at, begin, end in places]
        groups.append([ToScore(one.document, one.title, one.text[begin:end]) for one, begin, end in own])
    found: list[list[Sentence]] = [[] for _ in hits]
    for places, scores in zip(papers.values(), highlighter.scores(asked, groups), strict=True):
        for (_, at, begin, end), score in zip(places, scores, strict=True):
            found[at].append(Sentence(begin, end, score, highlighter.thresholds.strength(score)))
    return found
