"""How often are equal recipes called different when their runs scatter, and what can so many runs show?

    python benchmarks/false_differences.py [--comparisons 2000]

Two equal recipes are trained several times and asked 600 questions of 300 documents. An answer is right where the sum
of a run's level, the question's difficulty, what the recipe makes of the question and chance is above 0; a document's
questions have half of their difficulty in common. `scatter` is the standard deviation of the runs' true accuracies in
points. Printed is how often each test calls the recipes different at .05: the swaps of these runs' averages, Welch's t
over the runs' accuracies, and what decides (`anagnosis.evaluation.differences.over_runs`). `0 and 8`: those of the
first recipe and of the second. Folds have a tenth of the variance of their levels in common, which their scatter does
not show. Then the same for rankings of k recipes of three runs, where
any shown pair may err; and what so many runs can show. The tables of design/evaluation.md are its output.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence

import numpy as np

from anagnosis.evaluation.differences.over_runs import OverRuns, covariance_of_means, larger_p, over_runs
from anagnosis.evaluation.differences.paired import Floats, randomisation
from anagnosis.evaluation.differences.power import ALPHA
from anagnosis.evaluation.differences.ranked_pairs import corrected, of_every_pair, shown
from anagnosis.evaluation.exact_sums import mean_credits

DOCUMENTS = np.arange(600) // 2
DIFFICULTY, RECIPE, CHANCE = 0.5, 0.2, 0.3  # shares of the variance
SLOPE = 0.3989  # of the share of right answers, by a run's level, where half are right
DRAWS = 999
DESIGNS = {
    "2 and 2 runs": (2, 2, False),
    "2 and 5 runs": (2, 5, False),
    "2 and 10 runs": (2, 10, False),
    "3 and 3 runs": (3, 3, False),
    "1 and 3 runs": (1, 3, False),
    "3 and 5 runs": (3, 5, False),
    "3 and 10 runs": (3, 10, False),
    "10 and 10 folds": (10, 10, True),
}
SCATTER = ((0, 0), (1, 1), (2, 2), (4, 4), (8, 8), (0, 4), (0, 8), (1, 8), (2, 8), (8, 0), (8, 2))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--comparisons", type=int, default=2000)
    count = parser.parse_args().comparisons
    print(
        f"Called different (%), of {count:,} comparisons; error ±{100 * math.sqrt(0.06 * 0.94 / count):.1f}\n"
    )
    print("| runs | scatter (points) | swaps of these runs | Welch over runs | decides |")
    print("| --- | --- | ---: | ---: | ---: |")
    for name, (first, second, folds) in DESIGNS.items():
        for scatter in SCATTER:
            if min(first, second) == 1 and scatter[0] != scatter[1]:
                continue  # the scatter of a single run cannot be known
            if first == second and scatter[0] > scatter[1]:
                continue  # the same as the other way round
            random = np.random.default_rng(1)
            p_values = [compared(random, (first, second), scatter, folds=folds) for _ in range(count)]
            rates = (100 * np.mean(np.array(p_values) <= ALPHA, axis=0)).tolist()
            said = " and ".join(map(str, dict.fromkeys(scatter)))
            print(f"| {name} | {said} | {rates[0]:.1f} | {rates[1]:.1f} | {rates[2]:.1f} |", flush=True)
    rankings(count)
    worst(20 * count)
    power()


def compared(
    random: np.random.Generator, runs: tuple[int, int], scatter: Sequence[float], *, folds: bool
) -> tuple[float, float, float]:
    """The p-values of one comparison of equal recipes: of these runs, over the runs, and the one that decides."""
    first, second = recipes(random, runs, scatter, 0.1 if folds else 0.0)
    swaps, over = tested(first, second, folds=folds)
    no_questions = np.zeros((sum(runs), sum(runs)))
    welch = over_runs(first.mean(1), second.mean(1), no_questions, 300)
    assert welch is not None
    return swaps, welch.welch, larger_p(swaps, over)


def recipes(
    random: np.random.Generator, runs: Sequence[int], scatter: Sequence[float], common: float = 0.0
) -> list[Floats]:
    """Credits of equal recipes, float64 [runs, questions]. common: share of the levels' variance that runs share."""
    difficulty = effect(random, DIFFICULTY)
    found: list[Floats] = []
    for count, deviation in zip(runs, scatter, strict=True):
        levels = math.sqrt(common) * random.standard_normal() + math.sqrt(
            1 - common
        ) * random.standard_normal(count)
        of_recipe = difficulty + effect(random, RECIPE)
        answered = [level * deviation / 100 / SLOPE + of_recipe + effect(random, CHANCE) for level in levels]
        found.append(np.array(answered) > 0)
    return [own.astype(np.float64) for own in found]


