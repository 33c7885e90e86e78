"""One system on a part: its scores, its breakdowns, and its gains over readers that do not read."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from anagnosis.evaluation.breakdown import Breakdown, seen_answers
from anagnosis.evaluation.measures.measure import named
from anagnosis.evaluation.scoring import Score, score
from anagnosis.evaluation.systems import System, problems_of
from anagnosis.leaderboard.board import FactorBreakdown, Group, Result
from anagnosis.leaderboard.board_split import UNIT, BoardSplit
from anagnosis.leaderboard.disclosure import Disclosure
from anagnosis.leaderboard.shortcut_gains import ShortcutGains
from anagnosis.leaderboard.system_file import SystemFile


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
