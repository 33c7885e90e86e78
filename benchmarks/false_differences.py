"""How often do intervals hold the truth, and how often are equal systems called different? Docs/evaluation.md's tables.

    python benchmarks/false_differences.py [--rounds 2000]

Answers are right where a normal variable is above a threshold; a document's questions have half of its variance in
common. Equal recipes are asked 600 questions of 300 documents: a run's level, the question's difficulty (half), what
the recipe makes of it (a fifth) and chance decide. *Scatter* is the deviation of the runs' true accuracies in points.
Equal systems of one run are asked 400 questions of which 60 % have one answer for all systems; a ranking errs where any
shown pair is called different.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Sequence
from statistics import NormalDist

import numpy as np

from anagnosis.array_types import Floats
from anagnosis.evaluation.differences import paired
from anagnosis.evaluation.differences.over_runs import covariance_of_means, over_runs
from anagnosis.evaluation.differences.ranked_pairs import corrected, every_pair, shown
from anagnosis.evaluation.intervals import Interval, estimate, mean_credits, of_f1s, wilson
from anagnosis.evaluation.measures.macro_f1 import counts, f1_by_label

Random = np.random.Generator
DRAWS = 999
DOCUMENTS = np.arange(600) // 2
SLOPE = 0.3989  # of the share of right answers, by a run's level, where half are right
LABELS = (0.55, 0.34, 0.11)  # PubMedQA's


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=2000)
    rounds = parser.parse_args().rounds
    print("| interval | of | % of the samples |\n| --- | --- | --- |")
    for right in (0.5, 0.9):
        exact = [share(right, size) for size in (10, 30, 100, 300)]
        print(f"| Wilson, {right:.0%} right, exact | 10 / 30 / 100 / 300 | {cells(exact)} |")
    for name, (sizes, draw) in COVERAGES.items():
        held = [covered(rounds, size, draw) for size in sizes]
        print(f"| {name} | {cells(sizes)} | {cells(held)} |", flush=True)
    print("\n| equal recipes, runs | scatter | swaps | decides |\n| --- | --- | --- | --- |")
    for runs, scatters, folds in DESIGNS:
        rates = [false_differences(rounds, runs, scatter, folds=folds) for scatter in scatters]
        told = [" and ".join(map(str, dict.fromkeys(each))) for each in scatters]
        of = f"{runs[0]} and {runs[1]}{' folds' if folds else ''}"
        print(
            f"| {of} | {cells(told)} | {cells([a for a, _ in rates])} | {cells([b for _, b in rates])} |",
            flush=True,
        )
    sizes = (2, 3, 8)
    print(
        f"\nRankings of {cells(sizes)} equal systems: {cells([rankings(rounds // 2, size) for size in sizes])} % err"
    )


def cells(values: Sequence[object]) -> str:
    return " / ".join(f"{each:.1f}" if isinstance(each, float) else str(each) for each in values)


# --- intervals --------------------------------------------------------------------------------------

Draw = Callable[[Random, int], tuple[Interval | None, float]]  # how many units → (interval, the truth)


def covered(rounds: int, size: int, draw: Draw) -> float:
    """How many per cent of the intervals of samples of a size hold the truth."""
    random = np.random.default_rng(size)
    held = [
        found.low <= truth <= found.high
        for found, truth in (draw(random, size) for _ in range(rounds))
        if found is not None
    ]
    return 100 * float(np.mean(held))


def share(right: float, size: int) -> float:
    """The exact coverage of Wilson's interval of a share, in per cent."""
    held = [wilson(k / size, size) for k in range(size + 1)]
    chances = [math.comb(size, k) * right**k * (1 - right) ** (size - k) for k in range(size + 1)]
    return 100 * sum(
        chance for chance, own in zip(chances, held, strict=True) if own.low <= right <= own.high
    )


def tied(random: Random, size: int) -> tuple[Interval | None, float]:
    """Credit of 0, 1/4, 1/3, 1/2 or 1, each as often."""
    values = np.array([0, 1 / 4, 1 / 3, 1 / 2, 1])
    return estimate(random.choice(values, size)).interval, float(values.mean())


def by_document(right: float) -> Draw:
    """Documents of three questions."""

    def draw(random: Random, size: int) -> tuple[Interval | None, float]:
        of = np.repeat(np.arange(size), 3)
        found = effect(random, of, 1.0) < NormalDist().inv_cdf(right)
        return estimate(found.astype(np.float64), of).interval, right

    return draw


def macro_f1(random: Random, size: int) -> tuple[Interval | None, float]:
    """Three labels; the answer is right in 70 %, else a label at random."""
    interval, _ = _macro_f1(random, size)
    return interval, _TRUE_F1


