"""Figures of sentences taken apart: by how many there are, how many hold the answer, the question's length, by labels.

Numbers are grouped by doubling (1, 2, 3–4, 5–8, 9–16, …), as fine where there are few as where there are many. Each
group is scored as a split of its own (highlighting.py), with draws of its questions alone, fewer than of all: there are
many groups, and their intervals are wide.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from anagnosis.datasets.gold import Gold, Ids, Longs
from anagnosis.evaluation.breakdown import Factor
from anagnosis.evaluation.highlighting import DRAWS, Highlighting, highlighting
from anagnosis.evaluation.systems import System
from anagnosis.predictions import Matched


@dataclass(frozen=True, slots=True)
class HighlightingSlice:
    """The instances with one label, how many they are, and what a system is worth on them."""

    label: str
    instances: int
    worth: Highlighting


@dataclass(frozen=True, slots=True)
class HighlightingBreakdown:
    """The slices of one factor in the order of its labels, without those in which no sentence holds the answer."""

    factor: str
    slices: tuple[HighlightingSlice, ...]


def factors(gold: Gold, questions: Iterable[str]) -> list[Factor]:
    """What every split allows. questions: the text of each instance's."""
    if gold.held is None:
        raise ValueError("its instances are no sentences")
    held = np.add.reduceat(np.r_[gold.held, False].astype(np.int64), gold.starts[:-1])
    sizes = np.diff(gold.starts)
    held[sizes == 0] = 0
    return [
        _doubling("sentences", sizes),
        _doubling("sentences that hold the answer", held),
        _doubling("words of the question", np.array([len(text.split()) for text in questions], np.int64)),
    ]


def breakdowns(
    gold: Gold, system: System, by: Sequence[Factor], *, draws: int = DRAWS // 4, seed: int = 0
) -> tuple[HighlightingBreakdown, ...]:
    """A system's figures by each factor that parts the split."""
    found = [
        HighlightingBreakdown(factor.name, tuple(_slices(gold, system, factor, draws, seed)))
        for factor in by
        if len(np.unique(factor.code)) > 1
    ]
    return tuple(each for each in found if each.slices)


def _slices(gold: Gold, system: System, factor: Factor, draws: int, seed: int) -> Iterator[HighlightingSlice]:
    for place, label in enumerate(factor.labels):
        rows = np.flatnonzero(factor.code == place)
        own = _only(gold, rows)
        if own.held is not None and own.held.any():
            runs = tuple(_only_of(run, gold, rows) for run in system.runs)
            worth = highlighting(own, System(system.name, runs), draws=draws, seed=seed)
            yield HighlightingSlice(label, len(rows), worth)


def _doubling(name: str, values: Longs) -> Factor:
    """Groups of 0, 1, 2, 3–4, 5–8, …; those that occur."""
    steps = np.ceil(np.log2(np.maximum(values, 1))).astype(np.int64) + (values > 0)
    present, code = np.unique(steps, return_inverse=True)
    return Factor(name, code.astype(np.int64), tuple(_group(step) for step in present.tolist()))


def _group(step: int) -> str:
    if step < 3:
        return str(step)
    return f"{2 ** (step - 2) + 1}–{2 ** (step - 1)}"


def _only(gold: Gold, rows: Longs) -> Gold:
    """These instances of a split of sentences, which have no names."""
    places = _places(gold, rows)
    assert gold.held is not None
    return replace(
        gold,
        ids=Ids(gold.ids.texts.take(rows)),
        starts=np.concatenate([[0], np.cumsum(np.diff(gold.starts)[rows])]),
        answer=gold.answer[rows],
        document=gold.document[rows],
        key=gold.key[places],
        type=gold.type[places],
        number=gold.number[places],
        name_starts=np.zeros(len(places) + 1, np.int64),
        held=gold.held[places],
    )


def _only_of(run: Matched, gold: Gold, rows: Longs) -> Matched:
    return replace(
        run,
        heard=run.heard[rows],
        choice=run.choice[rows],
        tied=run.tied[rows],
        on_top=run.on_top[rows],
        knowledge=run.knowledge[rows],
        seconds=run.seconds[rows],
        confidence=None if run.confidence is None else run.confidence[rows],
        scores=None if run.scores is None else run.scores[_places(gold, rows)],
    )


def _places(gold: Gold, rows: Longs) -> npt.NDArray[np.int64]:
    """Of the sentences of these instances among all."""
    spans = zip(gold.starts[rows].tolist(), gold.starts[rows + 1].tolist(), strict=True)
    return np.concatenate([np.zeros(0, np.int64), *(np.arange(start, stop) for start, stop in spans)])
