"""What scores the sentences of passages and the titles of papers, and from which score on they are marked.

A highlighter is trained (`anagnosis train evidence-…`) or the overlap of words, which needs no training.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import msgspec

from anagnosis.searching.engines import Engine
from anagnosis.searching.records.answers import Sentence
from anagnosis.searching.records.passage import Passage
from anagnosis.searching.sentences import overlap
from anagnosis.searching.sentences.sentences import cut, title_place

STRENGTHS = ("none", "weak", "fair", "strong")
# Makes a reader of sentences, for `--readers readers`.
TURNED_ON = "anagnosis train evidence-sentence-features --data DATASET --out readers/evidence"


@dataclass(frozen=True, slots=True)
class Marks:
    """From which score on a sentence fits weakly, fairly, strongly."""

    weak: float
    fair: float
    strong: float

    def strength(self, score: float) -> int:
        """0 to 3, of STRENGTHS."""
        return sum(score >= step for step in (self.weak, self.fair, self.strong))


class Scorer(msgspec.Struct, frozen=True):
    """name: what scores. says: what a score is, in a sentence. calibrated: whether scores are probabilities.

    ranked: whether the rank of its passage is a part of a score.
    """

    name: str
    says: str
    calibrated: bool
    ranked: bool = False


class Highlighter(Protocol):
    """What scores sentences."""

    @property
    def about(self) -> Scorer: ...
    @property
    def marks(self) -> Marks: ...

    def highlight(self, engine: Engine, question: str, passages: Sequence[Passage]) -> list[list[Sentence]]:
        """Every sentence of each passage, in its order."""
        ...

    def titles(self, engine: Engine, question: str, passages: Sequence[Passage]) -> list[Sentence | None]:
        """The title that stands over each passage, scored once a title; None where there is none."""
        ...

    def over_collection(self, first: int = 0, ranking: str = "") -> Highlighter:
        """The one for passages that a search brought, in the order of their ranks. first: the first one's, from 0.

        ranking: by which. Itself where it says the same of a sentence wherever its passage is from.
        """
        ...


class Overlap:
    """The untrained one: overlap.py.

    Below the weakest mark a sentence shares too little with the question to be shown at all.
    """

    about = Scorer(
        overlap.NAME, "the share of the question's words, by their weight, that stand in it", calibrated=False
    )
    marks = Marks(weak=0.3, fair=0.5, strong=0.75)

    def highlight(self, engine: Engine, question: str, passages: Sequence[Passage]) -> list[list[Sentence]]:
        score = overlap.scorer(engine, question)
        found: list[list[Sentence]] = []
        for passage in passages:
            own: list[Sentence] = []
            for begin, end in cut(passage):
                value = score(passage.text[begin:end])
                own.append(Sentence(begin, end, value, self.marks.strength(value)))
            found.append(own)
        return found

    def titles(self, engine: Engine, question: str, passages: Sequence[Passage]) -> list[Sentence | None]:
        """The title that stands over each passage."""
        score = overlap.scorer(engine, question)
        return each_title(passages, lambda every: [score(one.title) for one in every], self.marks)

    def over_collection(self, first: int = 0, ranking: str = "") -> Highlighter:
        """Itself: a share of the question's words is the same everywhere."""
        return self


def each_title(
    passages: Sequence[Passage], score: Callable[[Sequence[Passage]], Sequence[float]], marks: Marks
) -> list[Sentence | None]:
    """The marked title of each passage. score: of the titles of passages whose titles all differ; 0 is not read."""
    first = {
        (passage.document, passage.title): passage for passage in reversed(passages) if passage.title.strip()
    }
    values = dict(zip(first, score(list(first.values())), strict=True))
    found: list[Sentence | None] = []
    for passage in passages:
        place = title_place(passage)
        value = values.get((passage.document, passage.title), 0.0)
        mark = marks.strength(value) if value else 0
        found.append(Sentence(*place, value, mark) if place else None)
    return found


UNTRAINED = Overlap()
