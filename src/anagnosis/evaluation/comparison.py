"""Several systems on the same instances: ranked, each tested against the next best and against the first.

As BIOMRC's Table 3 does, a system is compared with the one ranked below it. Holm's correction covers all pairs of the
ranking, since the ranking chooses which are shown (`ranked_pairs.py`). Of a pair of single runs the two-tailed
randomisation decides, and what it shows holds for these two models. Where a system has several runs, the larger
p-value decides: of the randomisation with these runs, averaged within each instance first, and of the test over runs
and questions together (`over_runs.py`); what it shows holds for the recipes. The paper's one-tailed value stands beside
both. What is not shown to differ is called tied. The same holds for every measure (`pair_tests.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb
from typing import Literal

from anagnosis.datasets.gold import Gold
from anagnosis.errors import InputError, unknown_name
from anagnosis.evaluation.classes import Majority, majority
from anagnosis.evaluation.differences import ranked_pairs
from anagnosis.evaluation.differences.over_runs import OverRuns, larger_p
from anagnosis.evaluation.differences.paired import DRAWS, McNemar, Randomisation
from anagnosis.evaluation.differences.power import ALPHA, Detectable
from anagnosis.evaluation.differences.ranked_pairs import RankedPairs
from anagnosis.evaluation.exact_sums import whole_numbers
from anagnosis.evaluation.intervals import Interval
from anagnosis.evaluation.measures.measure import named
from anagnosis.evaluation.pair_tests import Drawing, PairTests
from anagnosis.evaluation.protocols import demand_fit
from anagnosis.evaluation.run_measurements import Measured, RunMeasurements, demand_values, measure_runs
from anagnosis.evaluation.scoring import judged_rows, runs_setting, signature, signed_estimate
from anagnosis.evaluation.systems import System, distinct_names, problems_of
from anagnosis.predictions import Problem

UNITS = ("instance", "document")

Verdict = Literal["better", "tied", "identical"]


@dataclass(frozen=True, slots=True)
class Ranked:
    """A system in the ranking. rank: from 1; systems with the same value share it."""

    rank: int
    name: str
    estimate: Measured
    problems: dict[str, Problem]


@dataclass(frozen=True, slots=True)
class Pair:
    """A better-ranked system beside a worse-ranked one.

    difference: how much better the first is, >= 0; interval: by bootstrap over the comparison's unit.
    p_one_tailed, p_two_tailed: of these runs, by randomisation of that unit, exact where possible; the second may be
    Hoeffding's bound where there are too few draws for the ranking. over_runs: of the
    recipes, None for two single runs. models_alone: of two single runs, unless neither reader is trained. p: the larger
    of p_two_tailed and that of over_runs. holm…: corrected. mcnemar: by instance, None for shared credit, as of
    several runs. mcnemar, detectable: None for a measure that is no mean over instances. verdict: from holm.
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
    over_runs: OverRuns | None
    models_alone: bool
    p: float
    holm_one_tailed: float
    holm_two_tailed: float
    holm: float
    detectable: Detectable | None
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Comparison(RankedPairs[Pair]):
    """Systems of one view by one measure. unit: what is independent, "instance" or "document".

    family: the pairs of the ranking, all corrected for. differences: the first system beside each other one, then each
    beside the one ranked below it; every pair once. majority: the level beside them, which is not ranked or tested.
    """

    split: str
    view: str | None
    measure: str
    unit: str
    alpha: float
    family: int
    ranking: tuple[Ranked, ...]
    differences: tuple[Pair, ...]
    signature: str
    majority: Majority | None = None


@dataclass(frozen=True, slots=True, eq=False)
class EveryPair:
    """A comparison with the verdict on every pair of its ranking.

    order: of each place in the ranking, the place of its system among those that were compared. better: the pairs, as
    places in the ranking, of which the first system is better.
    """

    comparison: Comparison
    order: tuple[int, ...]
    better: frozenset[ranked_pairs.Places]

    def ranks(self, place: int) -> tuple[int, int]:
        """The best and the worst rank that the tests leave open to the system at a place of the ranking, from 1."""
        above = sum(other == place for _, other in self.better)
        below = sum(other == place for other, _ in self.better)
        return 1 + above, len(self.order) - below


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
    return compare_every_pair(
        gold,
        systems,
        protocol=protocol,
        unit=unit,
        seed=seed,
        measure=measure,
        draws=draws,
        alpha=alpha,
        view=view,
    ).comparison


def compare_every_pair(
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
) -> EveryPair:
    """The same, with the verdict on every pair."""
    if unit not in UNITS:
        raise unknown_name("unit", unit, UNITS)
    if len(systems) < 2:
        raise InputError("nothing to compare", "", "give two or more systems")
    rows = judged_rows(gold, named(measure))
    documents = gold.document[rows]
    clusters = documents if unit == "document" else None
    runs = [run for system in systems for run in system.runs]
    demand_fit(gold, runs, protocol, [named(measure)])
    measurements = [
        demand_values(measure_runs(gold, system, named(measure), protocol, rows), system.name)
        for system in systems
    ]
    ranked = _ranked(measurements)
    systems, measurements = (
        [systems[place] for _, place in ranked],
        [measurements[place] for _, place in ranked],
    )
    names = distinct_names(systems)
    settings = (("draws", str(draws)), ("unit", unit), ("alpha", str(alpha)), ("pairs", "all"))
    signed = str(
        signature(
            gold,
            n=measurements[0].n,
            protocol=protocol,
            measure=measure,
            view=view,
            seed=seed,
            settings=settings + runs_setting(systems),
        )
    )
    ranking = tuple(
        Ranked(
            rank,
            name,
            signed_estimate(gold, system, scores, protocol, clusters, view),
            problems_of(system, free=named(measure).free or named(measure).retrieved),
        )
        for (rank, _), name, system, scores in zip(ranked, names, systems, measurements, strict=True)
    )
    drawing = Drawing(documents, clusters, draws, seed, alpha)
    pairs, better = _pairs(ranking, systems, PairTests.of(systems, measurements, drawing), drawing)
    comparison = Comparison(
        split=gold.split,
        view=view,
        measure=measure,
        unit=unit,
        alpha=alpha,
        family=comb(len(systems), 2),
        ranking=ranking,
        differences=tuple(pairs[places] for places in ranked_pairs.shown(len(systems))),
        signature=signed,
        majority=None if named(measure).retrieved else majority(gold, rows),
    )
    return EveryPair(comparison, tuple(place for _, place in ranked), better)


