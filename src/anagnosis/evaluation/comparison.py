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
from typing import Literal

from anagnosis.datasets.gold import Gold
from anagnosis.errors import InputError, unknown_name
from anagnosis.evaluation.classes import Majority, majority
from anagnosis.evaluation.differences import ranked_pairs
from anagnosis.evaluation.differences.over_runs import OverRuns, larger_p
from anagnosis.evaluation.differences.paired import DRAWS, McNemar, Randomisation
from anagnosis.evaluation.differences.power import ALPHA, Detectable
from anagnosis.evaluation.exact_sums import whole_numbers
from anagnosis.evaluation.intervals import Interval
from anagnosis.evaluation.judged import Judged, Measured, demand_values, judge
from anagnosis.evaluation.measures.measure import named
from anagnosis.evaluation.pair_tests import Drawing, PairTests
from anagnosis.evaluation.protocols import demand_fit
from anagnosis.evaluation.scoring import runs_setting, scored_rows, signature, signed_estimate
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
    p_one_tailed, p_two_tailed: of these runs, by randomisation of that unit, exact where possible. over_runs: of the
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
class Comparison:
    """Systems of one view by one measure. unit: what is independent, "instance" or "document".

    family: the pairs of the ranking, all corrected for. against_next: each system beside the one ranked below it.
    against_first: the first beside each other system. majority: the level beside them, which is not ranked or tested.
    """

    split: str
    view: str | None
    measure: str
    unit: str
    alpha: float
    family: int
    ranking: tuple[Ranked, ...]
    against_next: tuple[Pair, ...]
    against_first: tuple[Pair, ...]
    signature: str
    majority: Majority | None = None


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
    rows = scored_rows(gold)
    documents = gold.document[rows]
    clusters = documents if unit == "document" else None
    runs = [run for system in systems for run in system.runs]
    demand_fit(gold, runs, protocol, free=named(measure).free)
    judged = [
        demand_values(judge(gold, system, named(measure), protocol, rows), system.name) for system in systems
    ]
    ranks, order = _ranked(judged)
    systems, judged = [systems[place] for place in order], [judged[place] for place in order]
    names = distinct_names(systems)
    tests = PairTests.of(systems, judged, Drawing(documents, clusters, draws, seed, alpha))
    settings = (("draws", str(draws)), ("unit", unit), ("alpha", str(alpha)), ("pairs", "all"))
    settings += runs_setting(systems)
    signed = str(
        signature(
            gold,
            n=judged[0].n,
            protocol=protocol,
            measure=measure,
            view=view,
            seed=seed,
            settings=settings,
        )
    )
    ranking = tuple(
        Ranked(
            ranks[place],
            name,
            signed_estimate(gold, system, own, protocol, clusters, view),
            problems_of(system),
        )
        for place, name, system, own in zip(order, names, systems, judged, strict=True)
    )
    swaps = ranked_pairs.of_every_pair(len(systems), lambda i, j: tests.randomisation(i, j, clusters))
    over = ranked_pairs.of_every_pair(len(systems), tests.over_runs)
    p_values = {pair: larger_p(swaps[pair].p_two_tailed, over[pair]) for pair in swaps}
    holm = ranked_pairs.corrected(p_values)
    holm_one = ranked_pairs.corrected({pair: found.p_one_tailed for pair, found in swaps.items()})
    holm_two = ranked_pairs.corrected({pair: found.p_two_tailed for pair, found in swaps.items()})

    def pair(i: int, j: int) -> Pair:
        by_instance, by_document = (
            swaps[i, j] if unit == each else tests.randomisation(i, j, codes)
            for each, codes in (("instance", None), ("document", documents))
        )
        return Pair(
            first=names[i],
            second=names[j],
            difference=tests.sign * (ranking[i].estimate.value - ranking[j].estimate.value),
            interval=tests.interval(i, j),
            by_instance=by_instance,
            by_document=by_document,
            mcnemar=tests.mcnemar(i, j),
            p_one_tailed=swaps[i, j].p_one_tailed,
            p_two_tailed=swaps[i, j].p_two_tailed,
            over_runs=over[i, j],
            models_alone=over[i, j] is None and not (systems[i].fixed and systems[j].fixed),
            p=p_values[i, j],
            holm_one_tailed=holm_one[i, j],
            holm_two_tailed=holm_two[i, j],
            holm=holm[i, j],
            detectable=tests.detectable(i, j),
            verdict=_verdict(by_instance, holm[i, j], alpha),
        )

    pairs = {places: pair(*places) for places in ranked_pairs.shown(len(systems))}
    return Comparison(
        split=gold.split,
        view=view,
        measure=measure,
        unit=unit,
        alpha=alpha,
        family=len(swaps),
        ranking=ranking,
        against_next=tuple(pairs[places] for places in ranked_pairs.next_best(len(systems))),
        against_first=tuple(pairs[places] for places in ranked_pairs.beside_first(len(systems))),
        signature=signed,
        majority=majority(gold, rows),
    )


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


def _ranked(judged: Sequence[Judged]) -> tuple[list[int], list[int]]:
    """(rank of each system, from 1; the systems from best to worst), by whole numbers, equals in the order given."""
    credits = [own.mean for own in judged if own.credits is not None]
    if len(credits) == len(judged):
        totals = [float(whole.sum()) for whole in whole_numbers(*credits)[0]]
    else:
        totals = [round(float(own.values.mean()), 12) for own in judged]
    if not judged[0].measure.higher_is_better:
        totals = [-total for total in totals]
    ranks = [1 + sum(other > total for other in totals) for total in totals]
    return ranks, sorted(range(len(ranks)), key=ranks.__getitem__)


def _verdict(test: Randomisation, p: float, alpha: float) -> Verdict:
    """test: by instance, which sees differences that cancel out inside a document."""
    if not test.differing:
        return "identical"
    return "better" if p <= alpha else "tied"
