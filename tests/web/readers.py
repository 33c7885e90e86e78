"""Invented readers to ask the page with."""

from __future__ import annotations

import threading
from collections.abc import Sequence

from anagnosis.searching.sentences.highlighting import UNTRAINED, Scorer, ToScore
from anagnosis.searching.sentences.overlap import AskedWords


class Waiting:
    """A scorer of sentences that waits until it may go on. asked: how often it was."""

    about = Scorer("waiting", "how long it took")
    thresholds = UNTRAINED.thresholds

    def __init__(self) -> None:
        self.go, self.asked = threading.Event(), 0

    def scores(self, asked: AskedWords, groups: Sequence[Sequence[ToScore]]) -> list[list[float]]:
        self.asked += 1
        self.go.wait(20)
        return UNTRAINED.scores(asked, groups)


class EnginePanic(BaseException):
    """As pyo3's PanicException: no Exception."""


class Failing(Waiting):
    """One that raises while it is broken."""

    def __init__(self, kind: type[BaseException]) -> None:
        super().__init__()
        self.go.set()
        self.kind, self.broken = kind, True

    def scores(self, asked: AskedWords, groups: Sequence[Sequence[ToScore]]) -> list[list[float]]:
        if self.broken:
            raise self.kind(asked.question)
        return super().scores(asked, groups)
