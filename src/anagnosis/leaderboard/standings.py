"""The standings of a part: its systems ranked and tested by each measure, and each system taken apart.

Everything is computed as `report` computes it; here it becomes the rows of a board.
"""

from __future__ import annotations

import datetime
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from math import comb

import numpy as np

from anagnosis.datasets.folder import store
from anagnosis.datasets.folder.store import Dataset
from anagnosis.datasets.gold import Gold
from anagnosis.errors import InputError
from anagnosis.evaluation.breakdown import Breakdown, Factor, seen_answers
from anagnosis.evaluation.comparison import EveryPair, compare_every_pair
from anagnosis.evaluation.differences.paired import DRAWS
from anagnosis.evaluation.differences.power import ALPHA
from anagnosis.evaluation.intervals import Estimate
from anagnosis.evaluation.measures.measure import named
from anagnosis.evaluation.protocols import people_protocol, usual_protocol
from anagnosis.evaluation.scoring import Score, score
from anagnosis.evaluation.shortcuts import Shortcuts, shortcuts
from anagnosis.evaluation.systems import System, problems_of
from anagnosis.leaderboard.board import (
    Figure,
    Gain,
    Group,
    Part,
    PeopleRow,
    Result,
    Row,
    ShortcutRow,
    Standing,
    Step,
    TakenApart,
)
from anagnosis.leaderboard.disclosure import Disclosure
from anagnosis.leaderboard.entries import Entry, Place
from anagnosis.leaderboard.system_file import SystemFile
from anagnosis.predictions import Matched
from anagnosis.submissions.label_factors import factors_of
from anagnosis.submissions.shortcut_readers import shortcut_readers

UNIT = "document"
SEED = 0
PEOPLE = "people"  # those without a group
_DATE = re.compile(r"(\d{4})(?:-(\d\d))?(?:-(\d\d))?")


@dataclass(frozen=True)
class Ground:
    """A split of a dataset on a board, with what all its systems are held against; computed when first asked for.

    called: the dataset on the board.
    """

    dataset: Dataset
    called: str
    gold: Gold
    disclosure: Disclosure

    @cached_property
    def train(self) -> Gold | None:
        """The train part, by which answers are familiar; None where keys mean nothing beyond an instance."""
        if self.gold.split == "train" or "train" not in self.dataset.rows:
            return None
        texts = self.gold.exact is not None and not self.gold.labels
        if self.dataset.numbering != "global" and not texts:
            return None
        return Gold.of(self.dataset, "train", free=texts)

    @cached_property
    def factors(self) -> list[Factor]:
        """The factors of the split's questions."""
        return factors_of(self.dataset, self.gold.split, None)

    @cached_property
    def dates(self) -> list[str]:
        """The date of each dated instance, as written, sorted."""
        found: list[str] = []
        columns = [*self.dataset.kind.dates]
        for part in self.dataset.parts(self.gold.split) if columns else ():
            for batch in store.batches(part, 8192, columns):
                for row in zip(*(batch.column(name).to_pylist() for name in columns), strict=True):
                    written = next((value for value in row if value), "")
                    found += [written] if _DATE.fullmatch(written) else []
        return sorted(found)

    def dated_before(self, cutoff: datetime.date | None) -> float | None:
        """The share of dated instances whose paper may be as old as the cut-off: a year alone counts from its start."""
        if cutoff is None or not self.dates:
            return None
        return float(np.mean([_earliest(written) <= cutoff.isoformat() for written in self.dates]))


def _earliest(written: str) -> str:
    year, month, day = _DATE.fullmatch(written).groups()  # pyright: ignore[reportOptionalMemberAccess]  (`dates` has matches alone)
    return f"{year}-{month or '01'}-{day or '01'}"


def part(ground: Ground, place: Place, view: str, entries: Sequence[Entry]) -> Part:
    """The part of a view. entries: those of that view that answer the split."""
    gold, disclosure = ground.gold, ground.disclosure
    systems = {each.name: each.systems[place] for each in entries if place in each.systems}
    crowds = {each.name: each.people[place] for each in entries if place in each.people}
    chosen = {each.name: each.measures[place] for each in entries}
    every = [*dict.fromkeys(measure for own in chosen.values() for measure in own)]
    beside = _shortcuts(ground, view, systems, chosen, every)
    scores = {name: _scores(ground, system, chosen[name]) for name, system in systems.items()}
    about = {each.name: each.about for each in entries}
    files = {each.name: each.files[place] for each in entries}
    dates = {name: own.date for name, own in about.items()}
    standings = [
        _standing(
            ground,
            view,
            measure,
            {name: system for name, system in systems.items() if measure in chosen[name]},
            {name: crowd for name, crowd in crowds.items() if measure in chosen[name]},
            beside,
            dates,
        )
        for measure in every
    ]
    results = [
        _result(ground, name, system, scores[name], beside, about[name], files[name])
        for name, system in systems.items()
    ]
    written = ground.dates
    return Part(
        dataset=ground.called,
        kind=ground.dataset.kind.name,
        split=gold.split,
        view=view,
        hidden=disclosure.hidden,
        instances=len(gold),
        fingerprint=gold.fingerprint,
        dates=(written[0], written[-1]) if written else (),
        standings=tuple(standings),
        results=tuple(results),
    )


