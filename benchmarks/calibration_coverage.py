"""How often does the interval of a calibration error hold the true error? And how often is calibration denied?

    python benchmarks/calibration_coverage.py [--samples 500]

Confidences are drawn, and an answer is right with the chance sigmoid(logit(confidence) / T): T = 1 is perfect
calibration. `clusters`: each question is answered by five models that are right together half of the time. The true
error is that of the same bins with these chances in place of answers. Printed are means of the binned error, of the
error by chance, of the true error and its debiased estimate, how often the interval holds the true error, how often the
percentiles of answers drawn anew do, and how often p is .05 or less. The table of design/evaluation.md is its output.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Iterator

import numpy as np

from anagnosis.array_types import Floats, Longs
from anagnosis.evaluation.probabilities import BINS, calibration

CASES: dict[str, Callable[[np.random.Generator, int], Floats]] = {
    "from .34 to 1": lambda random, n: random.uniform(0.34, 1, n),
    "near 1": lambda random, n: 1 - random.beta(1, 12, n),
    "near 0": lambda random, n: random.beta(1, 8, n),
}
TEMPERATURES = (1.0, 1.1, 1.3, 2.0)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--samples", type=int, default=500)
    samples = parser.parse_args().samples
    print(f"{samples} samples a row; error of a coverage of 95 %: ±{100 * math.sqrt(0.0475 / samples):.1f}\n")
    print(
        "| confidences | answers | T | binned | by chance | true | debiased | holds % | percentiles % | p ≤ .05 % |"
    )
    print("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    for name, drawn in CASES.items():
        for n, models in ((100, 1), (500, 1), (5000, 1), (500, 5)):
            for heat in TEMPERATURES:
                random = np.random.default_rng(n + models)
                rows = np.array([[*row(random, drawn, n, models, heat)] for _ in range(samples)])
                means = rows.mean(axis=0)
                told = " | ".join(f"{mean:.3f}" for mean in means[:4])
                rates = " | ".join(f"{100 * mean:.1f}" for mean in means[4:])
                answers = f"{n:,}" if models == 1 else f"{n:,}, clusters of {models}"
                print(f"| {name} | {answers} | {heat} | {told} | {rates} |", flush=True)


def row(
    random: np.random.Generator,
    drawn: Callable[[np.random.Generator, int], Floats],
    n: int,
    models: int,
    heat: float,
) -> Iterator[float]:
    questions = n // models
    said = np.clip(
        np.repeat(drawn(random, questions), models) + (models > 1) * random.normal(0, 0.02, n), 1e-6, 1 - 1e-6
    )
    units = np.repeat(np.arange(questions), models)
    chance = 1 / (1 + ((1 - said) / said) ** (1 / heat))
    common = random.random(n) < 0.5
    right = (np.where(common, random.random(questions)[units], random.random(n)) < chance).astype(np.float64)
    found = calibration(said, right, units)
    true, percentile = of_bins(random, said, right, chance, units)
    yield from (found.error, found.by_chance, true, found.debiased)
    yield found.interval.low - 1e-9 <= true <= found.interval.high + 1e-9
    yield percentile[0] <= true <= percentile[1]
    yield found.p <= 0.05


def of_bins(
    random: np.random.Generator, said: Floats, right: Floats, chance: Floats, units: Longs
) -> tuple[float, Floats]:
    """The true error of ten equal bins, and the percentiles of the binned error over units drawn anew."""
    place = np.empty(len(said), np.int64)
    place[np.argsort(said, kind="stable")] = np.arange(len(said)) * BINS // len(said)
    true = np.abs(np.bincount(place, said - chance)).sum() / len(said)
    sums = np.zeros((units.max() + 1, BINS))
    np.add.at(sums, (units, place), said - right)
    weights = random.multinomial(len(sums), np.full(len(sums), 1 / len(sums)), 200)
    return float(true), np.quantile(np.abs(weights @ sums).sum(1) / len(said), (0.025, 0.975))


if __name__ == "__main__":
    main()
