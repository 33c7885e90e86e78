"""Score one system: its accuracy with intervals, taken apart, with all that did not fit and its signature."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from anagnosis import registry
from anagnosis.datasets.fingerprint import short
from anagnosis.datasets.gold import Gold, Longs
from anagnosis.errors import InputError
from anagnosis.evaluation.breakdown import Breakdown, breakdown, factors
from anagnosis.evaluation.intervals import Estimate, Floats, estimate
from anagnosis.evaluation.measures import MEASURES
from anagnosis.evaluation.signature import Signature
from anagnosis.predictions import UNANSWERED, Matched, Problem

GROUP = "anagnosis.measures"


@dataclass(frozen=True, slots=True)
class Score:
    """What the predictions of one system or person are worth on a split.

    estimate: the mean credit with the interval that takes instances as independent; by_document: with the one
    that takes documents so. instances: those that count; withheld: those without a gold answer, which do not.
    unanswered: of those that count; tied: of them, those whose highest score is shared.
    """

    name: str
    annotator: str | None
    group: str | None
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
    problems: dict[str, Problem]
    signature: str


def score(
    gold: Gold,
    matched: Matched,
    *,
    protocol: str,
    measure: str = "accuracy",
    view: str | None = None,
    train: Gold | None = None,
) -> Score:
    """view: which text the system saw, for the signature. train: the train part, for the break-down by familiarity."""
    rows = scored_rows(gold)
    credits = credits_of(gold, matched, protocol=protocol, measure=measure)
    documents = gold.document[rows]
    silent = matched.choice[rows] == UNANSWERED
    if protocol == "expected":
        silent &= matched.tied[rows] == 0
    return Score(
        name=matched.name,
        annotator=matched.annotator,
        group=matched.group,
        measure=measure,
        protocol=protocol,
        estimate=estimate(credits),
        by_document=estimate(credits, documents),
        instances=len(rows),
        documents=len(np.unique(documents)),
        withheld=len(gold) - len(rows),
        unanswered=int(silent.sum()),
        tied=int((matched.tied[rows] > 1).sum()),
        breakdowns=tuple(breakdown(factor, credits, rows) for factor in factors(gold, train)),
        problems=matched.problems,
        signature=str(signature(gold, n=len(rows), protocol=protocol, measure=measure, view=view)),
    )


def credits_of(gold: Gold, matched: Matched, *, protocol: str, measure: str = "accuracy") -> Floats:
    """float64 [m]: the credit of each instance that has a gold answer, in the order of `scored_rows`."""
    return registry.find(MEASURES, GROUP, measure, "measure")(gold, matched, protocol)[scored_rows(gold)]


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