def effect(random: np.random.Generator, variance: float) -> Floats:
    """float64 [questions], half of its variance in common within a document."""
    alone, shared = random.standard_normal(len(DOCUMENTS)), random.standard_normal(DOCUMENTS[-1] + 1)
    return math.sqrt(variance / 2) * (alone + shared[DOCUMENTS])


def tested(first: Floats, second: Floats, *, folds: bool) -> tuple[float, OverRuns | None]:
    """(p of the swaps of these runs, the test over runs), as `anagnosis compare` has them."""
    swaps = randomisation(mean_credits(first), mean_credits(second), DOCUMENTS, draws=DRAWS, seed=1)
    covariance = covariance_of_means(np.vstack([first, second]), DOCUMENTS)
    over = over_runs(first.mean(1), second.mean(1), covariance, swaps.units, folds=(folds, folds))
    return swaps.p_two_tailed, over


def rankings(comparisons: int) -> None:
    """How often a ranking of equal recipes of three runs calls any shown pair different."""
    print("\nRankings of equal recipes of three runs that err (%)\n")
    print("| recipes | scatter 0 | scatter 2 | scatter 8 | scatter 0 to 8, evenly | rankings | error |")
    print("| ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    for systems in (2, 3, 8, 14, 20):
        count = 4 * comparisons if systems < 8 else max(comparisons // 4, 1)
        rates: list[float] = []
        for scatter in ([0.0], [2.0], [8.0], np.linspace(0, 8, systems).tolist()):
            random = np.random.default_rng(systems)
            rates.append(100 * float(np.mean([errs(random, systems, scatter) for _ in range(count)])))
        error = 100 * math.sqrt(ALPHA * (1 - ALPHA) / count)
        print(
            f"| {systems} | {' | '.join(f'{rate:.1f}' for rate in rates)} | {count:,} | ±{error:.1f} |",
            flush=True,
        )


def errs(random: np.random.Generator, systems: int, scatter: Sequence[float]) -> bool:
    """The p-values over runs alone, which decide together with the swaps: with those it errs no more often."""
    ranked = sorted(
        recipes(random, [3] * systems, list(scatter) * (systems // len(scatter))), key=lambda own: -own.mean()
    )

    def p_value(first: int, second: int) -> float:
        covariance = covariance_of_means(np.vstack([ranked[first], ranked[second]]), DOCUMENTS)
        over = over_runs(ranked[first].mean(1), ranked[second].mean(1), covariance, DOCUMENTS[-1] + 1)
        assert over is not None
        return over.p

    every = of_every_pair(systems, p_value)
    of_all = corrected(every)
    return min(of_all[pair] for pair in shown(systems)) <= ALPHA


def worst(count: int) -> None:
    """The design that errs most often, over runs alone, by more comparisons."""
    random = np.random.default_rng(77)
    wrong = 100 * float(np.mean([errs(random, 2, (0.0, 8.0)) for _ in range(count)]))
    error = 100 * math.sqrt(0.06 * 0.94 / count)
    print(f"\n3 and 3 runs, scatter 0 and 8: {wrong:.2f} % of {count:,}, error ±{error:.2f}")


def power() -> None:
    """The smallest differences that equally many runs of two recipes show four times in five, questions aside."""
    print("\nShown four times in five (points), on any number of questions\n")
    print("| runs of each | scatter 1 | scatter 2 | scatter 4 | scatter 8 | scatter 2, one of 91 pairs |")
    print("| ---: | ---: | ---: | ---: | ---: | ---: |")
    for runs in (2, 3, 5, 10, 20):
        cells = [detectable(runs, deviation, ALPHA) for deviation in (1, 2, 4, 8)]
        cells.append(detectable(runs, 2, ALPHA / 91))
        print(f"| {runs} | {' | '.join(cells)} |")


def detectable(runs: int, deviation: float, alpha: float) -> str:
    values = np.linspace(-1, 1, runs)
    values *= deviation / 100 / values.std(ddof=1)
    found = over_runs(0.5 + values, 0.5 + values, np.zeros((2 * runs, 2 * runs)), 1000, alpha=alpha)
    assert found is not None
    return "–" if found.detectable is None else f"{100 * found.detectable:.1f}"


if __name__ == "__main__":
    main()
