"""From the folders of submissions and datasets with their answers to the records of a board."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import date

from anagnosis.datasets.folder.store import Dataset
from anagnosis.errors import InputError, unknown_name
from anagnosis.input_files import display_names
from anagnosis.leaderboard.board import Board, BoardSystem, OverLimit, Part, Refused
from anagnosis.leaderboard.disclosure import Disclosure
from anagnosis.leaderboard.entries import Entry, Place, entry, within_limit
from anagnosis.leaderboard.golds import Golds
from anagnosis.leaderboard.other_datasets import without_other_datasets
from anagnosis.leaderboard.standings import Ground, part
from anagnosis.leaderboard.submission import Submission, submissions
from anagnosis.paths import PathLike
from anagnosis.progress import Progress
from anagnosis.version import __version__


def board(
    folder: PathLike,
    datasets: Sequence[Dataset],
    *,
    hidden: Sequence[str] = (),
    per_month: int = 2,
    measures: Sequence[str] = (),
    leave_out_others: bool = False,
    today: date,
) -> Board:
    """Everything about the submissions of a folder.

    datasets: with their answers. hidden: splits whose answers nobody has, which limits what is shown and how often a
    team may enter. measures: empty for the usual ones. leave_out_others: files that were made for none of the
    datasets are left out and counted; by default they are faults. today: no entry may be later.
    """
    golds = Golds(tuple(datasets), tuple(measures))
    known = {split for dataset in datasets for split in dataset.rows}
    for split in hidden:
        if split not in known:
            raise unknown_name("split", split, known, "--hidden")
    called = display_names([dataset.folder.resolve() for dataset in datasets])
    grounds = _Grounds(golds, called, frozenset(hidden))
    given, others = submissions(folder, today), ()
    if leave_out_others:
        given, others = without_other_datasets(given, golds)
    with Progress("board", 2 * len(given), "steps") as progress:
        entries: list[Entry] = []
        for submission in given:
            entries.append(entry(submission, golds))
            progress.advance(note=submission.shown)
        sound = [each for each in entries if not each.faults]
        concealed = frozenset(place for each in sound for place in each.places if place[1] in grounds.hidden)
        counted = within_limit(sound, concealed, per_month)
        parts: list[Part] = []
        for place, view, own in _parts(counted.entries):
            parts.append(part(grounds.of(place), place, view, own, measures))
            progress.advance(len(own), note=f"{called[place[0]]} {place[1]} {view}".rstrip())
    return Board(
        systems=tuple(_system(each) for each in sound),
        parts=tuple(parts),
        refused=tuple(_refused(each.submission, each.faults) for each in entries if each.faults),
        over_limit=tuple(
            OverLimit(each.name, each.about.team, each.about.date, called[place[0]], place[1])
            for each, place in counted.over_limit
        ),
        other_datasets=others,
        per_month=per_month if hidden else None,
        version=__version__,
    )


class _Grounds:
    """The splits of the board, each with what its systems are held against, made once."""

    def __init__(self, golds: Golds, called: Sequence[str], hidden: frozenset[str]) -> None:
        self.golds, self.called, self.hidden = golds, called, hidden
        self._made: dict[Place, Ground] = {}

    def of(self, place: Place) -> Ground:
        if place not in self._made:
            number, split = place
            dataset, gold = self.golds.datasets[number], self.golds.gold(*place)
            self._made[place] = Ground(dataset, self.called[number], gold, Disclosure(split in self.hidden))
        return self._made[place]


def _parts(entries: Sequence[Entry]) -> list[tuple[Place, str, list[Entry]]]:
    """(split, view, entries) of each part, in the order of the datasets, their splits and the names of views."""
    found: defaultdict[tuple[Place, str], list[Entry]] = defaultdict(list)
    for each in sorted(entries, key=lambda one: one.name):
        for place in each.places:
            found[place, each.about.view].append(each)
    return [(place, view, own) for (place, view), own in sorted(found.items(), key=lambda one: one[0])]


def _system(each: Entry) -> BoardSystem:
    about = each.about
    return BoardSystem(
        submission=each.name,
        name=about.name,
        team=about.team,
        date=about.date,
        view=about.view,
        training_data=about.training_data,
        training_cutoff=about.training_cutoff,
        link=about.link,
        description=about.description,
        people=bool(each.people),
    )


def _refused(submission: Submission, faults: Sequence[str]) -> Refused:
    return Refused(submission.name, tuple(faults))


def demand_answers(board: Board) -> None:
    """Refuse (InputError) a board on which nothing could be scored."""
    if not board.parts and board.refused:
        first = board.refused[0]
        what = f"no submission could be scored; the first: {first.faults[0]}"
        raise InputError(what, first.submission, "see `anagnosis leaderboard check`")
