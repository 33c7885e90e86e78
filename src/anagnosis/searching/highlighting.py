"""What scores the sentences of passages, and from which score on a sentence is marked.

A highlighter is trained (`anagnosis train evidence-…`) or the overlap of words, which needs no training.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import msgspec

from anagnosis.searching import overlap
from anagnosis.searching.engines import Engine
from anagnosis.searching.passages import Passage
from anagnosis.searching.sentences import Sentence, cut

STRENGTHS = ("none", "weak", "fair", "strong")


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
    """name: what scores. says: what a score is, in a sentence. calibrated: whether scores are probabilities."""

    name: str
    says: str
    calibrated: bool


class Highlighter(Protocol):
    """What scores sentences."""

    @property
    def about(self) -> Scorer: ...
    @property
    def marks(self) -> Marks: ...

    def highlight(self, engine: Engine, question: str, passages: Sequence[Passage]) -> list[list[Sentence]]:
        """Every sentence of each passage, in its order."""
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


UNTRAINED = Overlap()
