"""What a few people's answers say of a study that is to come: the expectations of `study_model.py`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations

import numpy as np

from anagnosis.datasets.gold import Gold
from anagnosis.errors import InputError
from anagnosis.evaluation.measures.measure import named
from anagnosis.evaluation.people.groups import asked_of, groups_of
from anagnosis.evaluation.people.kappas import kappas_of
from anagnosis.predictions import Matched

_LEAST = 2  # people of a group, who tell how people disagree


def expected_of(gold: Gold, people: Sequence[Matched], *, seed: int) -> dict[str, float]:
    """What the people of a pilot show: the fields of `Expected`, each the mean over groups of two people or more.

    The scatter is that of their values less what so few questions add to it, at least 0. People who disagree more often
    than independent ones are taken as independent. InputError: no such group.
    """
    groups = [group for group in groups_of(people) if len(group.people) >= _LEAST]
    asked = asked_of(people)
    rows = asked[gold.answer[asked] >= 0]
    if not groups or not len(rows):
        raise InputError(
            "a pilot needs a group of two people or more, and questions with a gold answer",
            ", ".join(person.name for person in people),
            "give more people, or expectations alone (--expect)",
        )
    accuracies, disagreements, scatters, kappas = list[float](), list[float](), list[float](), list[float]()
    for group in groups:
        credits = np.array(
            [named("accuracy").of_instances(gold, person, "answer")[rows] for person in group.people]
        )
        values = credits.mean(axis=1)
        pairs = [np.mean(np.abs(one - other)) for one, other in combinations(credits, 2)]
        disagreement = float(np.mean(pairs))
        accuracies.append(float(values.mean()))
        disagreements.append(disagreement)
        scatters.append(float(values.var(ddof=1)) - disagreement / 2 / len(rows))
        kappa = kappas_of(gold, group, rows, seed, 1)["own label"]
        if kappa is not None and kappa.mean is not None:
            kappas.append(kappa.mean.value)
    accuracy = float(np.mean(accuracies))
    return {
        "accuracy": accuracy,
        "disagreement": min(float(np.mean(disagreements)), 2 * accuracy * (1 - accuracy)),
        "scatter": math.sqrt(max(float(np.mean(scatters)), 0.0)),
        "kappa": float(np.mean(kappas)),
    }
