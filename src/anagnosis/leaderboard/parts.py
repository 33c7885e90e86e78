"""A part of a board: the systems of one dataset, split and view, with a standing by each measure.

Everything is computed as `report` computes it; here it becomes the rows of a board.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from functools import partial

from anagnosis.leaderboard.board import Part, Standing
from anagnosis.leaderboard.board_split import BoardSplit
from anagnosis.leaderboard.entries import Entry, SplitKey
from anagnosis.leaderboard.kept_parts import NO_PIECES, Pieces
from anagnosis.leaderboard.results import result, scores_of
from anagnosis.leaderboard.shortcut_gains import gains_by_measure
from anagnosis.leaderboard.standings import standing


def part(
    split: BoardSplit,
    key: SplitKey,
    view: str,
    entries: Sequence[Entry],
    days: Mapping[str, date],
    pieces: Pieces = NO_PIECES,
) -> Part:
    """The part of a view. entries: those of that view that answer the split. days: entry → its day in the ledger; one
    without has its own date. pieces: of it, from an earlier build."""
    systems = {each.name: each.systems[key] for each in entries if key in each.systems}
    people = {each.name: each.people[key] for each in entries if key in each.people}
    measures = {each.name: each.measures[key] for each in entries}
    every = [*dict.fromkeys(measure for own in measures.values() for measure in own)]
    shortcuts = gains_by_measure(split, view, systems, measures, every, pieces)
    scores = {name: scores_of(split, system, measures[name]) for name, system in systems.items()}
    about = {each.name: each.about for each in entries}
    files = {each.name: each.files[key] for each in entries}
    dates = {name: days.get(name, own.date) for name, own in about.items()}

    def made(measure: str) -> Standing:
        return standing(
            split,
            view,
            measure,
            {name: system for name, system in systems.items() if measure in measures[name]},
            {name: own for name, own in people.items() if measure in measures[name]},
            shortcuts.get(measure),
            dates,
        )

    standings = [
        pieces.made(f"standing-{place}", Standing, partial(made, measure))
        for place, measure in enumerate(every)
    ]
    results = [
        result(split, name, system, scores[name], shortcuts, about[name], files[name])
        for name, system in systems.items()
    ]
    papers = split.dates
    return Part(
        dataset=split.title,
        kind=split.dataset.kind.name,
        split=split.gold.split,
        view=view,
        hidden=split.disclosure.hidden,
        instances=len(split.gold),
        fingerprint=split.gold.fingerprint,
        dates=(papers[0], papers[-1]) if papers else (),
        standings=tuple(standings),
        results=tuple(results),
    )
