"""Several systems on the same instances: ranked, each tested against the next best and against the first.

As BIOMRC's Table 3 does, a system is compared with the one ranked below it. Holm's correction covers all pairs of the
ranking, since the ranking chooses which are shown (`ranked_pairs.py`). Of a pair of single runs the two-tailed
randomisation decides, and what it shows holds for these two models. Where a system has several runs, the larger
p-value decides: of the randomisation with these runs, whose credits are averaged within each instance first, and of
the test over runs and questions together (`over_runs.py`); what it shows holds for the recipes. The paper's one-tailed
value stands beside both. What is not shown to differ is called tied.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from anagnosis.datasets.gold import Gold
from anagnosis.errors import InputError, unknown_name
from anagnosis.evaluation.classes import MacroDifference, Majority, macro_differences, majority
from anagnosis.evaluation.differences import ranked_pairs
from anagnosis.evaluation.differences.over_runs import OverRuns, covariance_of_means, larger_p, over_runs
from anagnosis.evaluation.differences.paired import (
    DRAWS,
    Codes,
    Floats,
    McNemar,
    Randomisation,
    bootstrap,
    mcnemar,
    randomisation,
)
from anagnosis.evaluation.differences.power import ALPHA, POWER, Detectable, detectable_between
from anagnosis.evaluation.exact_sums import mean_credits, whole_numbers
from anagnosis.evaluation.intervals import Estimate, Interval, estimate
from anagnosis.evaluation.scoring import credits_of_runs, runs_setting, scored_rows, signature
from anagnosis.evaluation.systems import Spread, System, distinct_names, problems_of, spread
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
    p_one_tailed, p_two_tailed: of these runs, by randomisation of that unit, exact where possible. over_runs: of the
    recipes, None for two single runs. models_alone: of two single runs, unless neither reader is trained. p: the larger
    of p_two_tailed and that of over_runs. holm…: corrected. mcnemar: by instance, None for shared credit, as of
    several runs. verdict: from holm.
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
    detectable: Detectable
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Comparison:
    """unit: what is independent, "instance" or "document". family: the pairs of the ranking, all corrected for.

    against_next: each system beside the one ranked below it. against_first: the first beside each other system.
    macro: macro-F1 of the same pairs, where all instances have the same labels; majority: the level beside them, which
    is not ranked or tested.
    """

    unit: str
    alpha: float
    family: int
    ranking: tuple[Ranked, ...]
    against_next: tuple[Pair, ...]
    against_first: tuple[Pair, ...]
    signature: str
    macro: tuple[MacroDifference, ...] = ()
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
    of_runs = [credits_of_runs(gold, system, protocol=protocol, measure=measure) for system in systems]
    documents = gold.document[scored_rows(gold)]
    ranks, order = _ranked([mean_credits(runs) for runs in of_runs])
    systems, of_runs = [systems[place] for place in order], [of_runs[place] for place in order]
    names, credits = distinct_names(systems), [mean_credits(runs) for runs in of_runs]
    ranking = tuple(
        Ranked(
            rank=ranks[place],
            name=name,
            estimate=estimate(own),
            by_document=estimate(own, documents),
            spread=spread(runs),
            problems=problems_of(system),
        )
        for place, name, system, own, runs in zip(order, names, systems, credits, of_runs, strict=True)
    )
    clusters = documents if unit == "document" else None
    tests = _Tests(systems, of_runs, credits, clusters, draws, seed, alpha)
    every = ranked_pairs.of_every_pair(len(systems), tests.between)
    holm_one, holm_two, holm = (
        ranked_pairs.corrected({pair: getattr(found, name) for pair, found in every.items()})
        for name in ("p_one_tailed", "p_two_tailed", "p")
    )

    def pair(i: int, j: int) -> Pair:
        found = every[i, j]
        by_instance, by_document = (
            found.swaps
            if unit == each
            else randomisation(credits[i], credits[j], codes, draws=draws, seed=seed)
            for each, codes in (("instance", None), ("document", documents))
        )
        return Pair(
            first=names[i],
            second=names[j],
            difference=ranking[i].estimate.value - ranking[j].estimate.value,
            interval=bootstrap(credits[i], credits[j], clusters, draws=draws, seed=seed),
            by_instance=by_instance,
            by_document=by_document,
            mcnemar=mcnemar(credits[i], credits[j]),
            p_one_tailed=found.p_one_tailed,
            p_two_tailed=found.p_two_tailed,
            over_runs=found.over_runs,
            models_alone=found.over_runs is None and not (systems[i].fixed and systems[j].fixed),
            p=found.p,
            holm_one_tailed=holm_one[i, j],
            holm_two_tailed=holm_two[i, j],
            holm=holm[i, j],
            detectable=detectable_between(credits[i], credits[j], clusters, alpha=alpha, power=POWER),
            verdict=_verdict(by_instance, holm[i, j], alpha),
        )

    pairs = {places: pair(*places) for places in ranked_pairs.shown(len(systems))}
    settings = (("draws", str(draws)), ("unit", unit), ("alpha", str(alpha)), ("pairs", "all"))
    settings += runs_setting(systems)
    signed = signature(
        gold, n=len(documents), protocol=protocol, measure=measure, view=view, seed=seed, settings=settings
    )
    return Comparison(
        unit=unit,
        alpha=alpha,
        family=len(every),
        ranking=ranking,
        against_next=tuple(pairs[places] for places in ranked_pairs.next_best(len(systems))),
        against_first=tuple(pairs[places] for places in ranked_pairs.beside_first(len(systems))),
        signature=str(signed),
        macro=macro_differences(gold, systems, names, scored_rows(gold), protocol, draws=draws, seed=seed)
        if gold.labels
        else (),
        majority=majority(gold, scored_rows(gold)),
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


def _ranked(credits: Sequence[Floats]) -> tuple[list[int], list[int]]:
    """(rank of each system, from 1; the systems from best to worst), by whole numbers, equals in the order given."""
    totals = [int(whole.sum()) for whole in whole_numbers(*credits)[0]]
    ranks = [1 + sum(other > total for other in totals) for total in totals]
    return ranks, sorted(range(len(ranks)), key=ranks.__getitem__)


@dataclass(frozen=True, slots=True)
class _Tested:
    """The tests of a pair that are needed of all pairs, for the correction."""

    swaps: Randomisation
    over_runs: OverRuns | None

    @property
    def p_one_tailed(self) -> float:
        return self.swaps.p_one_tailed

    @property
    def p_two_tailed(self) -> float:
        return self.swaps.p_two_tailed

    @property
    def p(self) -> float:
        return larger_p(self.swaps.p_two_tailed, self.over_runs)


class _Tests:
    """Tests of ranked systems. of_runs: float64 [runs, n] each; credits: their means, [n]; clusters: as bootstrap's."""

    def __init__(
        self,
        systems: Sequence[System],
        of_runs: Sequence[Floats],
        credits: Sequence[Floats],
        clusters: Codes | None,
        draws: int,
        seed: int,
        alpha: float,
    ) -> None:
        self._folds = [system.folds for system in systems]
        self._fixed = [system.fixed for system in systems]
        self._credits, self._clusters = credits, clusters
        self._draws, self._seed, self._alpha = draws, seed, alpha
        self._values = [runs.mean(axis=1) for runs in of_runs]
        self._covariance = covariance_of_means(np.vstack(of_runs), clusters)
        self._units = len(credits[0]) if clusters is None else len(np.unique(clusters))
        ends = np.cumsum([len(runs) for runs in of_runs])
        self._rows = [np.arange(end - len(runs), end) for end, runs in zip(ends, of_runs, strict=True)]

    def between(self, i: int, j: int) -> _Tested:
        rows = np.concatenate([self._rows[i], self._rows[j]])
        return _Tested(
            randomisation(
                self._credits[i], self._credits[j], self._clusters, draws=self._draws, seed=self._seed
            ),
            over_runs(
                self._values[i],
                self._values[j],
                self._covariance[np.ix_(rows, rows)],
                self._units,
                folds=(self._folds[i], self._folds[j]),
                fixed=(self._fixed[i], self._fixed[j]),
                alpha=self._alpha,
            ),
        )


def _verdict(test: Randomisation, p: float, alpha: float) -> Verdict:
    """test: by instance, which sees differences that cancel out inside a document."""
    if not test.differing:
        return "identical"
    return "better" if p <= alpha else "tied"
