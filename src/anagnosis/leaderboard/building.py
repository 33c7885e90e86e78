"""From the folders of submissions and datasets with their answers to the records of a board."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date
from functools import cache
from pathlib import Path

from msgspec.structs import asdict

from anagnosis.datasets.folder.card import WITHHELD
from anagnosis.datasets.folder.store import Dataset
from anagnosis.errors import InputError
from anagnosis.evaluation.measures.measure import named
from anagnosis.io.paths import PathLike
from anagnosis.leaderboard.board import Board, BoardSystem, OtherDatasets, OverLimit, Part, Refused
from anagnosis.leaderboard.board_split import BoardSplit
from anagnosis.leaderboard.disclosure import Disclosure, hidden_splits
from anagnosis.leaderboard.entries import Entry, entry
from anagnosis.leaderboard.examining import demand_size, first_lines
from anagnosis.leaderboard.golds import Golds, SplitKey, dataset_titles
from anagnosis.leaderboard.monthly_limit import within_limit
from anagnosis.leaderboard.shortcut_gains import gains_by_measure
from anagnosis.leaderboard.standings import result, scores_of, standing
from anagnosis.leaderboard.submission import Submission, submissions
from anagnosis.progress import Progress
from anagnosis.version import __version__


def board(
    folder: PathLike,
    datasets: Sequence[Dataset],
    *,
    titles: Sequence[str] = (),
    hidden: Sequence[str] = (),
    per_month: int = 2,
    measures: Sequence[str] = (),
    leave_out_others: bool = False,
    today: date,
) -> Board:
    """Everything about the submissions of a folder.

    datasets: with their answers. titles: of the datasets, empty for their own (golds.py). hidden: splits whose
    answers nobody has (disclosure.py), which limits what is shown and how often a team may enter. measures: empty
    for the usual ones. leave_out_others: files that were made for none of the datasets are left out and counted; by
    default they are faults. today: no entry may be later.
    """
    titles = dataset_titles(datasets, titles)
    golds, places_hidden = _golds(datasets, measures), hidden_splits(hidden, datasets, titles)
    given, others = submissions(folder, today), ()
    if leave_out_others:
        given, others = without_other_datasets(given, golds)
    with Progress("submissions", len(given), "submissions") as progress:
        entries = [*_entries(given, golds, progress)]
    sound = [each for each in entries if not each.faults]
    counted, over_limit = within_limit(sound, places_hidden, per_month)
    places = _parts(counted)

    @cache
    def split_of(key: SplitKey) -> BoardSplit:
        return BoardSplit(
            datasets[key[0]], titles[key[0]], golds.gold(*key), Disclosure(key in places_hidden)
        )

    parts: list[Part] = []
    with Progress("boards", sum(len(own) for *_, own in places), "systems") as progress:
        for place, view, own in places:
            parts.append(part(split_of(place), place, view, own))
            progress.advance(len(own), note=f"{titles[place[0]]} {place[1]} {view}".rstrip())
    return Board(
        systems=tuple(
            BoardSystem(**asdict(each.about), submission=each.name, people=bool(each.people))
            for each in sound
        ),
        parts=tuple(parts),
        refused=tuple(Refused(each.submission.shown, each.faults) for each in entries if each.faults),
        over_limit=tuple(
            OverLimit(each.name, each.about.team, each.about.date, titles[place], split)
            for each, (place, split) in over_limit
        ),
        other_datasets=others,
        per_month=per_month if hidden else None,
        version=__version__,
    )


def _golds(datasets: Sequence[Dataset], measures: Sequence[str]) -> Golds:
    """The datasets. Refused (InputError): a measure that there is not, a dataset without answers."""
    for name in measures:
        named(name)
    for dataset in datasets:
        if dataset.recipe.get(WITHHELD):
            what = "is a public copy, which holds no answers to score against"
            raise InputError(what, str(dataset.folder), "give the dataset that it was copied from to --gold")
    return Golds(tuple(datasets), tuple(measures))


def _entries(given: Iterable[Submission], golds: Golds, progress: Progress) -> Iterator[Entry]:
    for submission in given:
        yield entry(submission, golds)
        progress.advance(note=submission.shown)


def _parts(entries: Sequence[Entry]) -> list[tuple[SplitKey, str, list[Entry]]]:
    """(split, view, entries) of each part, in the order of the datasets, their splits and the names of views.

    Systems that state no view come last: nobody knows what they have read.
    """
    found: defaultdict[tuple[SplitKey, str], list[Entry]] = defaultdict(list)
    for each in sorted(entries, key=lambda one: one.name):
        for place in each.places:
            found[place, each.about.view].append(each)
    return [(place, view, own) for (place, view), own in sorted(found.items(), key=_order)]


def _order(part: tuple[tuple[SplitKey, str], list[Entry]]) -> tuple[SplitKey, bool, str]:
    (place, view), _ = part
    return place, not view, view


def part(split: BoardSplit, key: SplitKey, view: str, entries: Sequence[Entry]) -> Part:
    """The systems of one dataset, split and view, with a standing by each measure, computed as `report` computes it.

    entries: of that view, which answer the split.
    """
    systems = {each.name: each.systems[key] for each in entries if key in each.systems}
    people = {each.name: each.people[key] for each in entries if key in each.people}
    measures = {each.name: each.measures[key] for each in entries}
    every = [*dict.fromkeys(measure for own in measures.values() for measure in own)]
    shortcuts = gains_by_measure(split, view, systems, measures, every)
    scores = {name: scores_of(split, system, measures[name]) for name, system in systems.items()}
    about = {each.name: each.about for each in entries}
    files = {each.name: each.files(key) for each in entries}
    dates = {name: own.date for name, own in about.items()}
    standings = [
        standing(
            split,
            view,
            measure,
            {name: system for name, system in systems.items() if measure in measures[name]},
            {name: own for name, own in people.items() if measure in measures[name]},
            shortcuts.get(measure),
            dates,
        )
        for measure in every
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


def without_other_datasets(
    submissions: Sequence[Submission], golds: Golds
) -> tuple[list[Submission], tuple[OtherDatasets, ...]]:
    """(submissions with the files of the board's datasets, what was left out).

    A board may cover public sets whose files not everybody has. A file counts as another dataset's only if its first
    lines name fingerprints and the board knows none of them; any other file is examined as usual. A submission without
    faults of which no file is left is left out whole.
    """
    kept: list[Submission] = []
    left_out: list[OtherDatasets] = []
    for each in submissions:
        others = [path for path in each.files if _is_of_another_dataset(path, golds)]
        if others:
            left_out.append(OtherDatasets(each.name, tuple(path.name for path in others)))
        files = tuple(path for path in each.files if path not in others)
        if files or each.faults or not others:
            kept.append(replace(each, files=files))
    return kept, tuple(left_out)


def _is_of_another_dataset(path: Path, golds: Golds) -> bool:
    try:
        demand_size(path, path.name)
        named = {prediction.dataset for prediction in first_lines(path, path.name)}
    except InputError:  # its examination says why
        return False
    return bool(named) and None not in named and named.isdisjoint(golds.fingerprints)
