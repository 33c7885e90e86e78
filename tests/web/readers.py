"""Invented readers to ask the page with."""

from __future__ import annotations

import threading
from collections.abc import Sequence

from anagnosis.searching.engines import Engine
from anagnosis.searching.records.expansion import Topic
from anagnosis.searching.records.hits import Sentence
from anagnosis.searching.records.passage import Passage
from anagnosis.searching.sentences.highlighting import UNTRAINED, Scorer


class Waiting:
    """A scorer of sentences that waits until it may go on. asked: how often it was."""

    about = Scorer("waiting", "how long it took")
    thresholds = UNTRAINED.thresholds

    def __init__(self) -> None:
        self.go, self.asked = threading.Event(), 0

    def highlight(self, engine: Engine, topic: Topic, passages: Sequence[Passage]) -> list[list[Sentence]]:
        self.asked += 1
        self.go.wait(20)
        return UNTRAINED.highlight(engine, topic, passages)

    def titles(self, engine: Engine, topic: Topic, passages: Sequence[Passage]) -> list[Sentence | None]:
        return UNTRAINED.titles(engine, topic, passages)


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
