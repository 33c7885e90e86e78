"""Is one engine better than another on the same queries? Every system beside the best and beside the next.

The values of a query are swapped between two systems (approximate randomisation, `evaluation/differences/paired.py`;
Smucker, Allan and Carterette, CIKM 2007, find it as good as the t-test for retrieval). The two-tailed p-value decides,
corrected by Holm for all pairs of that measure's ranking, since the ranking chooses which are shown
(`ranked_pairs.py`). What is not shown to differ is tied.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from anagnosis.array_types import Floats
from anagnosis.evaluation.differences import ranked_pairs
from anagnosis.evaluation.differences.paired import Randomisation, bootstrap, randomisation
from anagnosis.evaluation.differences.power import Detectable, detectable_between
from anagnosis.evaluation.differences.ranked_pairs import RankedPairs
from anagnosis.evaluation.intervals import Interval

Verdict = Literal["better", "tied", "identical"]


@dataclass(frozen=True, slots=True)
class Pair:
    """A better-ranked system beside a worse-ranked one.

    difference: of their means, >= 0; interval: by bootstrap over queries. ahead, behind: queries for which the first is
    better, and worse. p_two_tailed: of the randomisation, exact where possible; holm: corrected; it decides.
    """

    first: str
    second: str
    difference: float
    interval: Interval
    ahead: int
    behind: int
    swaps: Randomisation
    p_two_tailed: float
    holm: float
    detectable: Detectable
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Comparison(RankedPairs[Pair]):
    """ranking: names from best to worst. family: the pairs of the ranking, all corrected for. differences: the first
    system beside each other one, then each beside the one ranked below it; every pair once.
    """

    ranking: tuple[str, ...]
    alpha: float
    family: int
    differences: tuple[Pair, ...]


def compare(
    names: Sequence[str], values: Sequence[Floats], *, seed: int, draws: int, alpha: float
) -> Comparison:
    """values: of one measure, float64 [queries] for each of two or more systems. Equal means keep their order."""
    means = [math.fsum(own.tolist()) / len(own) for own in values]
    order = sorted(range(len(names)), key=lambda place: -means[place])
    names, values = [names[place] for place in order], [values[place] for place in order]
    means = [means[place] for place in order]

    def swapped(i: int, j: int) -> Randomisation:
        return randomisation(values[i], values[j], draws=draws, seed=seed)

    swaps = ranked_pairs.of_every_pair(len(names), swapped)
    holm = ranked_pairs.corrected({pair: own.p_two_tailed for pair, own in swaps.items()})
    pairs = {
        (i, j): Pair(
            first=names[i],
            second=names[j],
            difference=means[i] - means[j],
            interval=bootstrap(values[i], values[j], draws=draws, seed=seed),
            ahead=int((values[i] > values[j]).sum()),
            behind=int((values[i] < values[j]).sum()),
            swaps=swaps[i, j],
            p_two_tailed=swaps[i, j].p_two_tailed,
            holm=holm[i, j],
            detectable=detectable_between(values[i], values[j], alpha=alpha),
            verdict=_verdict(swaps[i, j], holm[i, j], alpha),
        )
        for i, j in ranked_pairs.shown(len(names))
    }
    return Comparison(
        ranking=tuple(names),
        alpha=alpha,
        family=len(swaps),
        differences=tuple(pairs[places] for places in ranked_pairs.shown(len(names))),
    )


def _verdict(swaps: Randomisation, corrected: float, alpha: float) -> Verdict:
    if not swaps.differing:
        return "identical"
    return "better" if corrected <= alpha else "tied"
