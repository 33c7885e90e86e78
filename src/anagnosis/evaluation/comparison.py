"""Several systems on the same instances: ranked, each tested against the next best and against the first.

As BIOMRC's Table 3 does, a system is compared with the one ranked below it; the pairs come from the ranking and
from nowhere else. Since they do, the two-tailed p value decides, corrected by Holm for all pairs that were tested;
the paper's one-tailed value stands beside it. What is not shown to differ is called tied. The credits of a system of
several runs are averaged within each instance first, and these averages are what is swapped and resampled.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from anagnosis.datasets.gold import Gold
from anagnosis.errors import InputError, unknown_name
from anagnosis.evaluation.classes import MacroDifference, macro_differences
from anagnosis.evaluation.intervals import Estimate, Interval, estimate
from anagnosis.evaluation.paired import (
    DRAWS,
    Codes,
    Floats,
    McNemar,
    Randomisation,
    bootstrap,
    holm,
    mcnemar,
    randomisation,
)
from anagnosis.evaluation.power import ALPHA, POWER, Detectable, detectable_between
from anagnosis.evaluation.scoring import credits_of, runs_setting, scored_rows, signature, spread_of
from anagnosis.evaluation.systems import Spread, System, distinct_names, problems_of
from anagnosis.evaluation.whole import whole_numbers
from anagnosis.predictions import Problem

UNITS = ("instance", "document")

Verdict = Literal["better", "tied", "identical"]


@dataclass(frozen=True, slots=True)
class Ranked:
    """A system in the ranking. rank: from 1; systems with the same credit share it."""

    rank: int
    name: str
    estimate: Estimate
    by_document: Estimate
    spread: Spread
    problems: dict[str, Problem]


@dataclass(frozen=True, slots=True)
class Pair:
    """A better-ranked system beside a worse-ranked one.

    difference: of their mean credits, >= 0; interval: by bootstrap over the comparison's unit.
    p_one_tailed, p_two_tailed: of the randomisation by that unit, exact where possible; holm_…: corrected.
    mcnemar: by instance, None for shared credit, as of several runs. verdict: from holm_two_tailed.
    """

    first: str
    second: str
    difference: float
    interval: Interval
    by_instance: Randomisation
    by_document: Randomisation
    mcnemar: McNemar | None
    p_one_tailed: float
    p_two_tailed: float
    holm_one_tailed: float
    holm_two_tailed: float
    detectable: Detectable
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Comparison:
    """unit: what is independent, "instance" or "document". family: how many pairs Holm's correction is for.

    against_next: each system beside the one ranked below it. against_first: the first beside each other system.
    macro: macro-F1 of the same pairs, where all instances have the same labels.
    """

    unit: str
    alpha: float
    family: int
    ranking: tuple[Ranked, ...]
    against_next: tuple[Pair, ...]
    against_first: tuple[Pair, ...]
    signature: str
    macro: tuple[MacroDifference, ...] = ()


def compare(
    gold: Gold,
    systems: Sequence[System],
    *,
    protocol: str,
    unit: str,
    seed: int,
    measure: str = "accuracy",
    draws: int = DRAWS,
    alpha: float = ALPHA,
    view: str | None = None,
) -> Comparison:
    """Two or more systems, in any order. unit: what is swapped and resampled as one."""
    if unit not in UNITS:
        raise unknown_name("unit", unit, UNITS)
    if len(systems) < 2:
        raise InputError("nothing to compare", "", "give two or more systems")
    credits = [credits_of(gold, system, protocol=protocol, measure=measure) for system in systems]
    spreads = [spread_of(gold, system, protocol=protocol, measure=measure) for system in systems]
    documents = gold.document[scored_rows(gold)]
    ranks, order = _ranked(credits)
    names = distinct_names([systems[place] for place in order])
    credits = [credits[place] for place in order]
    ranking = tuple(
        Ranked(
            rank=ranks[place],
            name=name,
            estimate=estimate(own),
            by_document=estimate(own, documents),
            spread=spreads[place],
            problems=problems_of(systems[place]),
        )
        for place, name, own in zip(order, names, credits, strict=True)
    )
    next_best = [(place, place + 1) for place in range(len(order) - 1)]
    first = [(0, place) for place in range(1, len(order))]
    tested = list(dict.fromkeys([*next_best, *first]))
    results = [_randomised(credits[i], credits[j], documents, unit, draws, seed) for i, j in tested]
    holm_one, holm_two = (
        holm([each.one_tailed for each in results]),
        holm([each.two_tailed for each in results]),
    )
    clusters = documents if unit == "document" else None
    pairs = {
        (i, j): Pair(
            first=names[i],
            second=names[j],
            difference=ranking[i].estimate.value - ranking[j].estimate.value,
            interval=bootstrap(credits[i], credits[j], clusters, draws=draws, seed=seed),
            by_instance=swaps.by_instance,
            by_document=swaps.by_document,
            mcnemar=mcnemar(credits[i], credits[j]),
            p_one_tailed=swaps.one_tailed,
            p_two_tailed=swaps.two_tailed,
            holm_one_tailed=one_tailed,
            holm_two_tailed=two_tailed,
            detectable=detectable_between(credits[i], credits[j], clusters, alpha=alpha, power=POWER),
            verdict=_verdict(swaps.by_instance, two_tailed, alpha),
        )
        for (i, j), swaps, one_tailed, two_tailed in zip(tested, results, holm_one, holm_two, strict=True)
    }
    runs = runs_setting([systems[place] for place in order])
    settings = (("draws", str(draws)), ("unit", unit), ("alpha", str(alpha)), *runs)
    signed = signature(
        gold, n=len(documents), protocol=protocol, measure=measure, view=view, seed=seed, settings=settings
    )
    return Comparison(
        unit=unit,
        alpha=alpha,
        family=len(tested),
        ranking=ranking,
        against_next=tuple(pairs[pair] for pair in next_best),
        against_first=tuple(pairs[pair] for pair in first),
        signature=str(signed),
        macro=macro_differences(
            gold,
            [systems[place] for place in order],
            names,
            tested,
            scored_rows(gold),
            protocol,
            draws=draws,
            seed=seed,
        )
        if gold.labels
        else (),
    )


def words(pair: Pair) -> str:
    """The verdict as a sentence."""
    return _WORDS[pair.verdict].format(first=pair.first, second=pair.second)


_WORDS: dict[Verdict, str] = {
    "better": "{first} is better than {second}",
    "tied": "{first} and {second} are tied: the difference may be chance",
    "identical": "{first} and {second} are tied: no question was answered better by either",
}


def _ranked(credits: Sequence[Floats]) -> tuple[list[int], list[int]]:
    """(rank of each system, from 1; the systems from best to worst), by whole numbers, equals in the order given."""
    totals = [int(whole.sum()) for whole in whole_numbers(*credits)[0]]
    ranks = [1 + sum(other > total for other in totals) for total in totals]
    return ranks, sorted(range(len(ranks)), key=ranks.__getitem__)


@dataclass(frozen=True, slots=True)
class _Randomised:
    """Both randomisations of a pair, and the p values of the one that counts, exact where possible."""

    by_instance: Randomisation
    by_document: Randomisation
    one_tailed: float
    two_tailed: float


def _randomised(
    first: Floats, second: Floats, documents: Codes, unit: str, draws: int, seed: int
) -> _Randomised:
    by_instance = randomisation(first, second, draws=draws, seed=seed)
    by_document = randomisation(first, second, documents, draws=draws, seed=seed)
    test = by_document if unit == "document" else by_instance
    if test.exact_one_tailed is None or test.exact_two_tailed is None:
        return _Randomised(by_instance, by_document, test.one_tailed, test.two_tailed)
    return _Randomised(by_instance, by_document, test.exact_one_tailed, test.exact_two_tailed)


def _verdict(test: Randomisation, p: float, alpha: float) -> Verdict:
    """test: by instance, which sees differences that cancel out inside a document."""
    if not test.differing:
        return "identical"
    return "better" if p <= alpha else "tied"
