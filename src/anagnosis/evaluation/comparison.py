"""Several systems on the same instances: ranked, each tested against the next best and against the first.

As BIOMRC's Table 3 does, a system is compared with the one ranked below it. Holm's correction covers all pairs of the
ranking, since the ranking chooses which are shown (`ranked_pairs.py`). Which p-value decides is in `tested_pairs.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import comb

from anagnosis.array_types import Longs
from anagnosis.datasets.gold import Gold
from anagnosis.errors import InputError, unknown_name
from anagnosis.evaluation.differences.paired import ALPHA, DRAWS
from anagnosis.evaluation.differences.ranked_pairs import RankedPairs
from anagnosis.evaluation.intervals import Estimate
from anagnosis.evaluation.measures.measure import named
from anagnosis.evaluation.protocols import demand_fit, people_protocol
from anagnosis.evaluation.run_measurements import RunMeasurements, demand_values, measure_runs
from anagnosis.evaluation.scoring import judged_rows, runs_setting, signature, signed_estimate
from anagnosis.evaluation.systems import System, distinct_names, problems_of
from anagnosis.evaluation.tested_pairs import Drawing, Pair, tested_pairs
from anagnosis.predictions import Problem
from anagnosis.wording import counted

UNITS = ("instance", "document")


@dataclass(frozen=True, slots=True)
class Ranked:
    """A system in the ranking. rank: from 1; systems with the same value share it. place: among those compared, from 0.

    ranks: the best and the worst that the tests of all pairs leave open.
    """

    rank: int
    name: str
    estimate: Estimate
    problems: dict[str, Problem]
    place: int
    ranks: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Comparison(RankedPairs[Pair]):
    """Systems of one view by one measure. unit: what is independent, "instance" or "document".

    family: the pairs of the ranking, all corrected for; draws: of each test. differences: the first system beside each
    other one, then each beside the one ranked below it; every pair once.
    """

    split: str
    view: str | None
    measure: str
    unit: str
    alpha: float
    family: int
    draws: int
    ranking: tuple[Ranked, ...]
    differences: tuple[Pair, ...]
    signature: str


def compare_every_pair(
    gold: Gold,
    systems: Sequence[System],
    *,
    protocol: str,
    unit: str,
    seed: int,
    measure: str = "accuracy",
    draws: int = DRAWS,
    view: str | None = None,
    asked: Longs | None = None,
    settings: tuple[tuple[str, str], ...] = (),
) -> Comparison:
    """Two or more systems, in any order. unit: what is swapped and resampled as one.

    asked: int64, the instances that count (default: all that the measure judges). settings: that the signature names.
    """
    if unit not in UNITS:
        raise unknown_name("unit", unit, UNITS)
    if len(systems) < 2:
        raise InputError("nothing to compare", "", "give two or more systems")
    rows = judged_rows(gold, named(measure)) if asked is None else asked
    documents = gold.document[rows]
    clusters = documents if unit == "document" else None
    measurements: list[RunMeasurements] = []
    for system in systems:
        own = protocol_for(system, gold, protocol)
        demand_fit(gold, system.runs, own, [named(measure)], asked=asked, people=system.people)
        measured = measure_runs(gold, system, named(measure), own, rows)
        measurements.append(demand_values(measured, system.name))
    ranked = _ranked(measurements)
    measurements = [measurements[place] for _, place in ranked]
    systems = [systems[place] for _, place in ranked]
    named_apart = zip(systems, distinct_names(systems), strict=True)
    systems = [replace(system, name=name) for system, name in named_apart]
    tests = (("draws", str(draws)), ("unit", unit), ("alpha", str(ALPHA)), ("pairs", "all"))
    signed = str(
        signature(
            gold,
            n=measurements[0].n,
            protocol=protocol,
            measure=measure,
            view=view,
            seed=seed,
            settings=(*tests, *runs_setting(systems), *settings),
        )
    )
    estimates = [
        signed_estimate(gold, system, scores, protocol_for(system, gold, protocol), clusters, view)
        for system, scores in zip(systems, measurements, strict=True)
    ]
    values = [own.value for own in estimates]
    differences, better = tested_pairs(
        systems, measurements, values, Drawing(documents, clusters, draws, seed)
    )
    free = named(measure).free or named(measure).retrieved
    ranking = tuple(
        Ranked(
            rank,
            system.name,
            estimate,
            problems_of(system, free=free, decides=bool(gold.labels)),
            place,
            (1 + sum(worse == at for _, worse in better), len(systems) - sum(own == at for own, _ in better)),
        )
        for at, ((rank, place), system, estimate) in enumerate(zip(ranked, systems, estimates, strict=True))
    )
    return Comparison(
        split=gold.split,
        view=view,
        measure=measure,
        unit=unit,
        alpha=ALPHA,
        family=comb(len(systems), 2),
        draws=draws,
        ranking=ranking,
        differences=differences,
        signature=signed,
    )


def protocol_for(system: System, gold: Gold, protocol: str) -> str:
    """People are taken by their answers."""
    return people_protocol(gold, protocol) if system.people else protocol


def words(pair: Pair, comparison: Comparison) -> str:
    """The verdict as a sentence, with what it holds for: other runs, or other people of a group."""
    first, second, runs = pair.first, pair.second, pair.over_runs
    if pair.verdict == "identical":
        return f"{first} and {second} do not differ: no instance was answered better by either"
    if pair.verdict == "better" and runs is None:
        alone = "these two models, not their recipes (no second run)"
        if any(pair.people):
            alone = "as they are; nothing is known of other people"
        return f"{first} is better than {second}" + (f": {alone}" if pair.models_alone else "")
    sides = [*zip(pair.people, runs.runs, strict=True)] if runs is not None else []
    varies = "people" if any(are_people and count > 1 for are_people, count in sides) else "runs"
    if pair.verdict == "better":
        single = [own.name for own in comparison.ranking if not own.estimate.runs]
        each = " and ".join(
            "one untrained system"
            if name in single
            else f"{count} people"
            if people and count > 1
            else counted(count, "person" if people else "run")
            for name, (people, count) in zip((first, second), sides, strict=True)
        )
        unknown = "; nothing is known of other people" if any(pair.people) and varies == "runs" else ""
        return f"{first} is better than {second}, over other {varies} and other instances ({each}){unknown}"
    open_ = f"{first} and {second} are not shown to differ"
    if pair.holm_two_tailed <= comparison.alpha and runs is not None:
        open_ += (
            f": these {varies} of {first} are better, but other {varies} may not be "
            f"(p {runs.p:.2g} over {varies}, {pair.holm:.2g} corrected)"
        )
    return open_


def _ranked(measurements: Sequence[RunMeasurements]) -> list[tuple[int, int]]:
    """(rank from 1, place in the order given) of each system from best to worst."""
    totals = [round(float(scores.values.mean()), 12) for scores in measurements]
    ranks = [1 + sum(other > total for other in totals) for total in totals]
    return sorted(zip(ranks, range(len(ranks)), strict=True))
