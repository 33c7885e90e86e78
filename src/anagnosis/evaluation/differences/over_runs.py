"""Is one recipe better than another, when each was trained several times? A test over runs and questions together.

A test that swaps questions takes the runs as they are, and three lucky ones look like a better recipe. Here runs and
questions are both samples. With the mean difference D of the runs' values,

    t = D / √(V),  V = s₁²/R₁ + s₂²/R₂ + c,  c = max(C₁ + C₂ − 2 C₁₂, 0)

s²: the variance of the values of a recipe's R runs. C: the covariance, over other questions, of two runs of one recipe,
and C₁₂ of two runs of different recipes. This is the test of Obuchowski and Rockette (1995) for readers nested in
tests, with the degrees of freedom of Hillis (2007, Statistics in Medicine 26), by Satterthwaite:

    V² / ((s₁²/R₁)² / (R₁ − 1) + (s₂²/R₂)² / (R₂ − 1) + c² / (units − 1))

Where the scatter of few runs is small by chance, Welch's t over the runs alone has the larger p, which counts. Between
unequal numbers of runs its degrees of freedom are the harmonic mean of R₁ − 1 and R₂ − 1, weighted by the parts of the
variance; beside two runs, more runs of the other recipe count as two (simulated in docs/evaluation.md).

- Where s² is smaller than what the questions do to a single run alone, that counts.
- A single run is taken to scatter as the other recipe does, unless it is fixed: a reader that is not trained.
- Folds share most of their training data: for R folds 1/R becomes 1/R + 1/(R − 1) (Nadeau and Bengio 2003). Equally
  many folds of two recipes are paired: then s² and C are those of the folds' differences.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from anagnosis.array_types import Codes, Floats


@dataclass(frozen=True, slots=True)
class OverRuns:
    """runs: of both. p: two-tailed, that other runs, asked other questions, differ."""

    runs: tuple[int, int]
    p: float


def over_runs(
    first: Floats,
    second: Floats,
    questions: Floats,
    units: int,
    *,
    folds: tuple[bool, bool] = (False, False),
    fixed: tuple[bool, bool] = (False, False),
) -> OverRuns | None:
    """first, second: the value of each run, float64 [R₁] and [R₂]. None for two single runs.

    questions: float64 [R₁ + R₂, R₁ + R₂], the covariance of these values over other questions. units: how many
    questions or documents are independent. folds, fixed: whether the runs are folds; whether the one run is fixed.
    """
    runs = len(first), len(second)
    if max(runs) == 1:
        return None
    if units < 2:
        return OverRuns(runs, 1.0)
    samples, of, never, size = [first, second], folds, fixed, runs[0]
    blocks, between = [questions[:size, :size], questions[size:, size:]], questions[:size, size:]
    if all(folds) and runs[0] == runs[1]:
        blocks, between = [blocks[0] + blocks[1] - between - between.T], np.zeros(1)
        samples, of, never = [first - second], (True,), (False,)
    counts = [len(sample) for sample in samples]
    known = [place if count > 1 else 1 - place for place, count in enumerate(counts)]
    scatter = [0.0 if no else float(samples[own].var(ddof=1)) for own, no in zip(known, never, strict=True)]
    alone = [0.0 if no else _alone(blocks[own]) for own, no in zip(known, never, strict=True)]
    shared = sum(float(np.diag(block).mean()) - own for block, own in zip(blocks, alone, strict=True))
    chosen = max(shared - 2 * float(between.mean()), 0.0)
    parts = [_of_mean(own, count, folds=each) for own, count, each in zip(scatter, counts, of, strict=True)]
    freedoms = [max(count - 1, 1) for count in counts]
    if min(counts) == 1 and not any(never):  # one variance stands for both
        parts, freedoms = [sum(parts)], [max(counts) - 1]
    of_runs, least = sum(parts), sum(own / count for own, count in zip(alone, counts, strict=True))
    uncertain = sum(part**2 / freedom for part, freedom in zip(parts, freedoms, strict=True))
    difference = float(first.mean() - second.mean())
    joint = _p(difference, max(of_runs, least) + chosen, uncertain + chosen**2 / (units - 1))
    if min(runs) == 2 < max(runs):
        parts = [_of_mean(own, 2, folds=each) for own, each in zip(scatter, of, strict=True)]
        of_runs, uncertain = sum(parts), sum(part**2 for part in parts)
    elif runs[0] != runs[1]:
        uncertain = of_runs * sum(part / freedom for part, freedom in zip(parts, freedoms, strict=True))
    welch = _p(difference, of_runs, uncertain) if of_runs > 0 else 0.0
    return OverRuns(runs, max(joint, welch))


def covariance_of_means(credits: Floats, units: Codes | None = None) -> Floats:
    """float64 [runs, runs]: how means of credits float64 [runs, n] vary together over other questions.

    units: int [n], the same for questions that are drawn as one.
    """
    deviations = credits - credits.mean(axis=1, keepdims=True)
    if units is not None:
        places = np.unique(units, return_inverse=True)[1]
        deviations = np.array([np.bincount(places, own) for own in deviations])
    count = deviations.shape[1]
    return deviations @ deviations.T * (count / max(count - 1, 1)) / credits.shape[1] ** 2


def _p(difference: float, variance: float, uncertain: float) -> float:
    """Two-tailed, by t. uncertain: the sum of squared parts of the variance, each over its degrees of freedom."""
    from scipy.special import ndtr, stdtr

    if variance == 0:
        return float(difference == 0)
    t = -abs(difference) / math.sqrt(variance)
    return min(1.0, 2 * float(stdtr(variance**2 / uncertain, t) if uncertain > 0 else ndtr(t)))


def _of_mean(variance: float, runs: int, *, folds: bool) -> float:
    return variance * (1 / runs + (1 / (runs - 1) if folds else 0))


def _alone(block: Floats) -> float:
    """The variance that questions give a single run but do not share between two runs."""
    count, diagonal = len(block), float(np.trace(block))
    return max(diagonal / count - (float(block.sum()) - diagonal) / (count * (count - 1)), 0.0)
