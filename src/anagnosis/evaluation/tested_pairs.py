"""Pairs of systems by one measure: each with its tests, its p-values corrected for the whole family, and a verdict.

Of two single runs the two-tailed randomisation decides, and what it shows holds for these two models. Where a system
has several runs, the larger p-value decides: of the randomisation with these runs, averaged within each instance first,
and of the test over runs and questions together (`over_runs.py`); what it shows holds for the recipes. The paper's
one-tailed value stands beside both. What is not shown to differ is called tied.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Generic, Literal

from anagnosis.evaluation.differences import ranked_pairs
from anagnosis.evaluation.differences.over_runs import OverRuns, larger_p
from anagnosis.evaluation.differences.paired import McNemar, Randomisation
from anagnosis.evaluation.differences.power import Detectable
from anagnosis.evaluation.differences.ranked_pairs import Key
from anagnosis.evaluation.intervals import Interval
from anagnosis.evaluation.pair_tests import Drawing, PairTests
from anagnosis.evaluation.systems import System

Verdict = Literal["better", "tied", "identical"]


@dataclass(frozen=True, slots=True)
class Pair:
    """A better-ranked system beside a worse-ranked one.

    difference: how much better the first is, >= 0; interval: by bootstrap over the comparison's unit.
    p_one_tailed, p_two_tailed: of these runs, by randomisation of that unit, exact where possible; the second may be
    Hoeffding's bound where there are too few draws for the family. over_runs: of the recipes, None for two single runs.
    models_alone: of two single runs, unless neither reader is trained. p: the larger of p_two_tailed and that of
    over_runs. holm…: corrected. mcnemar: by instance, None for shared credit, as of several runs. mcnemar, detectable:
    None for a measure that is no mean over instances. verdict: from holm.
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

    @property
    def between(self) -> str:
        """What tables and sentences call the pair."""
        return f"{self.first} over {self.second}"


@dataclass(frozen=True, slots=True)
class BetterPairs(Generic[Key]):
    """The pairs of a family of which the first system is better, corrected for all. by_verdict: by the larger p-value.

    by_these_runs: by the randomisation with these runs alone, which says nothing of other runs.
    """

    by_verdict: frozenset[Key]
    by_these_runs: frozenset[Key]


@dataclass(frozen=True, slots=True, eq=False)
class Contest:
    """Two systems on the same instances, the one with the better value first. places: of both in `tests`.

    values: of the measure. names: what the pair calls them.
    """

    names: tuple[str, str]
    values: tuple[float, float]
    systems: tuple[System, System]
    tests: PairTests
    drawing: Drawing
    places: tuple[int, int] = (0, 1)


def corrected_pairs(
    family: Mapping[Key, Contest], shown: Iterable[Key] | None = None
) -> tuple[dict[Key, Pair], BetterPairs[Key]]:
    """The pairs that are shown (default: all), corrected for the whole family, and the better pairs of all of it."""
    by_unit = {key: own.tests.randomisation(*own.places, own.drawing.clusters) for key, own in family.items()}
    over_runs = {key: own.tests.over_runs(*own.places) for key, own in family.items()}
    p_two_tailed = {key: test.p_two_tailed for key, test in by_unit.items()}
    for key, test in by_unit.items():
        own = family[key]
        if too_few_draws(test, len(family), own.drawing.alpha):
            p_two_tailed[key] = min(p_two_tailed[key], own.tests.bound(*own.places))
    p = {key: larger_p(own, over_runs[key]) for key, own in p_two_tailed.items()}
    holm = ranked_pairs.corrected(p)
    one_tailed = ranked_pairs.corrected({key: test.p_one_tailed for key, test in by_unit.items()})
    two_tailed = ranked_pairs.corrected(p_two_tailed)
    pairs: dict[Key, Pair] = {}
    for key in family if shown is None else shown:
        own, test = family[key], by_unit[key]
        tests, drawing, (i, j) = own.tests, own.drawing, own.places
        is_instance = drawing.clusters is None
        by_instance = test if is_instance else tests.randomisation(i, j, None)
        pairs[key] = Pair(
            first=own.names[0],
            second=own.names[1],
            difference=tests.sign * (own.values[0] - own.values[1]),
            interval=tests.interval(i, j),
            by_instance=by_instance,
            by_document=tests.randomisation(i, j, drawing.documents) if is_instance else test,
            mcnemar=tests.mcnemar(i, j),
            p_one_tailed=test.p_one_tailed,
            p_two_tailed=p_two_tailed[key],
            over_runs=over_runs[key],
            models_alone=over_runs[key] is None and not all(system.fixed for system in own.systems),
            p=p[key],
            holm_one_tailed=one_tailed[key],
            holm_two_tailed=two_tailed[key],
            holm=holm[key],
            detectable=tests.detectable(i, j),
            verdict=verdict_of(by_instance, holm[key], drawing.alpha),
        )
    better = BetterPairs(
        frozenset(key for key, own in family.items() if holm[key] <= own.drawing.alpha),
        frozenset(key for key, own in family.items() if two_tailed[key] <= own.drawing.alpha),
    )
    return pairs, better


def too_few_draws(test: Randomisation, family: int, alpha: float) -> bool:
    """Whether no drawn p could stand up to the correction for a family of pairs: then Hoeffding's bound may."""
    return test.exact_two_tailed is None and test.swapped and family / (test.draws + 1) > alpha


def verdict_of(test: Randomisation, p: float, alpha: float) -> Verdict:
    """test: by instance, which sees differences that cancel out inside a document."""
    if not test.differing:
        return "identical"
    return "better" if p <= alpha else "tied"
