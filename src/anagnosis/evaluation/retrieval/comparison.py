"""Is one engine better than another on the same queries? Every system beside the best and beside the next.

The values of a query are swapped between two systems (approximate randomisation, `evaluation/paired.py`; Smucker,
Allan and Carterette, CIKM 2007, find it as good as the t-test for retrieval). The ranking chooses the pairs, so the
two-tailed p value decides, corrected by Holm for the pairs of that measure. What is not shown to differ is tied.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from anagnosis.evaluation.intervals import Interval
from anagnosis.evaluation.paired import Floats, Randomisation, bootstrap, holm, randomisation
from anagnosis.evaluation.power import Detectable, detectable_between

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
class Comparison:
    """ranking: names from best to worst. family: how many pairs Holm's correction is for."""

    ranking: tuple[str, ...]
    alpha: float
    family: int
    against_next: tuple[Pair, ...]
    against_first: tuple[Pair, ...]


def compare(
    names: Sequence[str], values: Sequence[Floats], *, seed: int, draws: int, alpha: float
) -> Comparison:
    """values: of one measure, float64 [queries] for each of two or more systems. Equal means keep their order."""
    means = [math.fsum(own.tolist()) / len(own) for own in values]
    order = sorted(range(len(names)), key=lambda place: -means[place])
    next_best = list(pairwise(order))
    first = [(order[0], place) for place in order[1:]]
    tested = list(dict.fromkeys([*next_best, *first]))
    swaps = [randomisation(values[i], values[j], draws=draws, seed=seed) for i, j in tested]
    p_values = [own.two_tailed if own.exact_two_tailed is None else own.exact_two_tailed for own in swaps]
    pairs = {
        (i, j): Pair(
            first=names[i],
            second=names[j],
            difference=means[i] - means[j],
            interval=bootstrap(values[i], values[j], draws=draws, seed=seed),
            ahead=int((values[i] > values[j]).sum()),
            behind=int((values[i] < values[j]).sum()),
            swaps=own,
            p_two_tailed=p,
            holm=corrected,
            detectable=detectable_between(values[i], values[j], alpha=alpha),
            verdict="identical" if not own.differing else "better" if corrected <= alpha else "tied",
        )
        for (i, j), own, p, corrected in zip(tested, swaps, p_values, holm(p_values), strict=True)
    }
    return Comparison(
        ranking=tuple(names[place] for place in order),
        alpha=alpha,
        family=len(tested),
        against_next=tuple(pairs[pair] for pair in next_best),
        against_first=tuple(pairs[pair] for pair in first),
    )
