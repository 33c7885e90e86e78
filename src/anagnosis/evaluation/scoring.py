"""Score one system: its accuracy with intervals, taken apart, with all that did not fit and its signature."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from anagnosis.datasets.folder.fingerprint import short
from anagnosis.datasets.gold import Gold, Longs
from anagnosis.errors import InputError
from anagnosis.evaluation.breakdown import Breakdown, Factor, breakdown, factors
from anagnosis.evaluation.classes import Classes, classes
from anagnosis.evaluation.exact_sums import mean_credits
from anagnosis.evaluation.intervals import Estimate, Floats, estimate
from anagnosis.evaluation.measures.measure import named
from anagnosis.evaluation.probabilities.confidence import Confidence, confidence_of
from anagnosis.evaluation.protocols import demand_fit
from anagnosis.evaluation.signature import Signature
from anagnosis.evaluation.systems import Spread, System, problems_of, spread
from anagnosis.predictions import UNANSWERED, Problem


@dataclass(frozen=True, slots=True)
class Score:
    """What the predictions of one system or person are worth on a split.

    estimate: the mean credit with the interval that takes instances as independent; by_document: with the one
    that takes documents so. spread: of the runs, over which credits are averaged within each instance first.
    instances: those that count; withheld: those without a gold answer, which do not. unanswered: of those that
    count; tied: of them, those whose highest score is shared; both and the problems are of all runs together.
    classes: where all instances have the same labels. confidence: where the lines tell probabilities.
    """

    name: str
    annotator: str | None
    group: str | None
    spread: Spread
    measure: str
    protocol: str
    estimate: Estimate
    by_document: Estimate
    instances: int
    documents: int
    withheld: int
    unanswered: int
    tied: int
    breakdowns: tuple[Breakdown, ...]
    classes: Classes | None
    problems: dict[str, Problem]
    signature: str
    confidence: Confidence | None = None


def score(
    gold: Gold,
    system: System,
    *,
    protocol: str,
    measure: str = "accuracy",
    view: str | None = None,
    train: Gold | None = None,
    told: Sequence[Factor] = (),
) -> Score:
    """view: which text the system saw, for the signature. train: the train part, for the break-down by familiarity.

    told: further factors to take apart by, which the gold side does not know; of decisions with their macro-F1.
    """
    rows = scored_rows(gold)
    of_runs = credits_of_runs(gold, system, protocol=protocol, measure=measure)
    credits = mean_credits(of_runs)
    documents = gold.document[rows]
    tied = np.array([run.tied[rows] for run in system.runs])
    silent = np.array([run.choice[rows] == UNANSWERED for run in system.runs])
    if protocol == "expected":
        silent &= tied == 0
    # Of stray words it is not known in which group they stand, and each would count in all.
    with_macro = bool(gold.labels) and not any(run.strays for run in system.runs)

    def macro(own: Longs) -> tuple[Estimate, tuple[int, ...]]:
        found = classes(gold, system, own, protocol)
        support = tuple(each.support for each in found.scores)
        return Estimate(found.macro_f1, len(own), len(own), found.interval), support

    settings = runs_setting([system])
    return Score(
        name=system.name,
        annotator=system.runs[0].annotator,
        group=system.runs[0].group,
        spread=spread(of_runs),
        measure=measure,
        protocol=protocol,
        estimate=estimate(credits),
        by_document=estimate(credits, documents),
        instances=len(rows),
        documents=len(np.unique(documents)),
        withheld=len(gold) - len(rows),
        unanswered=int(silent.sum()),
        tied=int((tied > 1).sum()),
        breakdowns=(
            *(breakdown(factor, credits, rows) for factor in factors(gold, train)),
            *(breakdown(factor, credits, rows, macro if with_macro else None) for factor in told),
        ),
        classes=classes(gold, system, rows, protocol) if gold.labels else None,
        problems=problems_of(system),
        signature=str(
            signature(gold, n=len(rows), protocol=protocol, measure=measure, view=view, settings=settings)
        ),
        confidence=confidence_of(system, rows, of_runs, documents),
    )


def runs_setting(systems: Sequence[System]) -> tuple[tuple[str, str], ...]:
    """For a signature: how many runs each system has, and how many of them are folds; nothing where all have one."""
    counts = {
        "runs": [len(system.runs) for system in systems],
        "folds": [len(system.runs) if system.folds else 0 for system in systems],
    }
    least = {"runs": 1, "folds": 0}
    return tuple((name, ",".join(map(str, own))) for name, own in counts.items() if max(own) > least[name])


def scored_rows(gold: Gold) -> Longs:
    """The instances that have a gold answer; a split without any cannot be scored."""
    rows = np.flatnonzero(gold.answer >= 0)
    if not len(rows):
        raise InputError(
            "no gold answers to score against", f"{gold.dataset} {gold.split}", "name another split"
        )
    return rows


def signature(
    gold: Gold,
    *,
    n: int,
    protocol: str,
    measure: str = "accuracy",
    view: str | None = None,
    seed: int | None = None,
    settings: tuple[tuple[str, str], ...] = (),
) -> Signature:
    """The signature of a number over n instances of the split."""
    return Signature(
        dataset=gold.dataset,
        fingerprint=short(gold.fingerprint),
        split=gold.split,
        view=view,
        protocol=protocol,
        measure=measure,
        n=n,
        seed=seed,
        settings=settings,
    )


def credits_of_runs(gold: Gold, system: System, *, protocol: str, measure: str = "accuracy") -> Floats:
    """float64 [runs, m]: each run's credits of the instances that have a gold answer, in the order of `scored_rows`."""
    found = named(measure)
    rows = scored_rows(gold)
    for run in system.runs:
        demand_fit(gold, run, protocol)
    values = np.array([found.of_instances(gold, run, protocol)[rows] for run in system.runs])
    if np.isnan(values).any():
        raise InputError(
            f"the measure {measure!r} cannot judge every instance", system.name, "take another one"
        )
    return values
