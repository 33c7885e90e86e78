"""Is one recipe better than another, when each was trained several times? A test over runs and questions together.

A test that swaps questions takes the runs as they are: it asks what other questions would change. Runs of one recipe
scatter too, and three lucky ones look like a better recipe. Here runs and questions are both samples. With the mean
difference D of the runs' values,

    t = D / √(s₁²/R₁ + s₂²/R₂ + c),    c = max(C₁ + C₂ − 2 C₁₂, 0)

s²: the variance of the values of a recipe's R runs. C: the covariance, over other questions, of two different runs of
one recipe, and C₁₂ of two runs of different recipes, so that c is what the choice of questions adds and no scatter of
runs shows. This is the test of Obuchowski and Rockette (1995) for readers nested in tests, with the degrees of freedom
of Hillis (2007, Statistics in Medicine 26), by Satterthwaite for unequal variances:

    V² / ((s₁²/R₁)² / (R₁ − 1) + (s₂²/R₂)² / (R₂ − 1) + c² / (units − 1))

Where the scatter of three runs is small by chance, c makes these degrees of freedom too many. So Welch's t over the
runs alone, without c, is taken too, and the larger of both p-values counts. Welch's own degrees of freedom are too many
between unequal numbers of runs (7 % for 3 and 10); there they are the harmonic mean of R₁ − 1 and R₂ − 1, weighted by
the parts of the variance. Two runs tell so little of their scatter that this errs too (8 % beside 10 runs): the more
runs of the other recipe then count as two, in the variance and its degrees of freedom. A permutation test of three and
three runs could not go below p = .1. Both take the values of runs as normal. design/evaluation.md has a simulation of
them.

- s² contains what the questions do to a single run alone; where chance makes it smaller than that, that counts.
- A recipe of one run shows no scatter: it is taken to scatter as the other does, unless it is fixed: a reader that is
  not trained has none. Two single runs show nothing of their recipes (None).
- Folds of a cross validation share most of their training data, so their scatter is too small by what they share. For
  R folds 1/R becomes 1/R + 1/(R − 1), the correction of Nadeau and Bengio (2003). Equally many folds of two recipes
  are paired, since both learn a fold from the same questions: then s² and C are those of the folds' differences.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from anagnosis.array_types import Codes, Floats
from anagnosis.evaluation.differences.power import by_t

MOST_RUNS = 100  # that anybody would train


@dataclass(frozen=True, slots=True)
class OverRuns:
    """runs: of the two systems. p: two-tailed, that other runs, asked other questions, differ; welch: over runs alone.

    p is the larger of the joint test's and welch. error: the joint standard error of the difference, None where there
    is one unit. detectable: the smallest true difference that runs which scatter like these show with the chance POWER,
    where only this pair is tested; None where they show none. needed: how many runs of each recipe would show the
    difference found, if it is the true one, MOST_RUNS + 1 for any more; None where nobody knows, as of folds.
    """

    runs: tuple[int, int]
    p: float
    welch: float
    error: float | None
    detectable: float | None
    needed: int | None = None


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
    questions or documents are independent. folds: whether a system's runs are folds of a cross validation. fixed:
    whether the one run of a system is all that it can give.
    """
    runs = len(first), len(second)
    if max(runs) == 1:
        return None
    if units < 2:
        return OverRuns(runs, 1.0, 1.0, None, None)
    paired = all(folds) and runs[0] == runs[1]
    scatter = _paired(first - second, questions) if paired else _apart(first, second, questions, folds, fixed)
    of_runs = sum(part for part, _ in scatter.parts)
    uncertain = sum(part**2 / freedom for part, freedom in scatter.parts)
    difference = float(first.mean() - second.mean())
    chosen = scatter.questions
    joint = _T.of(max(of_runs, scatter.least) + chosen, uncertain + chosen**2 / (units - 1))
    if runs[0] == runs[1]:
        welch = _T.of(of_runs, uncertain)
    elif min(runs) == 2:
        welch = _as_two(scatter, runs, folds)
    else:
        few = sum(part / freedom for part, freedom in scatter.parts)
        welch = _T(math.sqrt(of_runs), of_runs / few if few > 0 else math.inf)
    over = welch.p(difference) if of_runs > 0 else 0.0  # runs without scatter leave it to the questions
    detectable = max(joint.detectable(), welch.detectable())
    return OverRuns(
        runs,
        max(joint.p(difference), over),
        over,
        joint.error,
        detectable if 0 < detectable <= 1 else None,
        None if any(folds) else _needed(scatter, max(runs), abs(difference), units),
    )


def _needed(scatter: _Scatter, most: int, difference: float, units: int) -> int:
    """The least number of runs of each recipe, over `most`, that shows the difference with the chance POWER.

    MOST_RUNS + 1 if MOST_RUNS do not.
    """
    for count in range(most + 1, MOST_RUNS + 1):
        own = sum(scatter.of_one) / count
        uncertain = sum((part / count) ** 2 for part in scatter.of_one) / (count - 1)
        least = max(own, scatter.least_of_one / count) + scatter.questions
        joint = _T.of(least, uncertain + scatter.questions**2 / (units - 1))
        if max(joint.detectable(), _T.of(own, uncertain).detectable()) <= difference:
            return count
    return MOST_RUNS + 1


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


