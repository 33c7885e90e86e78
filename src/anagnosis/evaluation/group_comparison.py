"""Is one group of people better than another, or than a system? Each pair on the questions that both were asked.

The pairs are every two groups, and each group with each system; Holm's correction covers all of them by one measure. A
group is a system whose runs are its people (`people.py`), and a pair is tested as two systems are (`tested_pairs.py`).
Between a group and a system a single run or person is taken as it stands (`System.is_fixed_beside`).

People are taken by their answers, systems by the protocol. A person without a line for a question that somebody else of
the group has did not answer it, and so was wrong.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from anagnosis.array_types import Longs
from anagnosis.datasets.gold import Gold
from anagnosis.errors import InputError
from anagnosis.evaluation.comparison import verdict_words
from anagnosis.evaluation.differences.paired import ALPHA, DRAWS
from anagnosis.evaluation.intervals import Estimate
from anagnosis.evaluation.measures.measure import named
from anagnosis.evaluation.people import PeopleOfGroup
from anagnosis.evaluation.protocols import demand_fit, people_protocol
from anagnosis.evaluation.run_measurements import RunMeasurements, measure_runs
from anagnosis.evaluation.scoring import judged_rows, signature
from anagnosis.evaluation.systems import System, distinct_names
from anagnosis.evaluation.tested_pairs import Drawing, Pair, corrected_family, tested_pairs


@dataclass(frozen=True, slots=True)
class GroupPair:
    """Two groups, or a group and a system, the better one first.

    questions: that both were asked and the measure judges; documents: that they are of. values: of both on them, with
    intervals by document. people: of both, 0 of a system. tested: the tests and the verdict.
    """

    questions: int
    documents: int
    values: tuple[Estimate, Estimate]
    people: tuple[int, int]
    tested: Pair


@dataclass(frozen=True, slots=True)
class GroupComparison:
    """All pairs by one measure. alpha: of the verdicts. not_compared: pairs without a question to judge in common."""

    measure: str
    alpha: float
    pairs: tuple[GroupPair, ...]
    not_compared: tuple[tuple[str, str], ...]
    signature: str


@dataclass(frozen=True, slots=True, eq=False)
class _Side:
    """A group or a system. asked: the instances that it was asked."""

    system: System
    asked: Longs
    protocol: str

    @property
    def people(self) -> int:
        return len(self.system.runs) if self.system.people else 0


def compare_groups(
    gold: Gold,
    groups: Sequence[PeopleOfGroup],
    systems: Sequence[System],
    *,
    measures: Sequence[str],
    protocol: str,
    seed: int,
    draws: int = DRAWS,
    view: str | None = None,
    settings: tuple[tuple[str, str], ...] = (),
) -> tuple[GroupComparison, ...]:
    """By each measure; none where there is neither a second group nor a system. settings: that the signature names."""
    names = distinct_names([*(System(group.name, group.people) for group in groups), *systems])
    everything, by_answers = np.arange(len(gold)), people_protocol(gold, protocol)
    sides = [_Side(group.as_system, group.asked, by_answers) for group in groups]
    sides += [_Side(system, everything, protocol) for system in systems]
    sides = [
        replace(side, system=replace(side.system, name=name)) for side, name in zip(sides, names, strict=True)
    ]
    ours, others = sides[: len(groups)], sides[len(groups) :]
    pairs = [*combinations(ours, 2), *((side, other) for side in ours for other in others)]
    options = (("draws", str(draws)), ("unit", "document"), ("alpha", str(ALPHA)), ("pairs", "all"))
    found: list[GroupComparison] = []
    anybody = np.unique(np.concatenate([side.asked for side in ours])) if ours else everything
    for measure in measures if pairs else ():
        for side in others:
            demand_fit(gold, side.system.runs, protocol, [named(measure)], asked=anybody)
        tested = [_tested(gold, measure, pair, draws, seed) for pair in pairs]
        compared = [pair for pair in tested if pair is not None]
        family = corrected_family([pair.tested for pair in compared])
        signed = signature(
            gold,
            n=max((pair.questions for pair in compared), default=0),
            protocol=protocol,
            measure=measure,
            view=view,
            seed=seed,
            settings=(*options, *settings),
        )
        found.append(
            GroupComparison(
                measure,
                ALPHA,
                tuple(replace(pair, tested=own) for pair, own in zip(compared, family, strict=True)),
                tuple(
                    (first.system.name, second.system.name)
                    for (first, second), pair in zip(pairs, tested, strict=True)
                    if pair is None
                ),
                str(signed),
            )
        )
    return tuple(found)


def _tested(gold: Gold, measure: str, pair: tuple[_Side, _Side], draws: int, seed: int) -> GroupPair | None:
    """Two sides on what both were asked, as a family of their own; None without a question to judge."""
    rows = _in_common(gold, measure, pair)
    if not len(rows):
        return None
    measured = [measure_runs(gold, side.system, named(measure), side.protocol, rows) for side in pair]
    if not all(own.has_value for own in measured):
        return None
    better = _better_first(measured)
    first, second = (pair[place] for place in better)
    measured = [measured[place] for place in better]
    documents = gold.document[rows]
    drawing = Drawing(documents, documents, draws, seed)
    estimates = [own.estimate(documents) for own in measured]
    values = [own.value for own in estimates]
    (tested,), _ = tested_pairs((first.system, second.system), measured, values, drawing)
    judged = documents[np.any([own.counted.any(axis=0) for own in measured], axis=0)]
    return GroupPair(
        len(judged),
        len(np.unique(judged)),
        (estimates[0], estimates[1]),
        (first.people, second.people),
        tested,
    )


def _in_common(gold: Gold, measure: str, pair: tuple[_Side, _Side]) -> Longs:
    try:
        judged = judged_rows(gold, named(measure))
    except InputError:
        return np.zeros(0, np.int64)  # no gold answers, as the report says
    return np.intersect1d(judged, np.intersect1d(pair[0].asked, pair[1].asked))


def _better_first(measured: Sequence[RunMeasurements]) -> tuple[int, int]:
    values = [round(float(own.values.mean()), 12) for own in measured]
    if not measured[0].measure.higher_is_better:
        values = [-value for value in values]
    return (1, 0) if values[1] > values[0] else (0, 1)


def one_person_with_runs(pair: GroupPair) -> bool:
    """Whether what is tested over runs holds for other runs of a system, and not for other people."""
    return sorted(pair.people) == [0, 1] and pair.tested.over_runs is not None


def words(pair: GroupPair, comparison: GroupComparison) -> str:
    """The verdict as a sentence, with what it holds for: the side that varies, people or runs of the system."""
    alone = "these two people" if all(pair.people) else "this person and this system as they are"
    of_runs, unknown = one_person_with_runs(pair), "; nothing is known of other people"
    said = verdict_words(
        pair.tested,
        comparison.alpha,
        "runs of the system" if of_runs else "people",
        [*_counted(pair)],
        "these",
        alone + unknown,
    )
    return said + unknown if of_runs and pair.tested.verdict == "better" else said


def _counted(pair: GroupPair) -> Iterator[str]:
    """2 people, 1 person, 3 runs; a system of one run does not scatter."""
    runs = (1, 1) if pair.tested.over_runs is None else pair.tested.over_runs.runs
    for people, count in zip(pair.people, runs, strict=True):
        if people:
            yield f"{people} people" if people > 1 else "1 person"
        elif count > 1:
            yield f"{count} runs"
