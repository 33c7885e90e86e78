"""Readers to ask the page with: yes, no or maybe by one that was trained here, names by one that only looks like it."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace
from tests import measured
from tests.decisions import rows_apart, written

from anagnosis import api
from anagnosis.searching.engines import Engine
from anagnosis.searching.fit.decision_measuring import measure
from anagnosis.searching.index.index import Index
from anagnosis.searching.records.answers import (
    Decision,
    Exact,
    ExactAnswer,
    Hit,
    Probabilities,
    Sentence,
    Verdict,
    Withheld,
)
from anagnosis.searching.records.expansion import Equivalent
from anagnosis.searching.records.passage import Passage
from anagnosis.searching.sentences.highlighting import UNTRAINED, Scorer
from anagnosis.searching.sentences.sentences import best


class LongWords:
    """The longest word of each of the best sentences is a name, the others are its other names."""

    held_out = measured.NAMES

    def __init__(self, calibrated: bool = False) -> None:
        self._calibrated = calibrated

    def answer(self, index: Index, question: str, kind: str, found: Sequence[Hit]) -> Exact | None:
        answers = list[ExactAnswer]()
        for place, one in enumerate(best([replace(each, title=None) for each in found], 3)):
            words = sorted(set(one.text.split()), key=lambda word: (-len(word), word))
            answers.append(ExactAnswer(words[0], tuple(words[1:3]), 0.9 - 0.2 * place, one))
        return Exact(tuple(answers), "long-words", self.held_out, self._calibrated) if answers else None


class Divided:
    """Every other paper says yes, the others no."""

    held_out = measured.DECISIONS

    def decide(
        self, index: Index, question: str, words: Sequence[Hit], found: Sequence[Hit] = ()
    ) -> Decision | None:
        every = best([replace(each, title=None) for each in found or words], 4)
        verdicts = [
            Verdict(
                one.passage.document,
                one.passage.paper,
                "no" if place % 2 else "yes",
                Probabilities(0.1, 0.8, 0.1) if place % 2 else Probabilities(0.7, 0.2, 0.1),
                notices=one.passage.notices,
                evidence=one,
            )
            for place, one in enumerate(every)
        ]
        return Decision("divided", self.held_out, tuple(verdicts), calibrated=True) if verdicts else None


class Withholding:
    """The verdict of the best paper is withheld, and no other is read."""

    held_out = measured.DECISIONS

    def decide(
        self, index: Index, question: str, words: Sequence[Hit], found: Sequence[Hit] = ()
    ) -> Decision | None:
        (one,) = best([replace(each, title=None) for each in found or words], 1)
        paper = one.passage.document, one.passage.title
        withheld = Withheld(*paper, "yes", Probabilities(0.7, 0.2, 0.1), evidence=one)
        return Decision("withholding", self.held_out, (), (withheld,), calibrated=True)


class Waiting:
    """A scorer of sentences that waits until it may go on. asked: how often it was."""

    about = Scorer("waiting", "how long it took", calibrated=True)
    thresholds = UNTRAINED.thresholds

    def __init__(self) -> None:
        self.go, self.asked = threading.Event(), 0

    def highlight(
        self,
        engine: Engine,
        question: str,
        passages: Sequence[Passage],
        equivalents: Sequence[Equivalent] = (),
    ) -> list[list[Sentence]]:
        self.asked += 1
        self.go.wait(20)
        return UNTRAINED.highlight(engine, question, passages)

    def titles(
        self,
        engine: Engine,
        question: str,
        passages: Sequence[Passage],
        equivalents: Sequence[Equivalent] = (),
    ) -> list[Sentence | None]:
        return UNTRAINED.titles(engine, question, passages)

    def over_collection(self, first: int = 0, ranking: str = "") -> Waiting:
        return self


class TwoScales(Waiting):
    """One that marks every sentence over a collection, and none on a paper's own page."""

    def __init__(self, mark: int = 0) -> None:
        super().__init__()
        self.go.set()
        self._mark = mark
        self.about = Scorer("two-scales", "over all" if mark else "of one paper", calibrated=True)

    def highlight(
        self,
        engine: Engine,
        question: str,
        passages: Sequence[Passage],
        equivalents: Sequence[Equivalent] = (),
    ) -> list[list[Sentence]]:
        found = super().highlight(engine, question, passages)
        return [[Sentence(one.begin, one.end, 0.5, self._mark) for one in own] for own in found]

    def titles(
        self,
        engine: Engine,
        question: str,
        passages: Sequence[Passage],
        equivalents: Sequence[Equivalent] = (),
    ) -> list[Sentence | None]:
        return [None for _ in passages]

    def over_collection(self, first: int = 0, ranking: str = "") -> TwoScales:
        return TwoScales(3)


class Failing(Waiting):
    """One that cannot."""

    def highlight(
        self,
        engine: Engine,
        question: str,
        passages: Sequence[Passage],
        equivalents: Sequence[Equivalent] = (),
    ) -> list[list[Sentence]]:
        raise ValueError(question)


def trained(folder: Path) -> Path:
    """A folder of readers with a decision reader of two runs in it."""
    pytest.importorskip("torch", reason="the extra train is not installed")
    source = written(folder / "ori_pqal.json", rows_apart(60, 40, 20))
    dataset = api.import_dataset(source, folder / "built", layout="pubmedqa")
    settings = {"epochs": 4, "hidden": 8}
    api.train(
        "pubmedqa-shallow-features",
        dataset,
        folder / "readers" / "decision",
        settings=settings,
        folds=2,
        threads=1,
    )
    assert measure(folder / "readers" / "decision", dataset, "cpu", 1) is not None
    return folder / "readers"