def _macro_f1(random: Random, size: int) -> tuple[Interval | None, float]:
    truth = random.choice(3, size, p=LABELS)
    answers = np.where(random.random(size) < 0.7, truth, random.choice(3, size, p=LABELS))
    rows = counts(truth, answers, 3)
    value = float(f1_by_label(rows.sum(0))[0].mean())
    right, answered, both = np.split(rows, 3, axis=1)
    return of_f1s(value, both[None], (right + answered - both)[None]), value


def difference(random: Random, size: int) -> tuple[Interval | None, float]:
    """Of two systems that are equally good, by documents of two questions."""
    of = np.repeat(np.arange(size), 2)
    common = effect(random, of, 0.5)
    first, second = ((common + effect(random, of, 0.5) > 0).astype(np.float64) for _ in range(2))
    return paired.bootstrap(first, second, of, draws=DRAWS, seed=int(random.integers(1 << 30))), 0.0


_TRUE_F1 = _macro_f1(np.random.default_rng(0), 2_000_000)[1]
COVERAGES: dict[str, tuple[tuple[int, ...], Draw]] = {
    "Wilson, tied credit": ((10, 30, 100, 300), tied),
    "Wilson by document, half right": ((10, 30, 100), by_document(0.5)),
    "Wilson by document, 90 % right": ((10, 30, 100), by_document(0.9)),
    "macro-F1 of three labels": ((30, 100, 500), macro_f1),
    "difference, bootstrap by document": ((20, 50, 300), difference),
}


# --- tests ------------------------------------------------------------------------------------------

Scatter = tuple[float, float]
DESIGNS: tuple[tuple[tuple[int, int], tuple[Scatter, ...], bool], ...] = (
    ((2, 2), ((0, 0), (2, 2), (8, 8), (0, 8)), False),
    ((2, 5), ((0, 8), (8, 0)), False),
    ((3, 3), ((0, 0), (2, 2), (8, 8), (0, 8)), False),
    ((1, 3), ((0, 0), (2, 2), (8, 8)), False),
    ((3, 10), ((0, 4), (8, 0)), False),
    ((10, 10), ((0, 0), (8, 8), (0, 8)), True),
)


def effect(random: Random, of: np.ndarray, variance: float) -> Floats:
    """float64 [questions], half of its variance in common within a document."""
    alone, common = random.standard_normal(len(of)), random.standard_normal(int(of[-1]) + 1)
    return math.sqrt(variance / 2) * (alone + common[of])


def recipes(random: Random, runs: Sequence[int], scatter: Sequence[float], common: float) -> list[Floats]:
    """Credits of equal recipes, float64 [runs, questions]. common: share of the levels' variance that runs share."""
    difficulty = effect(random, DOCUMENTS, 0.5)
    found: list[Floats] = []
    for count, deviation in zip(runs, scatter, strict=True):
        levels = math.sqrt(common) * random.standard_normal() + math.sqrt(
            1 - common
        ) * random.standard_normal(count)
        of_recipe = difficulty + effect(random, DOCUMENTS, 0.2)
        scores = [
            level * deviation / 100 / SLOPE + of_recipe + effect(random, DOCUMENTS, 0.3) for level in levels
        ]
        found.append((np.array(scores) > 0).astype(np.float64))
    return found


def false_differences(
    rounds: int, runs: tuple[int, int], scatter: Scatter, *, folds: bool
) -> tuple[float, float]:
    """How many per cent are called different: by the swaps of these runs, and by what decides."""
    random = np.random.default_rng(1)
    wrong = np.zeros(2)
    for _ in range(rounds):
        first, second = recipes(random, runs, scatter, 0.1 if folds else 0.0)
        test = paired.randomisation(mean_credits(first), mean_credits(second), DOCUMENTS, draws=DRAWS, seed=1)
        covariance = covariance_of_means(np.vstack([first, second]), DOCUMENTS)
        over = over_runs(
            first.mean(1), second.mean(1), covariance, len(np.unique(DOCUMENTS)), folds=(folds, folds)
        )
        decides = max(test.two_tailed, 0.0 if over is None else over.p)
        wrong += np.array([test.two_tailed, decides]) <= paired.ALPHA
    swaps, decided = (100 * wrong / rounds).tolist()
    return swaps, decided


def rankings(rounds: int, systems: int) -> float:
    """How many per cent of the rankings of equal systems of one run call a shown pair different."""
    random = np.random.default_rng(systems)
    wrong = 0
    for _ in range(rounds):
        common = random.random(400) < 0.5
        own = [
            np.where(random.random(400) < 0.4, random.random(400) < 0.5, common).astype(np.float64)
            for _ in range(systems)
        ]
        own.sort(key=lambda credits: -credits.sum())
        p = {
            (i, j): paired.randomisation(
                own[i], own[j], draws=DRAWS * 20, seed=int(random.integers(1 << 30))
            ).two_tailed
            for i, j in every_pair(systems)
        }
        holm = corrected(p)
        wrong += min(holm[pair] for pair in shown(systems)) <= paired.ALPHA
    return 100 * wrong / rounds


if __name__ == "__main__":
    main()
