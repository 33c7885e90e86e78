"""Readers to ask the page with: stances and names by invented ones."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path

from msgspec.structs import replace
from tests import measured

from anagnosis.searching.conclusions.stance import (
    FORMAT,
    StanceReader,
    StanceWeights,
    TrainingData,
    store_stance_reader,
)
from anagnosis.searching.engines import Engine
from anagnosis.searching.entities.naming import NamesReader
from anagnosis.searching.index.index import Index
from anagnosis.searching.records.conclusions import StanceFigures
from anagnosis.searching.records.expansion import Topic
from anagnosis.searching.records.hits import Hit, Sentence
from anagnosis.searching.records.names import NONE_SURE, NamedAnswer, Names
from anagnosis.searching.records.passage import Passage
from anagnosis.searching.sentences.highlighting import UNTRAINED, Scorer
from anagnosis.searching.sentences.sentences import best


class LongWords(NamesReader):
    """The longest word of each of the best sentences is a name, the others are its other names."""

    def __init__(self) -> None:
        super().__init__(measured.NAME_WEIGHTS)

    def answer(self, index: Index, topic: Topic, kind: str, hits: Sequence[Hit]) -> Names:
        answers = list[NamedAnswer]()
        for place, one in enumerate(best([replace(each, title=None) for each in hits], 3)):
            words = sorted(set(one.text.split()), key=lambda word: (-len(word), word))
            answers.append(NamedAnswer(words[0], tuple(words[1:3]), 0.9 - 0.2 * place, one))
        return Names(tuple(answers), "long-words", self.figures, "") if answers else Names(off=NONE_SURE)


class Waiting:
    """A scorer of sentences that waits until it may go on.

    asked: how often it was. first: the rank, from 0, of the first passage that it was last asked about.
    """

    about = Scorer("waiting", "how long it took", calibrated=True)
    thresholds = UNTRAINED.thresholds

    def __init__(self) -> None:
        self.go, self.asked, self.first = threading.Event(), 0, 0

    def highlight(self, engine: Engine, topic: Topic, passages: Sequence[Passage]) -> list[list[Sentence]]:
        self.asked += 1
        self.go.wait(20)
        return UNTRAINED.highlight(engine, topic, passages)

    def titles(self, engine: Engine, topic: Topic, passages: Sequence[Passage]) -> list[Sentence | None]:
        return UNTRAINED.titles(engine, topic, passages)

    def over_collection(self, first: int = 0, ranking: str = "") -> Waiting:
        self.first = first
        return self


class EnginePanic(BaseException):
    """As pyo3's PanicException: no Exception."""


class Failing(Waiting):
    """One that raises while it is broken."""

    def __init__(self, kind: type[BaseException]) -> None:
        super().__init__()
        self.go.set()
        self.kind, self.broken = kind, True

    def highlight(self, engine: Engine, topic: Topic, passages: Sequence[Passage]) -> list[list[Sentence]]:
        if self.broken:
            raise self.kind(topic.text)
        return super().highlight(engine, topic, passages)

    def over_collection(self, first: int = 0, ranking: str = "") -> Failing:
        return self


def stances(figures: StanceFigures = measured.STANCES) -> StanceReader:
    """A reader that lets plain sentences support and negated ones oppose."""
    weights = {"": 2.0, "denied": -4.0}
    trained_on = (TrainingData("invented", "00", 10),)
    return StanceReader(StanceWeights(FORMAT, weights, 0.7, trained_on, figures, figures))


def trained(folder: Path) -> Path:
    """A folder of readers with a reader of stances in it."""
    store_stance_reader(folder / "readers" / "stance", stances().fitted)
    return folder / "readers"
