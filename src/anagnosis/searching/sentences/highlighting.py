"""Highlighters: they score the sentences of passages and the titles of papers, and highlight those above a threshold.

A highlighter is a trained reader (`anagnosis train evidence-…`), or the word overlap, which needs no training. It gets
the sentences of a paper together, in its order, under its title. A title comes by itself: in front of its sentences a
reader would take it for a first sentence, and score the others differently (design/answers.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import msgspec

from anagnosis.searching.records.hits import Hit, Sentence
from anagnosis.searching.sentences import overlap
from anagnosis.searching.sentences.overlap import AskedWords
from anagnosis.searching.sentences.sentences import cut, title_place

STRENGTHS = ("none", "weak", "fair", "strong")
READ, TITLES = 48, 8  # sentences and titles with the most word overlap, which a slow reader reads alone


@dataclass(frozen=True, slots=True)
class StrengthThresholds:
    """The lowest scores at which a sentence fits weakly, fairly and strongly."""

    weak: float
    fair: float
    strong: float

    def strength(self, score: float) -> int:
        """0 to 3, of STRENGTHS; 0 for a sentence that was not read, whose score is 0."""
        return sum(score >= step for step in (self.weak, self.fair, self.strong)) if score else 0


class Scorer(msgspec.Struct, frozen=True):
    """Description of a highlighter.

    name: its name. says: the meaning of a score, in a sentence.
    """

    name: str
    says: str


class ToScore(NamedTuple):
    """A sentence of a document with its title, or a title itself without one. place: of its hit, from 0."""

    document: str
    title: str
    text: str
    place: int = 0


class Highlighter(Protocol):
    """The interface of highlighters."""

    @property
    def about(self) -> Scorer: ...
    @property
    def thresholds(self) -> StrengthThresholds: ...

    def scores(self, asked: AskedWords, groups: Sequence[Sequence[ToScore]], most: int) -> list[list[float]]:
        """The scores of each group, whose sentences are read together; 0 where a slow one has read `most` others."""
        ...


class Overlap:
    """The untrained highlighter: word overlap (overlap.py).

    Sentences below the weakest threshold share too little with the question to be shown.
    """

    about = Scorer(overlap.NAME, "the share of the question's words, by their weight, that stand in it")
    thresholds = StrengthThresholds(weak=0.3, fair=0.5, strong=0.75)

    def scores(self, asked: AskedWords, groups: Sequence[Sequence[ToScore]], most: int) -> list[list[float]]:
        return [[asked.score(one.text) for one in group] for group in groups]


UNTRAINED = Overlap()


def sentences_of(hits: Sequence[Hit], asked: AskedWords, highlighter: Highlighter) -> list[list[Sentence]]:
    """Every sentence of each hit's passage, in its order."""
    papers: dict[str, list[tuple[int, int, int, int]]] = {}
    for at, hit in enumerate(hits):
        of_paper = papers.setdefault(hit.passage.document, [])
        of_paper += [(hit.passage.number, begin, end, at) for begin, end in cut(hit.passage)]
    for of_paper in papers.values():
        of_paper.sort()
    passages = [hit.passage for hit in hits]
    groups = [
        [
            ToScore(document, passages[at].title, passages[at].text[begin:end], at)
            for _, begin, end, at in of_paper
        ]
        for document, of_paper in papers.items()
    ]
    found: list[list[Sentence]] = [[] for _ in hits]
    for of_paper, scores in zip(papers.values(), highlighter.scores(asked, groups, READ), strict=True):
        for (_, begin, end, at), score in zip(of_paper, scores, strict=True):
            found[at].append(Sentence(begin, end, score, highlighter.thresholds.strength(score)))
    return found


def titles_of(hits: Sequence[Hit], asked: AskedWords, highlighter: Highlighter) -> list[Sentence | None]:
    """The scored title of each hit's paper, None without one. Each title is scored once."""
    places = [title_place(hit.passage) for hit in hits]
    papers = dict.fromkeys(
        (hit.passage.document, hit.passage.title)
        for hit, place in zip(hits, places, strict=True)
        if place is not None
    )
    groups = [[ToScore(document, "", title, place)] for place, (document, title) in enumerate(papers)]
    scores = dict(zip(papers, highlighter.scores(asked, groups, TITLES), strict=True))
    titles: list[Sentence | None] = []
    for hit, place in zip(hits, places, strict=True):
        (score,) = scores[hit.passage.document, hit.passage.title] if place else (0.0,)
        titles.append(Sentence(*place, score, highlighter.thresholds.strength(score)) if place else None)
    return titles
