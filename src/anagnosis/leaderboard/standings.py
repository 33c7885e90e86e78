"""A standing: the systems of a part ranked and tested by one measure, with people and simple readers below them.

Each system has its scores, its breakdowns, and its gains over readers that do not read.
"""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import groupby
from math import comb

from anagnosis.evaluation.breakdown import Breakdown, seen_answers
from anagnosis.evaluation.comparison import Comparison, EveryPair, compare_every_pair
from anagnosis.evaluation.differences.paired import ALPHA, verdict_of
from anagnosis.evaluation.measures.measure import named
from anagnosis.evaluation.people.groups import UNNAMED, PeopleOfGroup, asked_of, groups_of
from anagnosis.evaluation.protocols import people_protocol
from anagnosis.evaluation.scoring import Score, score
from anagnosis.evaluation.systems import System, problems_of
from anagnosis.evaluation.tested_pairs import too_few_draws
from anagnosis.leaderboard.board import FactorBreakdown, Figure, Group, PeopleRow, Result, Row, Standing, Step
from anagnosis.leaderboard.board_split import SEED, UNIT, BoardSplit
from anagnosis.leaderboard.disclosure import Disclosure
from anagnosis.leaderboard.shortcut_gains import ShortcutGains
from anagnosis.leaderboard.system_file import SystemFile
from anagnosis.predictions import Matched


def scores_of(split: BoardSplit, system: System, measures: Sequence[str]) -> list[Score]:
    """A score for each protocol of the measures."""
    gold = split.gold
    by_protocol: defaultdict[str, list[str]] = defaultdict(list)
    for measure in measures:
        by_protocol[split.protocol(measure)].append(measure)
    found: list[Score] = []
    for protocol, own in by_protocol.items():
        further = [*split.factors]
        if any(named(name).free for name in own) and not gold.labels and split.train is not None:
            further.append(seen_answers(gold, split.train, protocol))
        familiar = split.train if split.dataset.numbering == "global" else None
        found.append(
            score(
                gold,
                system,
                protocol=protocol,
                measures=own,
                unit=UNIT,
                train=familiar,
                further_factors=further,
            )
        )
    return found


def result(
    split: BoardSplit,
    name: str,
    system: System,
    scores: Sequence[Score],
    shortcuts: Mapping[str, ShortcutGains],
    about: SystemFile,
    files: tuple[str, ...],
) -> Result:
    """The result of a submission. shortcuts: by measure. about: its system.toml. files: those that answer the split."""
    disclosure = split.disclosure
    problems = problems_of(system)
    trained_on = problems.get("trained_on")
    return Result(
        submission=name,
        figures={
            measure: disclosure.figure(found, found.signature)
            for own in scores
            for measure, found in own.measures.items()
        },
        gains={measure: own.gains[name] for measure, own in shortcuts.items() if name in own.gains},
        breakdowns=tuple(
            shown
            for own in scores
            for each in own.breakdowns
            if (shown := _breakdown(disclosure, each)) is not None
        ),
        problems={problem: found.count for problem, found in problems.items() if problem != "trained_on"},
        files=files,
        trained_on=None if trained_on is None else trained_on.count / len(system.runs),
        # A reader that is not trained has read nothing, whenever its labels were counted.
        dated_before=None if system.untrained else split.dated_before(about.training_cutoff),
        parameters=system.training.parameters if system.training else None,
    )


def _breakdown(disclosure: Disclosure, breakdown: Breakdown) -> FactorBreakdown | None:
    groups = [
        Group(
            each.label,
            each.n,
            {measure: disclosure.figure(found) for measure, found in each.measures.items()},
        )
        for each in breakdown.slices
    ]
    return disclosure.breakdown(breakdown.factor, groups) if len(groups) > 1 else None