def _protocol(ground: Ground, measure: str) -> str:
    return usual_protocol(ground.dataset.kind, named(measure))


def _by_protocol(ground: Ground, measures: Sequence[str]) -> Mapping[str, list[str]]:
    found: defaultdict[str, list[str]] = defaultdict(list)
    for measure in measures:
        found[_protocol(ground, measure)].append(measure)
    return found


def _scores(ground: Ground, system: System, measures: Sequence[str]) -> list[Score]:
    """A score for each protocol, by its measures."""
    gold = ground.gold
    found: list[Score] = []
    for protocol, own in _by_protocol(ground, measures).items():
        further = [*ground.factors]
        if any(named(name).free for name in own) and not gold.labels and ground.train is not None:
            further.append(seen_answers(gold, ground.train, protocol))
        familiar = ground.train if ground.dataset.numbering == "global" else None
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


def _shortcuts(
    ground: Ground,
    view: str,
    systems: Mapping[str, System],
    chosen: Mapping[str, Sequence[str]],
    measures: Sequence[str],
) -> dict[str, Shortcuts]:
    """By measure: what readers reach that do not read, and each system's gain over the best."""
    gold, kind = ground.gold, ground.dataset.kind
    try:
        readers = shortcut_readers(ground.dataset, gold, view=view or "global") if kind.shortcuts else []
    except InputError:
        return {}
    found: dict[str, Shortcuts] = {}
    for measure in measures if readers else ():
        if named(measure).retrieved or (named(measure).free and kind.free_protocols):
            continue  # the readers answer with candidates or labels
        own = {name: system for name, system in systems.items() if measure in chosen[name]}
        found[measure] = shortcuts(
            gold,
            (),
            readers,
            {view or None: own},
            measures=[measure],
            protocol=_protocol(ground, measure),
            unit=UNIT,
            seed=SEED,
            draws=DRAWS,
            view=view or None,
        )
    return found


def _standing(
    ground: Ground,
    view: str,
    measure: str,
    systems: Mapping[str, System],
    crowds: Mapping[str, Sequence[Matched]],
    beside: Mapping[str, Shortcuts],
    dates: Mapping[str, datetime.date],
) -> Standing:
    protocol, names = _protocol(ground, measure), [*systems]
    tested = None
    rows: list[Row] = []
    signature = ""
    hard = _hard(ground, beside.get(measure), measure)
    if len(names) > 1:
        tested = _compared(ground, [*systems.values()], measure, protocol, view)
        rows = _rows(ground, tested, names, hard)
        signature = tested.comparison.signature
    elif names:
        own = _scores(ground, systems[names[0]], [measure])[0].estimate
        rows = [Row(names[0], (1, 1), ground.disclosure.figure(own), "", None, hard.get(names[0]))]
        signature = own.signature
    return Standing(
        measure=measure,
        protocol=protocol,
        rows=tuple(rows),
        people=tuple(_people(ground, measure, protocol, crowds)),
        shortcuts=tuple(_shortcut_rows(ground, measure, beside.get(measure))),
        hard=_hard_count(ground, beside.get(measure)),
        progress=tuple(_progress(rows, tested, dates)),
        family=comb(len(names), 2),
        alpha=ALPHA,
        signature=signature,
    )


def _compared(ground: Ground, systems: Sequence[System], measure: str, protocol: str, view: str) -> EveryPair:
    return compare_every_pair(
        ground.gold,
        systems,
        protocol=protocol,
        unit=UNIT,
        seed=SEED,
        measure=measure,
        view=view or None,
    )


def _rows(ground: Ground, tested: EveryPair, names: Sequence[str], hard: Mapping[str, Figure]) -> list[Row]:
    comparison = tested.comparison
    steps = [*comparison.against_next, None]
    return [
        Row(
            submission=(name := names[tested.order[place]]),
            ranks=tested.ranks(place),
            figure=ground.disclosure.figure(ranked.estimate, ranked.estimate.signature),
            against_next="" if step is None else step.verdict,
            holm=None if step is None else ground.disclosure.p_value(step.holm),
            hard=hard.get(name),
        )
        for place, (ranked, step) in enumerate(zip(comparison.ranking, steps, strict=True))
    ]


def _hard(ground: Ground, found: Shortcuts | None, measure: str) -> dict[str, Figure]:
    """System → its figure on the hard subset."""
    gains = () if found is None else found.measures[measure].gains
    return {
        gain.name: figure
        for own in gains
        for gain in own.systems
        if (figure := _hard_figure(ground, gain.hard)) is not None
    }


