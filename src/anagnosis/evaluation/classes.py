"""Predictions of a few fixed labels, class by class: precision, recall, F1, their mean (macro-F1), and the confusion.

Macro-F1 is defined in measures/macro_f1.py. Of several runs it is the mean of theirs, as PubMedQA's tables have it.

Intervals draw questions anew, each with the answers of all runs. Questions with the same gold label and the same
answers are interchangeable, so that the draw is a multinomial one over those patterns.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from anagnosis.array_types import Bools, Floats, Longs
from anagnosis.datasets.gold import Gold
from anagnosis.evaluation.differences import ranked_pairs
from anagnosis.evaluation.differences.over_runs import OverRuns, larger_p, over_runs
from anagnosis.evaluation.differences.paired import DRAWS
from anagnosis.evaluation.intervals import LEVEL, Interval, percentiles
from anagnosis.evaluation.measures.macro_f1 import counts as by_label
from anagnosis.evaluation.measures.macro_f1 import f1_by_label, mean_f1, stray_classes
from anagnosis.evaluation.protocols import OFFICIAL
from anagnosis.evaluation.systems import System

_BLOCK = 1 << 22  # cells of a block of draws
_METHOD = "bootstrap by question"


@dataclass(frozen=True, slots=True)
class ClassScore:
    """One label: how often it is right (support) and answered, means over the runs, and what that is worth.

    interval: of its F1, by questions drawn anew.
    """

    label: str
    support: int
    answered: float
    precision: float
    recall: float
    f1: float
    interval: Interval


@dataclass(frozen=True, slots=True)
class Classes:
    """macro_f1: with the interval of questions drawn anew. of_runs: that of each run.

    confusion: gold label → answer → questions, a mean over the runs; the answers are the labels, then whatever is
    none. strays: answers that are no label, by text.
    """

    macro_f1: float
    interval: Interval
    of_runs: tuple[float, ...]
    scores: tuple[ClassScore, ...]
    confusion: tuple[tuple[str, tuple[float, ...]], ...]
    strays: dict[str, int]


@dataclass(frozen=True, slots=True)
class Majority:
    """What the commonest right label would be worth as the answer to every question."""

    label: str
    accuracy: float
    macro_f1: float

    @classmethod
    def of(cls, supports: Mapping[str, int]) -> Majority:
        """supports: how often each label is right, at least once in all."""
        label = max(supports, key=supports.__getitem__)
        share = supports[label] / sum(supports.values())
        return cls(label, share, 2 * share / (1 + share) / len(supports))


@dataclass(frozen=True, slots=True)
class MacroDifference:
    """Macro-F1 of the first minus that of the second.

    p_two_tailed: of these runs, by the same paired draws. over_runs: of the recipes, None for two single runs. p: the
    larger one; holm: p corrected for all pairs of the ranking.
    """

    first: str
    second: str
    difference: float
    interval: Interval
    p_two_tailed: float
    over_runs: OverRuns | None
    p: float
    holm: float


def classes(
    gold: Gold, system: System, rows: Longs, protocol: str, *, draws: int = DRAWS, seed: int = 0
) -> Classes:
    """rows: int64 [m], the instances with a gold label."""
    truth, answers, extra = _coded(gold, system, rows, protocol)
    patterns, counts = np.unique(np.vstack([truth, answers]), axis=1, return_counts=True)
    labels = len(gold.labels)
    whole = _macro(patterns, counts[None, :].astype(np.float64), labels, extra, protocol)
    blocks = [_f1_of_each(patterns, block, labels) for block in _redrawn(counts, draws, seed)]
    drawn = np.concatenate([mean_f1(*block, protocol, extra[:, None]).mean(0) for block in blocks])
    of_each = np.concatenate([f1.mean(0) for f1, _ in blocks])
    table = np.mean([_confusion(truth, own, labels) for own in answers], axis=0)
    return Classes(
        macro_f1=float(whole.mean()),
        interval=percentiles(drawn, LEVEL, _METHOD),
        of_runs=tuple(whole[:, 0].tolist()),
        scores=tuple(_class_scores(gold.labels, truth, answers, of_each)),
        confusion=tuple((label, tuple(row.tolist())) for label, row in zip(gold.labels, table, strict=True)),
        strays=_strays(system),
    )


def majority(gold: Gold, rows: Longs) -> Majority | None:
    """rows: int64 [m], the instances with a gold label. None where instances have no labels in common."""
    if not gold.labels:
        return None
    counts = np.bincount(gold.answer[rows], minlength=len(gold.labels)).tolist()
    return Majority.of(dict(zip(gold.labels, counts, strict=True)))


def macro_differences(
    gold: Gold,
    systems: Sequence[System],
    names: Sequence[str],
    rows: Longs,
    protocol: str,
    *,
    draws: int = DRAWS,
    seed: int = 0,
) -> tuple[MacroDifference, ...]:
    """The pairs that a ranking shows, corrected for all of it, on the same draws. systems: best first."""
    values, drawn = _drawn_together(gold, systems, rows, protocol, draws, seed)
    means = [own.mean(0) for own in drawn]

    def test(i: int, j: int) -> tuple[float, OverRuns | None]:
        apart = means[i] - means[j]
        one_side = min(int((apart <= 0).sum()), int((apart >= 0).sum()))
        runs = over_runs(
            values[i],
            values[j],
            np.atleast_2d(np.cov(np.vstack([drawn[i], drawn[j]]))),
            len(rows),
            folds=(systems[i].folds, systems[j].folds),
            fixed=(systems[i].fixed, systems[j].fixed),
        )
        return min(1.0, 2 * (one_side + 1) / (draws + 1)), runs

    every = ranked_pairs.of_every_pair(len(systems), test)
    p_values = {pair: larger_p(*found) for pair, found in every.items()}
    holm = ranked_pairs.corrected(p_values)
    return tuple(
        MacroDifference(
            first=names[i],
            second=names[j],
            difference=float(values[i].mean() - values[j].mean()),
            interval=percentiles(means[i] - means[j], LEVEL, "paired bootstrap by question"),
            p_two_tailed=every[i, j][0],
            over_runs=every[i, j][1],
            p=p_values[i, j],
            holm=holm[i, j],
        )
        for i, j in ranked_pairs.shown(len(systems))
    )


def _drawn_together(
    gold: Gold, systems: Sequence[System], rows: Longs, protocol: str, draws: int, seed: int
) -> tuple[list[Floats], list[Floats]]:
    """Macro-F1 of each system's runs, [runs], and over the same draws of questions, [runs, draws]."""
    coded = [_coded(gold, system, rows, protocol) for system in systems]
    stacked = np.vstack([coded[0][0][None, :], *(answers for _, answers, _ in coded)])
    patterns, counts = np.unique(stacked, axis=1, return_counts=True)
    ends = 1 + np.cumsum([len(answers) for _, answers, _ in coded])
    labels = len(gold.labels)

    def of_each(weights: Floats) -> list[Floats]:
        return [
            _macro(
                np.vstack([patterns[:1], patterns[end - len(answers) : end]]),
                weights,
                labels,
                extra,
                protocol,
            )
            for end, (_, answers, extra) in zip(ends, coded, strict=True)
        ]

    whole = of_each(counts[None, :].astype(np.float64))
    blocks = [of_each(block) for block in _redrawn(counts, draws, seed)]
    return [own[:, 0] for own in whole], [np.concatenate(own, axis=1) for own in zip(*blocks, strict=True)]