def _pairs(
    ranking: Sequence[Ranked], systems: Sequence[System], tests: PairTests, drawing: Drawing
) -> tuple[dict[ranked_pairs.Places, Pair], frozenset[ranked_pairs.Places]]:
    """The pairs that a comparison shows, by their places in the ranking; corrected for all pairs of the ranking.

    Beside them all pairs of which the first system is better.
    """
    randomised = ranked_pairs.of_every_pair(
        len(systems), lambda i, j: tests.randomisation(i, j, drawing.clusters)
    )
    over_runs = ranked_pairs.of_every_pair(len(systems), tests.over_runs)
    p_two_tailed = {places: test.p_two_tailed for places, test in randomised.items()}
    for places, test in randomised.items():
        if too_few_draws(test, len(randomised), drawing.alpha):
            p_two_tailed[places] = min(p_two_tailed[places], tests.bound(*places))
    p = {places: larger_p(own, over_runs[places]) for places, own in p_two_tailed.items()}
    holm = ranked_pairs.corrected(p)
    one_tailed = ranked_pairs.corrected({places: test.p_one_tailed for places, test in randomised.items()})
    two_tailed = ranked_pairs.corrected(p_two_tailed)
    pairs: dict[ranked_pairs.Places, Pair] = {}
    for places in ranked_pairs.shown(len(systems)):
        i, j = places
        by_unit, is_instance = randomised[places], drawing.clusters is None
        by_instance = by_unit if is_instance else tests.randomisation(i, j, None)
        by_document = tests.randomisation(i, j, drawing.documents) if is_instance else by_unit
        pairs[places] = Pair(
            first=ranking[i].name,
            second=ranking[j].name,
            difference=tests.sign * (ranking[i].estimate.value - ranking[j].estimate.value),
            interval=tests.interval(i, j),
            by_instance=by_instance,
            by_document=by_document,
            mcnemar=tests.mcnemar(i, j),
            p_one_tailed=by_unit.p_one_tailed,
            p_two_tailed=p_two_tailed[places],
            over_runs=over_runs[places],
            models_alone=over_runs[places] is None and not (systems[i].fixed and systems[j].fixed),
            p=p[places],
            holm_one_tailed=one_tailed[places],
            holm_two_tailed=two_tailed[places],
            holm=holm[places],
            detectable=tests.detectable(i, j),
            verdict=_verdict(by_instance, holm[places], drawing.alpha),
        )
    better = frozenset(places for places, p_value in holm.items() if p_value <= drawing.alpha)
    return pairs, better


def too_few_draws(test: Randomisation, family: int, alpha: float) -> bool:
    """Whether no drawn p could stand up to the correction for a family of pairs: then Hoeffding's bound may."""
    return test.exact_two_tailed is None and test.swapped and family / (test.draws + 1) > alpha


def words(pair: Pair, alpha: float = ALPHA) -> str:
    """The verdict as a sentence, with what it holds for."""
    first, second, runs = pair.first, pair.second, pair.over_runs
    if pair.verdict == "identical":
        return f"{first} and {second} are tied: no question was answered better by either"
    if pair.verdict == "better" and runs is None:
        holds = ": these two models, not their recipes (one run each)" if pair.models_alone else ""
        return f"{first} is better than {second}{holds}"
    if runs is None:
        return f"{first} and {second} are tied: the difference may be chance"
    counted = " and ".join(f"{count} run{'s' if count > 1 else ''}" for count in runs.runs)
    if pair.verdict == "better":
        return f"{first} is better than {second}, over other runs and other questions ({counted})"
    shows = (
        "nothing" if runs.detectable is None else f"differences from {100 * runs.detectable:.1f} points on"
    )
    shows = f"{counted} that scatter so show {shows}"
    if pair.holm_two_tailed > alpha:
        return f"{first} and {second} are tied: the difference may be chance; {shows}"
    return (
        f"{first} and {second} are tied: these runs of {first} are better, but other runs may not be "
        f"(p {runs.p:.2g} over runs, {pair.holm:.2g} corrected); {shows}"
    )


def _ranked(measurements: Sequence[RunMeasurements]) -> list[tuple[int, int]]:
    """(rank from 1, place in the order given) of each system from best to worst, by whole numbers where it can be."""
    credits = [scores.mean for scores in measurements if scores.credits is not None]
    if len(credits) == len(measurements):
        totals = [float(whole.sum()) for whole in whole_numbers(*credits)[0]]
    else:
        totals = [round(float(scores.values.mean()), 12) for scores in measurements]
    if not measurements[0].measure.higher_is_better:
        totals = [-total for total in totals]
    ranks = [1 + sum(other > total for other in totals) for total in totals]
    return sorted(zip(ranks, range(len(ranks)), strict=True))


def _verdict(test: Randomisation, p: float, alpha: float) -> Verdict:
    """test: by instance, which sees differences that cancel out inside a document."""
    if not test.differing:
        return "identical"
    return "better" if p <= alpha else "tied"
