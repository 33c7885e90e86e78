"""How often does a ranking of equal systems call any pair different? Rates with the simulation's own error.

    python benchmarks/multiple_comparisons.py [--rankings 4000]

Every ranking has k equal systems on 400 questions, half of them answered right: 60 % of the questions have one answer
for all systems, the others one for each. A ranking errs where any pair that it shows has a corrected p-value of .05 or
less. `all pairs` is the correction of `anagnosis.evaluation.differences.ranked_pairs`; `shown pairs`,
beside it, corrects for the 2k − 3 pairs that are shown alone. The table of design/evaluation.md is its output.
"""

from __future__ import annotations

import argparse
import math

import numpy as np

from anagnosis.evaluation.differences.paired import Floats, randomisation
from anagnosis.evaluation.differences.ranked_pairs import corrected, of_every_pair, shown

SYSTEMS = (2, 3, 5, 8, 11, 14, 17, 20)
QUESTIONS, OWN, ALPHA = 400, 0.4, 0.05


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rankings", type=int, default=4000)
    options = parser.parse_args()
    print(
        "| equal systems | all pairs (%) | shown pairs (%) | error of the simulation |\n| ---: | ---: | ---: | ---: |"
    )
    for systems in SYSTEMS:
        random = np.random.default_rng(systems)
        wrong = np.mean([errs(ranking(random, systems)) for _ in range(options.rankings)], axis=0)
        error = 100 * math.sqrt(ALPHA * (1 - ALPHA) / options.rankings)
        print(f"| {systems} | {100 * wrong[0]:.1f} | {100 * wrong[1]:.1f} | ±{error:.1f} |", flush=True)


def ranking(random: np.random.Generator, systems: int) -> list[Floats]:
    """Credits of equal systems, float64 [questions], best first."""
    common = random.random(QUESTIONS) < 0.5
    own = [
        np.where(random.random(QUESTIONS) < OWN, random.random(QUESTIONS) < 0.5, common).astype(np.float64)
        for _ in range(systems)
    ]
    return sorted(own, key=lambda credits: -credits.sum())


def errs(ranked: list[Floats]) -> tuple[bool, bool]:
    """Whether a shown pair is called different: corrected for all pairs, and for those that are shown."""

    def p_value(first: int, second: int) -> float:
        return randomisation(ranked[first], ranked[second], draws=1, seed=0).p_two_tailed  # exact

    every = of_every_pair(len(ranked), p_value)
    chosen = {pair: every[pair] for pair in shown(len(ranked))}
    of_all, of_shown = corrected(every), corrected(chosen)
    return min(of_all[pair] for pair in chosen) <= ALPHA, min(of_shown.values()) <= ALPHA


if __name__ == "__main__":
    main()
