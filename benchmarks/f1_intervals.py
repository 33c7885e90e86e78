"""How often do the intervals of a mean F1 hold the true mean: Wilson's with the effective size, and the bootstrap's?

    python benchmarks/f1_intervals.py

Simulated F1 of questions, those of a document alike: shares of zeros and ones, the rest between .2 and .8.
"""

from __future__ import annotations

import numpy as np
from scipy.stats import norm

from anagnosis.array_types import Floats
from anagnosis.evaluation.intervals import estimate, percentiles

# Documents, questions of each, share of zeros, share of ones.
CASES = (
    (10, 3, 0.6, 0.1),
    (30, 3, 0.6, 0.1),
    (100, 3, 0.6, 0.1),
    (30, 3, 0.95, 0.01),
    (100, 5, 0.95, 0.01),
    (30, 3, 0.2, 0.5),
)
ROUNDS, DRAWS = 800, 1000


def main() -> None:
    rng = np.random.default_rng(1)
    for documents, size, zeros, ones in CASES:
        true = float(np.mean(_drawn(rng, 1_000_000, 1, zeros, ones)))
        of = np.repeat(np.arange(documents), size)
        covered = np.zeros(2)
        for _ in range(ROUNDS):
            values = _drawn(rng, documents, size, zeros, ones)
            wilson = estimate(values, of).interval
            times = rng.multinomial(documents, np.full(documents, 1 / documents), DRAWS)
            means = times @ values.reshape(documents, size).mean(1) / documents
            drawn = percentiles(means, 0.95, "bootstrap")
            covered += [each.low <= true <= each.high for each in (wilson, drawn)]
        shares = 100 * covered / ROUNDS
        print(
            f"{documents} documents of {size}, mean {true:.3f}: Wilson {shares[0]:.1f} %, bootstrap {shares[1]:.1f} %"
        )


def _drawn(rng: np.random.Generator, documents: int, size: int, zeros: float, ones: float) -> Floats:
    """float64 [documents · size]."""
    alike = np.repeat(rng.normal(0, 0.8, documents), size)
    place = norm.cdf((rng.normal(0, 1, documents * size) + alike) / np.sqrt(1 + 0.8**2))
    inner = np.round((0.2 + 0.6 * np.clip((place - zeros) / (1 - zeros - ones), 0, 1)) * 6) / 6
    return np.where(place < zeros, 0.0, np.where(place > 1 - ones, 1.0, inner))


if __name__ == "__main__":
    main()
