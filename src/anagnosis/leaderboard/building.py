"""From the folders of submissions and datasets with their answers to the records of a board."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date

from anagnosis.datasets.folder.card import WITHHELD
from anagnosis.datasets.folder.store import Dataset
from anagnosis.errors import InputError
from anagnosis.evaluation.measures.measure import named
from anagnosis.leaderboard.board import Board, BoardSystem, OverLimit, Part, Refused
from anagnosis.leaderboard.board_split import BoardSplit
from anagnosis.leaderboard.dataset_titles import dataset_titles
from anagnosis.leaderboard.disclosure import Disclosure
from anagnosis.leaderboard.entries import Entry, entry
from anagnosis.leaderboard.golds import Golds, SplitKey
from anagnosis.leaderboard.hidden_splits import hidden_splits
from anagnosis.leaderboard.kept_parts import KeptParts, digest_of
from anagnosis.leaderboard.ledger import Ledger, dated_lines
from anagnosis.leaderboard.ledger_chain import LedgerLine
from anagnosis.leaderboard.monthly_limit import within_limit
from anagnosis.leaderboard.other_datasets import without_other_datasets
from anagnosis.leaderboard.parts import part
from anagnosis.leaderboard.submission import Submission, submissions
from anagnosis.paths import PathLike
from anagnosis.progress import Progress
from anagnosis.version import __version__

NOTHING_KEPT = KeptParts()


def board(
    folder: PathLike,
    datasets: Sequence[Dataset],
    *,
    titles: Sequence[str] = (),
    hidden: Sequence[str] = (),
    per_month: int = 2,
    ledger: Callable[[Sequence[LedgerLine], date], Ledger] | None = None,
    measures: Sequence[str] = (),
    leave_out_others: bool = False,
    today: date,
    kept: KeptParts = NOTHING_KEPT,
) -> Board:
    """Everything about the submissions of a folder.

    datasets: with their answers. titles: of the datasets, empty for their own (dataset_titles.py). hidden: splits whose
    answers nobody has (hidden_splits.py), which limits what is shown and how often a team may enter. ledger: makes of
    these entries' lines and today those by whose days they count (`recorded` or `foreseen` of ledger.py); None: they
    count by their own dates. measures: empty for the usual ones. leave_out_others: files that were made for none of the
    datasets are left out and counted; by default they are faults. today: no entry may be later. kept: parts of an
    earlier build.
    """
    titles = dataset_titles(datasets, titles)
    golds, places_hidden = _golds(datasets, measures), hidden_splits(hidden, datasets, titles)
    if ledger is not None and not places_hidden:
        what = "counts the entries on hidden splits, and no split is hidden"
        raise InputError(what, "--ledger", "name a split with --hidden, or leave --ledger out")
    splits = _BoardSplits(golds, titles, places_hidden)
    given, others = submissions(folder, today), ()
    if leave_out_others:
        given, others = without_other_datasets(given, golds)
    with Progress("submissions", len(given), "submissions") as progress:
        entries = [*_entries(given, golds, progress)]
    sound = [each for each in entries if not each.faults]
    entered = None if ledger is None else ledger(dated_lines(sound, golds, places_hidden), today)
    counted = within_limit(sound, golds, places_hidden, per_month, entered and entered.lines)
    places = _parts(counted.entries)
    parts: list[Part] = []
    with Progress("boards", sum(len(own) for *_, own in places), "systems") as progress:
        for place, view, own in places:
            days = {name: day for (name, at), day in counted.days.items() if at == place}
            parts.append(_part(splits, place, view, own, days, kept))
            progress.advance(len(own), note=f"{titles[place[0]]} {place[1]} {view}".rstrip())
    return Board(
        systems=tuple(_system(each, counted.first_seen.get(each.name)) for each in sound),
        parts=tuple(parts),
        refused=tuple(Refused(each.submission.shown, each.faults) for each in entries if each.faults),
        over_limit=tuple(
            OverLimit(
                over.entry.name,
                over.entry.about.team,
                over.counted_on,
                titles[over.place[0]],
                over.place[1],
            )
            for over in counted.over_limit
        ),
        other_datasets=others,
        per_month=per_month if hidden else None,
        ledger=entered and entered.end,
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


class _BoardSplits:
    """The splits of the board, each with what its systems share, made once. titles: of the datasets."""

    def __init__(self, golds: Golds, titles: Sequence[str], hidden: frozenset[SplitKey]) -> None:
        self.golds, self.titles, self.hidden = golds, titles, hidden
        self._made: dict[SplitKey, BoardSplit] = {}

    def of(self, key: SplitKey) -> BoardSplit:
        if key not in self._made:
            number = key[0]
            dataset, gold = self.golds.datasets[number], self.golds.gold(*key)
            self._made[key] = BoardSplit(dataset, self.titles[number], gold, Disclosure(key in self.hidden))
        return self._made[key]


def _part(
    splits: _BoardSplits,
    key: SplitKey,
    view: str,
    entries: Sequence[Entry],
    days: Mapping[str, date],
    kept: KeptParts,
) -> Part:
    """Made, or taken from an earlier build that made it of the same files. days: of the ledger."""
    dataset, split = splits.golds.datasets[key[0]], key[1]
    settings = (split, view, key in splits.hidden, splits.titles[key[0]], splits.golds.measures)
    in_ledger = sorted((each.name, days[each.name]) for each in entries if each.name in days)
    digest = digest_of(dataset, entries, *settings, in_ledger)
    if (found := kept.get(digest)) is not None:
        return found
    made = part(splits.of(key), key, view, entries, days, kept.pieces(digest))
    kept.keep(digest, made)
    return made


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


def _system(each: Entry, first_seen: date | None) -> BoardSystem:
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
        first_seen=first_seen,
    )
