"""What a few people's answers say of a study that is to come: expectations of `study_model.py`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from anagnosis.datasets.gold import Gold
from anagnosis.errors import InputError
from anagnosis.evaluation.measures.measure import named
from anagnosis.evaluation.people.groups import groups_of
from anagnosis.predictions import Matched

_LEAST = 2  # people of a group, who tell how people disagree


@dataclass(frozen=True, slots=True)
class Pilot:
    """people: of the groups of two or more, who alone count. expected: fields of `Expected`, by name."""

    people: int
    expected: dict[str, float]


def pilot_of(gold: Gold, people: Sequence[Matched]) -> Pilot:
    """Accuracy, disagreement and scatter: the means over the groups, each on the questions that it was asked.

    The scatter is that of people's accuracies less what so few questions add to it, at least 0. People who disagree
    more often than independent ones are taken as independent. Where all answers are right, or all wrong, half an answer
    is taken to differ, and half a question to be disagreed on where none is. InputError: no such group.
    """
    accuracies, disagreements, scatters, answers, counted = list[float](), list[float](), list[float](), 0, 0
    for group in groups_of(people):
        rows = group.asked[gold.answer[group.asked] >= 0]
        if len(group.people) < _LEAST or not len(rows):
            continue
        credits = np.array(
            [named("accuracy").of_instances(gold, person, "answer")[rows] for person in group.people]
        )
        values = credits.mean(axis=1)
        disagreement = float(
            np.mean([np.mean(np.abs(one - other)) for one, other in combinations(credits, 2)])
        )
        accuracies.append(float(values.mean()))
        disagreements.append(disagreement)
        scatters.append(float(values.var(ddof=1)) - disagreement / 2 / len(rows))
        answers += credits.size
        counted += len(group.people)
    if not answers:
        raise InputError(
            "a pilot needs a group of two people or more, and questions with a gold answer",
            ", ".join(person.name for person in people),
            "give more people, or expectations alone (--expect)",
        )
    half = 1 / (2 * answers)
    accuracy = min(max(float(np.mean(accuracies)), half), 1 - half)
    independent = 2 * accuracy * (1 - accuracy)
    return Pilot(
        counted,
        {
            "accuracy": accuracy,
            "disagreement": min(max(float(np.mean(disagreements)), half), independent),
            "scatter": math.sqrt(max(float(np.mean(scatters)), 0.0)),
        },
    )