def standing(
    split: BoardSplit,
    view: str,
    measure: str,
    systems: Mapping[str, System],
    people: Mapping[str, Sequence[Matched]],
    shortcuts: ShortcutGains | None,
    dates: Mapping[str, datetime.date],
) -> Standing:
    """systems, people, dates: by submission. shortcuts: readers that do not read, by this measure; None for none."""
    protocol, names = split.protocol(measure), [*systems]
    tested = None
    rows: list[Row] = []
    signature = ""
    hard = {} if shortcuts is None else shortcuts.hard_figures
    if len(names) > 1:
        tested = _compared(split, [*systems.values()], measure, protocol, view)
        rows = _rows(split, tested, systems, hard)
        signature = tested.comparison.signature
    elif names:
        own = scores_of(split, systems[names[0]], [measure])[0].estimate
        rows = [
            Row(
                submission=names[0],
                ranks=None,
                ranks_of_runs=None,
                runs=len(systems[names[0]].runs),
                figure=split.disclosure.figure(own),
                against_next="",
                runs_against_next="",
                holm=None,
                hard=hard.get(names[0]),
            )
        ]
        signature = own.signature
    return Standing(
        measure=measure,
        protocol=protocol,
        rows=tuple(rows),
        people=tuple(_people_rows(split, measure, protocol, people)),
        shortcuts=() if shortcuts is None else shortcuts.rows,
        hard=None if shortcuts is None else shortcuts.hard,
        progress=tuple(progress(rows, tested, dates)),
        family=comb(len(names), 2),
        alpha=ALPHA,
        too_few_draws=None if tested is None else _too_few_draws(tested.comparison),
        signature=signature,
    )


def _compared(
    split: BoardSplit, systems: Sequence[System], measure: str, protocol: str, view: str
) -> EveryPair:
    return compare_every_pair(
        split.gold,
        systems,
        protocol=protocol,
        unit=UNIT,
        seed=SEED,
        measure=measure,
        view=view or None,
    )


def _rows(
    split: BoardSplit, tested: EveryPair, systems: Mapping[str, System], hard: Mapping[str, Figure]
) -> list[Row]:
    comparison, names = tested.comparison, [*systems]
    steps = [*comparison.against_next, None]
    return [
        Row(
            submission=(name := names[tested.order[place]]),
            ranks=tested.ranks(place),
            ranks_of_runs=tested.ranks_of_runs(place),
            runs=len(systems[name].runs),
            figure=split.disclosure.figure(ranked.estimate, ranked.estimate.signature),
            against_next="" if step is None else step.verdict,
            runs_against_next="" if step is None else verdict_of(step.by_instance, step.holm_two_tailed),
            holm=None if step is None else split.disclosure.p_value(step.holm),
            hard=hard.get(name),
        )
        for place, (ranked, step) in enumerate(zip(comparison.ranking, steps, strict=True))
    ]


def progress(rows: Sequence[Row], tested: EveryPair | None, dates: Mapping[str, datetime.date]) -> list[Step]:
    """The systems by date, and which of them were shown to be better than all before.

    tested: the comparison of the rows, None where there is one row or none. Those of one date are simultaneous: the
    best of them is compared with the best one before it.
    """
    places = {row.submission: place for place, row in enumerate(rows)}
    best: int | None = None
    found: list[Step] = []
    for date, own in groupby(sorted(places, key=lambda one: (dates[one], one)), key=lambda one: dates[one]):
        names = [*own]
        shown = [
            place
            for place in map(places.__getitem__, names)
            if best is None or (tested is not None and (place, best) in tested.better.by_verdict)
        ]
        best = min(shown, default=best)
        found += (
            Step(date, name, rows[place].figure, bool(shown) and place == best)
            for name in names
            for place in (places[name],)
        )
    return found


def _too_few_draws(comparison: Comparison) -> int | None:
    """The draws, where they are too few for so many pairs and leave one open that differs but for the correction."""
    for pair in comparison.differences:
        test = pair.by_document  # the unit of a board
        few = too_few_draws(test.draws, comparison.family)
        if few and pair.verdict == "tied" and pair.p <= comparison.alpha:
            return test.draws
    return None


def _people_rows(
    split: BoardSplit, measure: str, protocol: str, people: Mapping[str, Sequence[Matched]]
) -> list[PeopleRow]:
    """The mean of each group, on the instances that anybody of the submission was asked.

    On a hidden split the people of a submission are one group, and are left out where they were asked few questions.
    """
    rows: list[PeopleRow] = []
    hidden = split.disclosure.hidden
    for name, persons in people.items():
        asked = asked_of(persons)
        if not split.disclosure.is_large(len(asked), len(split.gold)):
            continue
        groups = [PeopleOfGroup(UNNAMED, tuple(persons))] if hidden else groups_of(persons)
        for group in groups:
            found = score(
                split.gold,
                System(group.name, group.people),
                protocol=people_protocol(split.gold, protocol),
                measures=[measure],
                unit=UNIT,
                asked=asked,
            ).estimate
            figure = split.disclosure.figure(found, found.signature)
            rows.append(PeopleRow(name, group.name, len(group.people), figure))
    return rows