def _coded(gold: Gold, system: System, rows: Longs, protocol: str) -> tuple[Longs, Longs, Longs]:
    """Gold int64 [m], answers int64 [runs, m] with -1 for any other, and how many further classes each run has."""
    answers = np.array([run.choice[rows] for run in system.runs], np.int64)
    strays = [stray_classes(run, protocol) for run in system.runs]
    return gold.answer[rows].astype(np.int64), np.maximum(answers, -1), np.array(strays, np.int64)


def macro_f1_interval(
    truth: Longs, answers: Longs, labels: int, *, draws: int = DRAWS, seed: int = 0
) -> Interval:
    """The 95 % interval of `macro_f1`, by questions drawn anew; n >= 1."""
    patterns, counts = np.unique(np.vstack([truth, answers]), axis=1, return_counts=True)
    none = np.zeros(1, np.int64)
    drawn = [_macro(patterns, own, labels, none, OFFICIAL)[0] for own in _redrawn(counts, draws, seed)]
    return percentiles(np.concatenate(drawn), LEVEL, _METHOD)


def _macro(patterns: Longs, weights: Floats, labels: int, strays: Longs, protocol: str) -> Floats:
    """float64 [runs, draws]. patterns: gold and the runs' answers, int64 [1 + runs, p]; weights: float64 [draws, p]."""
    return mean_f1(*_f1_of_each(patterns, weights, labels), protocol, strays[:, None])


def _f1_of_each(patterns: Longs, weights: Floats, labels: int) -> tuple[Floats, Bools]:
    """[runs, draws, labels]: F1, and whether the label occurs in gold or answers."""
    return f1_by_label(np.stack([weights @ by_label(patterns[0], own, labels) for own in patterns[1:]]))


def _redrawn(counts: Longs, draws: int, seed: int) -> list[Floats]:
    """Blocks of float64 [some draws, p]: how often each pattern comes when all questions are drawn anew."""
    random = np.random.default_rng(seed)
    n, size = int(counts.sum()), max(1, _BLOCK // len(counts))
    sizes = [min(size, draws - begin) for begin in range(0, draws, size)]
    return [random.multinomial(n, counts / n, each).astype(np.float64) for each in sizes]


def _class_scores(labels: Sequence[str], truth: Longs, answers: Longs, drawn: Floats) -> list[ClassScore]:
    """drawn: float64 [draws, labels], the F1 of each label over questions drawn anew."""
    found: list[ClassScore] = []
    for code, label in enumerate(labels):
        true, said = truth == code, answers == code
        support, answered, both = int(true.sum()), said.sum(1), (said & true).sum(1)
        precision = np.divide(both, answered, out=np.zeros(len(both)), where=answered > 0)
        recall = both / support if support else np.zeros(len(both))
        total = answered + support
        f1 = np.divide(2 * both, total, out=np.zeros(len(both)), where=total > 0)
        means = (float(each.mean()) for each in (answered, precision, recall, f1))
        found.append(ClassScore(label, support, *means, interval=percentiles(drawn[:, code], LEVEL, _METHOD)))
    return found


def _confusion(truth: Longs, answers: Longs, labels: int) -> Floats:
    """float64 [labels, labels + 1]: gold by answer, whatever is no label in the last column."""
    table = np.zeros((labels, labels + 1))
    np.add.at(table, (truth, np.where(answers < 0, labels, answers)), 1)
    return table


def _strays(system: System) -> dict[str, int]:
    found: dict[str, int] = {}
    for run in system.runs:
        for text, count in run.strays.items():
            found[text] = found.get(text, 0) + count
    return found
