"""How well scores tell the sentences that hold an answer from others: AUC, and whether the best sentence is one.

    pooled      AUC over all sentences of all questions
    mean        AUC of each instance that has both kinds of sentences, averaged (measures/auc.py)
    best        of how many instances the best sentence holds the answer (measures/best_sentence.py)

Intervals are percentiles of draws of whole questions, with replacement: instances of one question stand or fall
together. A system of several runs: each figure is the mean over its runs.

A difference has the two-tailed p-value of the same draws, where systems have several runs the larger one of that and of
the test over runs (`over_runs.py`), and both are corrected for all pairs of the ranking (`ranked_pairs.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from anagnosis.array_types import Floats, Longs
from anagnosis.datasets.gold import Gold
from anagnosis.errors import InputError
from anagnosis.evaluation.differences import ranked_pairs
from anagnosis.evaluation.differences.over_runs import OverRuns, larger_p, over_runs
from anagnosis.evaluation.intervals import LEVEL, Interval, percentiles
from anagnosis.evaluation.measures.auc import auc
from anagnosis.evaluation.measures.measure import named
from anagnosis.evaluation.measures.sentence_scores import BELOW_ALL, Bools, by_instance, held_of, scores_of
from anagnosis.evaluation.systems import System
from anagnosis.predictions import Matched

DRAWS = 2_000
PROTOCOL = "sentences"
_CELLS = 1 << 22

Ints = Longs
_Values = tuple[Floats, Floats]
_NAMES = ("pooled", "mean", "best")


@dataclass(frozen=True, slots=True)
class Figure:
    """A value with the interval of its draws; None where there is nothing. n: what it is over."""

    value: float | None
    interval: Interval | None
    n: int


@dataclass(frozen=True, slots=True)
class Highlighting:
    """What the scores of a system are worth on a split.

    pooled (n: sentences), mean (n: instances with both kinds), best (n: instances with a sentence that is held).
    questions: that differ. unanswered: instances without a score, in all runs together.
    """

    name: str
    pooled: Figure
    mean: Figure
    best: Figure
    questions: int
    unanswered: int


@dataclass(frozen=True, slots=True)
class Difference:
    """First less second, each figure paired on the same draws of questions.

    p: by name of the figure; two-tailed, the larger one of the same draws' and of the test over runs. holm: corrected
    for all pairs of the ranking.
    """

    first: str
    second: str
    pooled: Figure
    mean: Figure
    best: Figure
    p: dict[str, float]
    holm: dict[str, float]


def highlighting(
    gold: Gold, system: System, *, draws: int = DRAWS, seed: int = 0, level: float = LEVEL
) -> Highlighting:
    """The figures of a system with their intervals. Refused (InputError): a split of which nothing is known."""
    drawn = _Drawn(gold, draws, seed)
    values = drawn.of(system)
    pooled, mean, best = (
        Figure(value, None if several is None else percentiles(several, level, "bootstrap by question"), n)
        for (value, several), n in zip(values, drawn.sizes, strict=True)
    )
    silent = sum(int((~_answered(gold, run.scores)).sum()) for run in system.runs)
    return Highlighting(system.name, pooled, mean, best, drawn.questions, silent)


def differences(
    gold: Gold, systems: Sequence[System], *, draws: int = DRAWS, seed: int = 0, level: float = LEVEL
) -> list[Difference]:
    """The pairs that a ranking shows. systems: best first."""
    drawn = _Drawn(gold, draws, seed)
    runs = [drawn.of_runs(system) for system in systems]

    def test(i: int, j: int) -> dict[str, tuple[Figure, float]]:
        over = partial(
            over_runs,
            units=drawn.questions,
            folds=(systems[i].folds, systems[j].folds),
            fixed=(systems[i].fixed, systems[j].fixed),
        )
        found: dict[str, tuple[Figure, float]] = {}
        for name, ours, theirs, n in zip(_NAMES, runs[i], runs[j], drawn.sizes, strict=True):
            if ours is not None and theirs is not None:
                found[name] = _tested(ours, theirs, n, over, level)
        return found

    every = ranked_pairs.of_every_pair(len(systems), test)
    holm = ranked_pairs.corrected_by_name(
        {pair: {name: p for name, (_, p) in found.items()} for pair, found in every.items()}
    )
    return [
        Difference(
            systems[i].name,
            systems[j].name,
            *(
                every[i, j][name][0] if name in every[i, j] else Figure(None, None, n)
                for name, n in zip(_NAMES, drawn.sizes, strict=True)
            ),
            p={name: p for name, (_, p) in every[i, j].items()},
            holm=holm[i, j],
        )
        for i, j in ranked_pairs.shown(len(systems))
    ]


def _tested(
    first: _Values,
    second: _Values,
    n: int,
    over: Callable[[Floats, Floats, Floats], OverRuns | None],
    level: float,
) -> tuple[Figure, float]:
    """The difference, and twice the smaller share of the draws on one side of 0, one counted in, or p over runs."""
    (ours, our_draws), (theirs, their_draws) = first, second
    apart = our_draws.mean(axis=0) - their_draws.mean(axis=0)
    figure = Figure(
        float(ours.mean() - theirs.mean()), percentiles(apart, level, "paired bootstrap by question"), n
    )
    side = min(int((apart <= 0).sum()), int((apart >= 0).sum()))
    of_runs = over(ours, theirs, np.cov(np.vstack([our_draws, their_draws])))
    return figure, larger_p(min(1.0, 2 * (1 + side) / (1 + len(apart))), of_runs)


class _Drawn:
    """Draws of questions, the same for every system: how often each question is drawn, int [draws, questions]."""

    def __init__(self, gold: Gold, draws: int, seed: int) -> None:
        held = held_of(gold)
        if not held.any():
            raise InputError(
                "no sentence is said to hold an answer", f"{gold.dataset} {gold.split}", "name another split"
            )
        self._gold, self._draws, self._seed = gold, draws, seed
        self._question = np.unique(gold.document, return_inverse=True)[1]
        self.questions = int(self._question.max()) + 1
        sizes = np.diff(gold.starts)
        self._of_sentence = np.repeat(self._question, sizes)
        mixed = sum(
            bool(held[start:stop].any() and not held[start:stop].all())
            for start, stop in zip(gold.starts, gold.starts[1:], strict=False)
        )
        with_held = sum(
            bool(held[start:stop].any()) for start, stop in zip(gold.starts, gold.starts[1:], strict=False)
        )
        self.sizes = len(held), mixed, with_held

    def of(self, system: System) -> list[tuple[float | None, Floats | None]]:
        """(value, its draws) of each figure, means over the runs."""
        return [
            (None, None) if found is None else (float(found[0].mean()), found[1].mean(axis=0))
            for found in self.of_runs(system)
        ]

    def of_runs(self, system: System) -> list[_Values | None]:
        """(values [runs], their draws [runs, draws]) of each figure; None where a run has none."""
        runs = [self._of_run(run) for run in system.runs]
        found: list[_Values | None] = []
        for each in zip(*runs, strict=True):
            known = [(value, several) for value, several in each if value is not None and several is not None]
            values, draws = [value for value, _ in known], [several for _, several in known]
            found.append((np.array(values), np.array(draws)) if len(known) == len(each) else None)
        return found

    def _of_run(self, run: Matched) -> list[tuple[float | None, Floats | None]]:
        gold, held = self._gold, held_of(self._gold)
        scores = scores_of(gold, run.scores)
        pooled = auc(scores, held)
        found: list[tuple[float | None, Floats | None]] = [
            (pooled, None if pooled is None else self._pooled(scores, held))
        ]
        for name in ("auc", "best_sentence"):
            each = named(name).of_instances(gold, run, PROTOCOL)
            there = ~np.isnan(each)
            if not there.any():
                found.append((None, None))
                continue
            value = float(each[there].mean())
            found.append((value, self._means(each[there], self._question[there], value)))
        return found

    def _counts(self) -> Iterator[tuple[slice, Ints]]:
        """The draws, some at a time, so that memory does not grow with their number."""
        random = np.random.default_rng(self._seed)
        equal = np.full(self.questions, 1 / self.questions)
        rows = max(1, _CELLS // max(self.questions, self.sizes[0]))
        for start in range(0, self._draws, rows):
            stop = min(start + rows, self._draws)
            yield slice(start, stop), random.multinomial(self.questions, equal, stop - start)

    def _means(self, values: Floats, question: Ints, whole: float) -> Floats:
        """Means of drawn questions; a draw without any counts as the whole."""
        sums = np.bincount(question, values, self.questions)
        sizes = np.bincount(question, minlength=self.questions)
        found = np.full(self._draws, whole)
        for rows, counts in self._counts():
            there = counts @ sizes
            found[rows][there > 0] = (counts @ sums)[there > 0] / there[there > 0]
        return found

    def _pooled(self, scores: Floats, held: Bools) -> Floats:
        """The pooled AUC of every draw: sentences are sorted once, and counted as often as their question is drawn."""
        order = np.argsort(scores, kind="stable")
        ordered = scores[order]
        begins = np.flatnonzero(np.r_[True, ordered[1:] > ordered[:-1]])  # of equal scores
        question, right = self._of_sentence[order], held[order]
        found = np.empty(self._draws)
        for rows, counts in self._counts():
            weights = counts[:, question].astype(np.float64)
            held_in = np.add.reduceat(weights * right, begins, axis=1)
            other_in = np.add.reduceat(weights * ~right, begins, axis=1)
            below = np.cumsum(other_in, axis=1) - other_in
            pairs = held_in.sum(axis=1) * other_in.sum(axis=1)
            won = (held_in * (below + other_in / 2)).sum(axis=1)
            found[rows] = np.where(pairs > 0, won / np.maximum(pairs, 1), 0.5)
        return found


def _answered(gold: Gold, given: Floats | None) -> Bools:
    """bool [instances]: whether any sentence has a score."""
    return np.array([(scores > BELOW_ALL).any() for scores, _ in by_instance(gold, given)], np.bool_)