def larger_p(over_questions: float, runs: OverRuns | None) -> float:
    """The p-value that decides: the larger one of the test with these runs and the test over other runs."""
    return over_questions if runs is None else max(over_questions, runs.p)


@dataclass(frozen=True, slots=True)
class _T:
    """A t-test. error: standard error of the difference; freedom: its degrees of freedom."""

    error: float
    freedom: float

    @classmethod
    def of(cls, variance: float, uncertain: float) -> _T:
        """uncertain: the sum of squared parts of the variance, each over its degrees of freedom."""
        return cls(math.sqrt(variance), variance**2 / uncertain if uncertain > 0 else math.inf)

    def p(self, difference: float) -> float:
        """Two-tailed."""
        from scipy.special import ndtr, stdtr

        if self.error == 0:
            return float(difference == 0)
        t = -abs(difference) / self.error
        return min(1.0, 2 * float(ndtr(t) if math.isinf(self.freedom) else stdtr(self.freedom, t)))

    def detectable(self) -> float:
        return by_t(self.error, self.freedom)


@dataclass(frozen=True, slots=True)
class _Scatter:
    """What the variance of a difference is made of.

    parts: (variance by runs, its degrees of freedom) of each sample of runs. least: what questions do to these runs,
    one by one, below which their variance cannot be. questions: c. of_one: the variance of a single run of each recipe;
    least_of_one: `least` of two single runs.
    """

    parts: tuple[tuple[float, int], ...]
    least: float
    questions: float
    of_one: tuple[float, ...] = ()
    least_of_one: float = 0.0


def _apart(
    first: Floats, second: Floats, questions: Floats, folds: tuple[bool, bool], fixed: tuple[bool, bool]
) -> _Scatter:
    """Of two samples of runs, one of which may be a single run."""
    runs = len(first), len(second)
    blocks = questions[: runs[0], : runs[0]], questions[runs[0] :, runs[0] :]
    scatters, alone = list[float | None](), list[float | None]()
    for values, block, never in zip((first, second), blocks, fixed, strict=True):
        several = len(values) > 1
        scatters.append(float(values.var(ddof=1)) if several else 0.0 if never else None)
        alone.append(_alone(block) if several else 0.0 if never else None)
    known = [_either(*pair) for pair in (scatters, scatters[::-1])]
    apart = [_either(*pair) for pair in (alone, alone[::-1])]
    parts = [_weight(count, folds=of) * own for count, of, own in zip(runs, folds, known, strict=True)]
    shared = sum(float(np.diag(block).mean()) - own for block, own in zip(blocks, apart, strict=True))
    if min(runs) > 1 or any(fixed):
        samples = tuple((part, max(count - 1, 1)) for part, count in zip(parts, runs, strict=True))
    else:  # the variance of the system with several runs stands for both
        samples = ((sum(parts), max(runs) - 1),)
    return _Scatter(
        samples,
        sum(own / count for own, count in zip(apart, runs, strict=True)),
        max(shared - 2 * float(questions[: runs[0], runs[0] :].mean()), 0.0),
        tuple(known),
        sum(apart),
    )


def _paired(differences: Floats, questions: Floats) -> _Scatter:
    """Of the differences of folds, float64 [R]."""
    count = len(differences)
    sides = np.hstack([np.eye(count), -np.eye(count)])
    block = sides @ questions @ sides.T
    alone = _alone(block)
    part = _weight(count, folds=True) * float(differences.var(ddof=1))
    return _Scatter(((part, count - 1),), alone / count, max(float(np.diag(block).mean()) - alone, 0.0))


def _as_two(scatter: _Scatter, runs: tuple[int, int], folds: tuple[bool, bool]) -> _T:
    """Welch's test as if either recipe had two runs; the scatter of each is that of all its runs."""
    parts = [
        part * _weight(2, folds=of) / _weight(count, folds=of)
        for (part, _), count, of in zip(scatter.parts, runs, folds, strict=True)
    ]
    return _T.of(sum(parts), sum(part**2 for part in parts))


def _weight(runs: int, *, folds: bool) -> float:
    """Of the variance of runs in that of their mean."""
    return 1 / runs + (1 / (runs - 1) if folds else 0)


def _alone(block: Floats) -> float:
    """The variance that questions give a single run but do not share between two runs."""
    count = len(block)
    diagonal = float(np.trace(block)) / count
    shared = (float(block.sum()) - float(np.trace(block))) / (count * (count - 1))
    return max(diagonal - shared, 0.0)


def _either(own: float | None, other: float | None) -> float:
    """What is known of a system, else what is known of the other."""
    found = own if own is not None else other
    if found is None:
        raise ValueError("two single runs show no scatter")
    return found
