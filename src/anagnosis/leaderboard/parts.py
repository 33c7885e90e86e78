"""A part of a board: the systems of one dataset, split and view, with a standing by each measure.

Everything is computed as `report` computes it; here it becomes the rows of a board.
"""

from __future__ import annotations

from collections.abc import Sequence

from anagnosis.leaderboard.board import Part
from anagnosis.leaderboard.board_split import BoardSplit
from anagnosis.leaderboard.entries import Entry, SplitKey
from anagnosis.leaderboard.results import result, scores_of
from anagnosis.leaderboard.shortcut_gains import shortcuts_by_measure
from anagnosis.leaderboard.standings import standing


def part(split: BoardSplit, key: SplitKey, view: str, entries: Sequence[Entry]) -> Part:
    """The part of a view. entries: those of that view that answer the split."""
    systems = {each.name: each.systems[key] for each in entries if key in each.systems}
    people = {each.name: each.people[key] for each in entries if key in each.people}
    measures = {each.name: each.measures[key] for each in entries}
    every = [*dict.fromkeys(measure for own in measures.values() for measure in own)]
    shortcuts = shortcuts_by_measure(split, view, systems, measures, every)
    scores = {name: scores_of(split, system, measures[name]) for name, system in systems.items()}
    about = {each.name: each.about for each in entries}
    files = {each.name: each.files[key] for each in entries}
    standings = [
        standing(
            split,
            view,
            measure,
            {name: system for name, system in systems.items() if measure in measures[name]},
            {name: own for name, own in people.items() if measure in measures[name]},
            shortcuts.get(measure),
            {name: own.date for name, own in about.items()},
        )
        for measure in every
    ]
    results = [
        result(split, name, system, scores[name], shortcuts, about[name], files[name])
        for name, system in systems.items()
    ]
    dates = split.dates
    return Part(
        dataset=split.title,
        kind=split.dataset.kind.name,
        split=split.gold.split,
        view=view,
        hidden=split.disclosure.hidden,
        instances=len(split.gold),
        fingerprint=split.gold.fingerprint,
        dates=(dates[0], dates[-1]) if dates else (),
        standings=tuple(standings),
        results=tuple(results),
    )
