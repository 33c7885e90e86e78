"""How often do studies of the size that a plan names show the difference that it promises?

    python benchmarks/planned_studies.py [--studies 500]

For each row of `anagnosis agreement DATASET --plan` with the default expectations that needs 1,000 questions at most,
studies are made up: an answer is right where the sum of a person's level, the question's difficulty and chance is above
0. People's accuracies scatter as expected, and the answers of two people correlate as expected; a system's are its own.
Printed is the share of studies in which both tests of `agreement` find the difference, the better side first. The plan
promises 80 %. The figures of design/people.md are its output.
"""

from __future__ import annotations

import argparse
import math

import numpy as np
from scipy.special import ndtr, ndtri

from anagnosis.array_types import Floats
from anagnosis.evaluation.differences.over_runs import covariance_of_means, larger_p, over_runs
from anagnosis.evaluation.differences.paired import randomisation
from anagnosis.evaluation.differences.power import ALPHA
from anagnosis.evaluation.people.study_model import Expected, StudyModel
from anagnosis.evaluation.people.study_size import PEOPLE, needed_by

DRAWS = 499
MOST_QUESTIONS = 1000


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--studies", type=int, default=500)
    count = parser.parse_args().studies
    model = StudyModel.of(Expected(), chance=0.05)
    shared = shared_difficulty(model)
    print(f"Of {count:,} studies a row; error ±{100 * math.sqrt(0.8 * 0.2 / count):.1f}\n")
    print("| people of each group | difference (points) | compared | questions | shown (%) |")
    print("| ---: | ---: | --- | ---: | ---: |")
    for people in PEOPLE[1:]:
        for own in needed_by(model, people):
            for compared, questions in (("two groups", own.groups), ("group and system", own.system)):
                if questions is None or questions > MOST_QUESTIONS:
                    continue
                shown = share_shown(model, shared, people, own.difference, questions, compared, count)
                print(
                    f"| {people} | {100 * own.difference:g} | {compared} | {questions} | {100 * shown:.0f} |"
                )


def shared_difficulty(model: StudyModel) -> float:
    """The share of the variance of an answer that its question has, for two people to disagree as expected."""
    difficulty = np.random.default_rng(0).standard_normal(200_000)
    low, high = 0.0, 1.0
    for _ in range(40):
        middle = (low + high) / 2
        chance = ndtr((ndtri(model.accuracy) - middle**0.5 * difficulty) / (1 - middle) ** 0.5)
        apart = float(np.mean(2 * chance * (1 - chance)))
        low, high = (middle, high) if apart > model.disagreement else (low, middle)
    return low


def share_shown(
    model: StudyModel,
    shared: float,
    people: int,
    difference: float,
    questions: int,
    compared: str,
    count: int,
) -> float:
    """compared: two groups on both sides of the expected accuracy, or one that has it and a system below."""
    dice = np.random.default_rng([people, questions])
    system = compared != "two groups"
    found = 0
    for _ in range(count):
        difficulty = dice.standard_normal(questions)

        def group(mean: float, difficulty: Floats = difficulty) -> Floats:
            skills = np.clip(mean + model.scatter * dice.standard_normal(people), 0.001, 0.999)
            own = dice.standard_normal((people, questions))
            level = shared**0.5 * difficulty + (1 - shared) ** 0.5 * own
            return (level < ndtri(skills)[:, None]).astype(float)

        if system:
            first = group(model.accuracy)
            second = (dice.random((1, questions)) < model.accuracy - difference).astype(float)
        else:
            first, second = group(model.accuracy + difference / 2), group(model.accuracy - difference / 2)
        over = over_runs(
            first.mean(axis=1),
            second.mean(axis=1),
            covariance_of_means(np.vstack([first, second])),
            questions,
            fixed=(False, system),
        )
        these = randomisation(first.mean(axis=0), second.mean(axis=0), None, draws=DRAWS, seed=0)
        found += larger_p(these.p_two_tailed, over) <= ALPHA and first.mean() > second.mean()
    return found / count


if __name__ == "__main__":
    main()
