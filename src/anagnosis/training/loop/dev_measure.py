"""The measure by which a training keeps weights, on the development part.

The value equals that of `anagnosis score` on the predictions of the same weights, by the usual protocol of the kind.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from anagnosis import registry
from anagnosis.datasets.gold import Gold
from anagnosis.datasets.kinds.question import RelevantItems
from anagnosis.datasets.kinds.table import named as kind_named
from anagnosis.errors import InputError, unknown_name
from anagnosis.evaluation.measures import GROUP, MEASURES
from anagnosis.evaluation.measures.measure import Measure, named
from anagnosis.evaluation.protocols import usual_protocol
from anagnosis.evaluation.run_measurements import measure_runs
from anagnosis.evaluation.scoring import scored_rows
from anagnosis.evaluation.systems import System
from anagnosis.predictions.annotators import Matching
from anagnosis.readers.learning import ACCURACY, EPOCHS, LOSS, AnswerSettings, Settings, ViewedSplit
from anagnosis.readers.predict import Result, prediction


class DevMeasure:
    """A measure of one part."""

    def __init__(self, measure: Measure, kind: str, part: ViewedSplit) -> None:
        self.measure, of, instances = measure, kind_named(kind), part.instances or part.viewed
        self._protocol = usual_protocol(of, measure)
        gold = Gold.of_instances(of, instances(), part.dataset, free=measure.free)
        relevant = None
        if measure.retrieved and of.relevant:
            each = tuple(map(of.relevant, instances()))
            relevant = partial(tuple[RelevantItems, ...], each)
        self._gold = replace(gold, relevant=relevant)
        self._rows = scored_rows(self._gold, free=measure.free)
        # Before the training: a measure may refuse the part.
        self.value([[]] * len(self._gold))

    def value(self, results: Sequence[Result | None]) -> float | None:
        """The measure's value; None where it has none. results: for all instances, in order; empty for unanswered."""
        gold = self._gold
        system = Matching(gold)
        asked = zip(gold.ids.between(0, len(gold)), gold.keys(np.arange(len(gold))), results, strict=True)
        for row, (ident, keys, result) in enumerate(asked):
            if result and (isinstance(result, RelevantItems) or not self.measure.retrieved):
                system.add(row, prediction(ident, result, keys), keys)
        run = System.alone(system.matched("dev", system.problems))
        found = measure_runs(gold, run, self.measure, self._protocol, self._rows)
        return float(found.values[0]) if found.has_value else None


def selecting_measure(config: Settings, where: str) -> Measure | None:
    """The measure to compute on the development part besides loss and accuracy; None if the recipe needs no other.

    InputError: `stop` names no rule and no measure, or one that does not judge this kind or compares word vectors.
    """
    rules = (ACCURACY, LOSS, EPOCHS)
    known = [*rules, *registry.known(MEASURES, GROUP)]
    if config.stop not in known:
        raise unknown_name("value of stop", config.stop, list(dict.fromkeys(known)))
    if config.stop == ACCURACY and isinstance(config, AnswerSettings):
        raise InputError("exact answers have no accuracy", where, "choose another value of stop: factoid_mrr")
    if config.stop in rules:
        return None
    measure = named(config.stop)
    measure.demand(config.kind, where)
    if measure.vectors:
        what = f"the measure {config.stop!r} compares word vectors, and judges no training"
        raise InputError(what, where, "choose another value of stop")
    return measure