def _hard_figure(ground: Ground, value: Estimate | None) -> Figure | None:
    return ground.disclosure.of_some(value, len(ground.gold)) if _shows_hard(ground) else None


def _shows_hard(ground: Ground) -> bool:
    """Whether the hard subset may be shown. Of fixed labels it is all questions but those of the commonest label."""
    return not (ground.disclosure.hidden and ground.gold.labels)


def _hard_count(ground: Ground, found: Shortcuts | None) -> int | None:
    """The size of the hard subset, None where there is none or it may not be shown."""
    hard = None if found is None or not _shows_hard(ground) else found.hard
    return hard if hard is not None and ground.disclosure.is_large(hard, len(ground.gold)) else None


def _people(
    ground: Ground, measure: str, protocol: str, crowds: Mapping[str, Sequence[Matched]]
) -> list[PeopleRow]:
    """The mean of each group, on the instances that anybody of the submission was asked.

    On a hidden split the people of a submission are one group, and are left out where they were asked few questions.
    """
    rows: list[PeopleRow] = []
    hidden = ground.disclosure.hidden
    for name, crowd in crowds.items():
        asked = np.flatnonzero(np.any([person.heard for person in crowd], axis=0))
        if not ground.disclosure.is_large(len(asked), len(ground.gold)):
            continue
        groups: dict[str, list[Matched]] = {}
        for person in crowd:
            groups.setdefault(PEOPLE if hidden else person.group or PEOPLE, []).append(person)
        for group, members in groups.items():
            found = score(
                ground.gold,
                System(group, tuple(members)),
                protocol=people_protocol(ground.gold, protocol),
                measures=[measure],
                unit=UNIT,
                asked=asked,
            ).estimate
            rows.append(
                PeopleRow(name, group, len(members), ground.disclosure.figure(found, found.signature))
            )
    return rows


def _shortcut_rows(ground: Ground, measure: str, found: Shortcuts | None) -> list[ShortcutRow]:
    if found is None:
        return []
    looks_at = ground.dataset.kind.shortcuts
    return [
        ShortcutRow(
            reader.name,
            looks_at[reader.name],
            None if reader.score is None else ground.disclosure.figure(reader.score),
        )
        for reader in found.measures[measure].readers
    ]


def _progress(
    rows: Sequence[Row], tested: EveryPair | None, dates: Mapping[str, datetime.date]
) -> list[Step]:
    """The systems by date. Those of one date are simultaneous: the best of them is held against the best one before."""
    places = {row.submission: place for place, row in enumerate(rows)}
    best: int | None = None
    found: list[Step] = []
    for date, own in groupby(sorted(places, key=lambda one: (dates[one], one)), key=lambda one: dates[one]):
        names = [*own]
        shown = [
            place
            for place in map(places.__getitem__, names)
            if best is None or (tested is not None and (place, best) in tested.better)
        ]
        best = min(shown, default=best)
        found += (
            Step(date, name, rows[place].figure, bool(shown) and place == best)
            for name in names
            for place in (places[name],)
        )
    return found


def _result(
    ground: Ground,
    name: str,
    system: System,
    scores: Sequence[Score],
    beside: Mapping[str, Shortcuts],
    about: SystemFile,
    files: tuple[str, ...],
) -> Result:
    disclosure = ground.disclosure
    problems = problems_of(system)
    trained_on = problems.get("trained_on")
    return Result(
        submission=name,
        figures={
            measure: disclosure.figure(found, found.signature)
            for own in scores
            for measure, found in own.measures.items()
        },
        gains={
            measure: Gain(
                over=found.measures[measure].best,
                difference=disclosure.difference(gain.difference, gain.interval),
                verdict="tied" if gain.holm > ALPHA else "better" if gain.difference > 0 else "worse",
                hard=_hard_figure(ground, gain.hard),
            )
            for measure, found in beside.items()
            for own in found.measures[measure].gains
            for gain in own.systems
            if gain.name == name
        },
        taken_apart=tuple(
            shown
            for own in scores
            for breakdown in own.breakdowns
            if (shown := _taken_apart(disclosure, breakdown)) is not None
        ),
        problems={problem: found.count for problem, found in problems.items() if problem != "trained_on"},
        files=files,
        trained_on=None if trained_on is None else trained_on.count / len(system.runs),
        dated_before=ground.dated_before(about.training_cutoff),
        parameters=system.known.training.parameters if system.known.training else None,
    )


def _taken_apart(disclosure: Disclosure, breakdown: Breakdown) -> TakenApart | None:
    groups = [
        Group(
            each.label,
            each.n,
            {measure: disclosure.figure(found) for measure, found in each.measures.items()},
        )
        for each in breakdown.slices
    ]
    return disclosure.taken_apart(breakdown.factor, groups) if len(groups) > 1 else None
