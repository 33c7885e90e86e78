"""Is one group of people better than another, or than a system? Each pair on the questions that both were asked.

The pairs are every two groups, and each group with each system. A group is the mean of its people, who are its runs
(`tested_pairs.py`): where it has several, a verdict holds for other people and other questions, and the larger of two
p-values decides. A system of one run is taken as it stands, whatever other trainings of it would give, so that the
scatter of people is not ascribed to it; and one person compared with a system of several runs is taken as that person
is, since runs do not say how people scatter. Holm's correction covers all pairs by one measure.

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
from anagnosis.evaluation.differences.paired import ALPHA, DRAWS
from anagnosis.evaluation.intervals import Estimate
from anagnosis.evaluation.measures.measure import named
from anagnosis.evaluation.people.groups import PeopleOfGroup
from anagnosis.evaluation.protocols import people_protocol
from anagnosis.evaluation.run_measurements import RunMeasurements, measure_runs
from anagnosis.evaluation.scoring import judged_rows, signature
from anagnosis.evaluation.systems import System, distinct_names
from anagnosis.evaluation.tested_pairs import Contest, Drawing, Pair, PairTests, corrected_pairs


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

    name: str
    system: System
    people: int
    asked: Longs
    protocol: str


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
) -> tuple[GroupComparison, ...]:
    """By each measure that judges something there; none where there is neither a second group nor a system."""
    names = distinct_names([*(System(group.name, group.people) for group in groups), *systems])
    by_answers = people_protocol(gold, protocol)
    sides = [
        _Side(name, replace(group.as_system, name=name), len(group.people), group.asked, by_answers)
        for name, group in zip(names, groups)
    ]
    everything = np.arange(len(gold))
    others = [
        _Side(name, _as_it_stands(system), 0, everything, protocol)
        for name, system in zip(names[len(groups) :], systems, strict=True)
    ]
    pairs = [*combinations(sides, 2), *((side, other) for side in sides for other in others)]
    saw = other_views(systems, view)
    found = [_compared(gold, measure, pairs, seed, draws, protocol, view, saw) for measure in measures]
    return tuple(each for each in found if each.pairs or each.not_compared)


def other_views(systems: Sequence[System], view: str | None) -> tuple[tuple[str, str], ...]:
    """A setting of the signature: the views that systems are known to have seen, other than that of the people."""
    others = {system.view for system in systems} - {view, None}
    return (("systems", ",".join(sorted(map(str, others)))),) if others and view else ()


def _as_it_stands(system: System) -> System:
    """A system of one run does not vary: it is compared as it is."""
    return replace(system, untrained=True) if len(system.runs) == 1 else system


def _beside(side: _Side, other: _Side) -> System:
    """One person compared with runs of a system does not vary as they do."""
    alone = side.people == 1 and not other.people and len(other.system.runs) > 1
    return replace(side.system, untrained=True) if alone else side.system


def _compared(
    gold: Gold,
    measure: str,
    pairs: Sequence[tuple[_Side, _Side]],
    seed: int,
    draws: int,
    protocol: str,
    view: str | None,
    systems_views: Sequence[tuple[str, str]],
) -> GroupComparison:
    contests: dict[tuple[str, str], Contest] = {}
    values: dict[tuple[str, str], tuple[Estimate, Estimate]] = {}
    people: dict[tuple[str, str], tuple[int, int]] = {}
    not_compared: list[tuple[str, str]] = []
    for pair in pairs:
        rows = _in_common(gold, measure, pair)
        measured = [
            measure_runs(gold, side.system, named(measure), side.protocol, rows) for side in pair if len(rows)
        ]
        if not all(own.has_value for own in measured) or not measured:
            not_compared.append((pair[0].name, pair[1].name))
            continue
        better = _better_first(measured)
        first, second = (pair[place] for place in better)
        ordered = [measured[place] for place in better]
        drawing = Drawing(gold.document[rows], gold.document[rows], draws, seed)
        estimates = [own.estimate(drawing.clusters).of_all_runs for own in ordered]
        key = (first.name, second.name)
        values[key], people[key] = (estimates[0], estimates[1]), (first.people, second.people)
        tests = PairTests.of((_beside(first, second), _beside(second, first)), ordered, drawing)
        means = (float(ordered[0].values.mean()), float(ordered[1].values.mean()))
        contests[key] = Contest(tests, means)
    tested, _ = corrected_pairs(contests)
    options = (("draws", str(draws)), ("unit", "document"), ("alpha", str(ALPHA)), ("pairs", "all"))
    signed = signature(
        gold,
        n=max((len(own.tests.drawing.documents) for own in contests.values()), default=0),
        protocol=protocol,
        measure=measure,
        view=view,
        seed=seed,
        settings=(*options, ("people", "answer"), *systems_views),
    )
    return GroupComparison(
        measure,
        ALPHA,
        tuple(
            GroupPair(len(own.documents), own.units, values[key], people[key], tested[key])
            for key, own in ((key, contest.tests.drawing) for key, contest in contests.items())
        ),
        tuple(not_compared),
        str(signed),
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
    """The verdict as a sentence, with what it holds for."""
    tested, runs = pair.tested, pair.tested.over_runs
    between = tested.between
    if tested.verdict == "identical":
        return f"{between}: no difference; no question was answered better by either"
    if runs is None and tested.verdict == "better":
        alone = "these two people" if all(pair.people) else "this person and this system as they are"
        return f"{between}: better; this holds for {alone}, and nothing is known of other people"
    if runs is None:
        return f"{between}: not shown to differ"
    counted = " and ".join(_counted(pair, runs.runs))
    others = "people"
    if one_person_with_runs(pair):
        others = "runs of the system"
    if tested.verdict == "better":
        holds = f"for other {others} and other questions too ({counted})"
        alone = "" if others == "people" else "; nothing is known of other people"
        return f"{between}: better, {holds}{alone}"
    if tested.holm_two_tailed > comparison.alpha:
        return f"{between}: not shown to differ"
    return (
        f"{between}: not shown to differ for other {others}; these are better, but others may not be "
        f"(p {runs.p:.2g}, {tested.holm:.2g} corrected)"
    )


def _counted(pair: GroupPair, runs: tuple[int, int]) -> Iterator[str]:
    """2 people, 1 person, 3 runs; a system of one run does not scatter."""
    for people, count in zip(pair.people, runs, strict=True):
        if people:
            yield f"{people} people" if people > 1 else "1 person"
        elif count > 1:
            yield f"{count} runs"
