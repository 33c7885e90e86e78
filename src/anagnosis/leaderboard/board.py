"""A leaderboard as records: what `build` prints with `--json`, and what its page shows.

A standing is a dataset, a split, a view and a measure: systems are compared within it and never across. Figures and
tests are those of `score` and `compare`, by document, with the usual protocol of the measure. Shares are fractions.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from anagnosis.datasets.definition import definition_of
from anagnosis.datasets.folder.card import WITHHELD
from anagnosis.datasets.folder.store import Dataset
from anagnosis.datasets.gold import Gold
from anagnosis.errors import DamagedError, InputError
from anagnosis.evaluation.comparison import Ranked, compare_every_pair
from anagnosis.evaluation.measures.measure import named
from anagnosis.evaluation.protocols import SCORING, demand_fit, usual_measures, usual_protocol
from anagnosis.evaluation.scoring import score
from anagnosis.evaluation.systems import System
from anagnosis.io.paths import PathLike
from anagnosis.leaderboard.examining import Golds, SplitKey, examined
from anagnosis.leaderboard.submission import Submission, SystemFile, submissions
from anagnosis.predictions import Matched, notes
from anagnosis.progress import Progress
from anagnosis.showing import WithReport, masked_line
from anagnosis.submissions.arguments import SystemFiles
from anagnosis.submissions.matched import described, with_runs, with_trained_on
from anagnosis.version import __version__

UNIT = "document"  # what tests swap and intervals resample as one


@dataclass(frozen=True, slots=True)
class Standing:
    """dataset: its title on the board. view: empty where the systems say none. names: submission → the name of its
    system.toml. ranking: the submissions from best to worst. signature: of the comparison.
    """

    dataset: str
    split: str
    view: str
    measure: str
    protocol: str
    instances: int
    names: dict[str, str]
    ranking: tuple[Ranked, ...]
    signature: str


@dataclass(frozen=True, slots=True)
class Refused:
    """A submission that is not scored. faults: each a line."""

    submission: str
    faults: tuple[str, ...]


@dataclass(frozen=True, slots=True, repr=False)
class Board(WithReport):
    """other_datasets: submission → number of its files that were made for datasets which the board does not have."""

    standings: tuple[Standing, ...]
    refused: tuple[Refused, ...]
    other_datasets: dict[str, int]
    version: str = __version__


@dataclass(frozen=True, slots=True)
class _Entry:
    """A sound submission. systems: of each split that it answers."""

    name: str
    about: SystemFile
    systems: Mapping[SplitKey, System]
    measures: Mapping[SplitKey, tuple[str, ...]]


def board(
    folder: PathLike, datasets: Sequence[Dataset], titles: Sequence[str] = (), measures: Sequence[str] = ()
) -> Board:
    """Everything about the submissions of a folder.

    datasets: with their answers. titles: of the datasets, empty for their own. measures: empty for the usual ones.
    """
    for dataset in datasets:
        if dataset.recipe.get(WITHHELD):
            what = "is a public copy, which holds no answers to score against"
            raise InputError(what, str(dataset.folder), "give the dataset that it was copied from to --gold")
    titles, golds = _titles(datasets, titles), Golds(datasets)
    for name in measures:
        named(name)
    others: dict[str, int] = {}
    given, found = submissions(folder), list[_Entry | Refused]()
    with Progress("submissions", len(given), "submissions") as progress:
        for each in given:
            found.append(_entry(each, golds, measures, others))
            progress.advance(note=each.name)
    refused = tuple(each for each in found if isinstance(each, Refused))
    standings = _standings([each for each in found if isinstance(each, _Entry)], golds, titles)
    return Board(tuple(standings), refused, others)


def _titles(datasets: Sequence[Dataset], given: Sequence[str]) -> list[str]:
    """A title for each dataset, all different: the maintainer's, else that of what it is. InputError: a title twice."""
    own = [masked_line(definition_of(dataset.name).title) for dataset in datasets]
    titles = [title or usual for title, usual in zip(given or own, own, strict=True)]
    for title in titles:
        if titles.count(title) > 1:
            what = f"two datasets have the title {title!r}"
            raise InputError(what, "--gold", "give each its own: TITLE=FOLDER")
    return titles


def _entry(
    given: Submission, golds: Golds, measures: Sequence[str], others: dict[str, int]
) -> _Entry | Refused:
    """The submission with its files matched with the datasets, or all its faults. others: counts its other files."""
    faults = [*given.faults]
    view = given.system.view if given.system else ""
    by_place: defaultdict[SplitKey, list[tuple[Path, Matched]]] = defaultdict(list)
    for path in given.files:
        called = masked_line(path.name)
        note, unread = notes.read_with_fault(path)
        faults += [unread] if unread else []
        found = examined(path, golds, called, *notes.how_written(note, view or None))
        faults += (f"{called}: {fault}" for fault in found.faults)
        if found.place is not None and found.matched is not None:
            by_place[found.place].append((path, found.matched))
        elif not found.faults:
            others[given.name] = others.get(given.name, 0) + 1
    systems: dict[SplitKey, System] = {}
    judged: dict[SplitKey, tuple[str, ...]] = {}
    for place, files in sorted(by_place.items()) if given.system and not faults else ():
        dataset = golds.datasets[place[0]]
        if view and view not in (*dataset.kind.views, *dataset.kind.views_of_others):
            faults.append(f"system.toml: view: {dataset.kind.holds} have no view {view!r}")
        if place[1] == "train" and len(dataset.sizes) > 1:
            faults.append("answers a train part, whose answers everybody has")
        try:
            systems[place] = _system(given, files, golds.gold(*place))
            judged[place] = _measures(dataset, golds.gold(*place), systems[place].runs, measures)
        except DamagedError:  # of a dataset
            raise
        except InputError as fault:
            faults.append(f"{fault.where + ': ' if fault.where else ''}{fault.what}")
    if faults or given.system is None:
        return Refused(given.name, tuple(dict.fromkeys(faults)))
    return _Entry(given.name, given.system, systems, judged)


def _measures(dataset: Dataset, gold: Gold, runs: Sequence[Matched], asked: Sequence[str]) -> tuple[str, ...]:
    """Of the measures asked for those that judge the kind; or the usual ones of what the lines hold, and the paper's.

    Refused (InputError): lines that a measure's protocol does not count.
    """
    kind = dataset.kind
    chosen = [name for name in asked if kind.name in named(name).kinds or name in SCORING[kind.name].measures]
    if not asked:
        usual = usual_measures(kind, [(gold, run) for run in runs], None)
        chosen = [*dict.fromkeys((*usual, *definition_of(dataset.name).measures))]
    for name in chosen:
        demand_fit(gold, runs, usual_protocol(kind, named(name)), [named(name)])
    return tuple(chosen)


def _system(given: Submission, files: Sequence[tuple[Path, Matched]], gold: Gold) -> System:
    """The runs of a split as one system. Refused (InputError): a note that names another view than system.toml."""
    paths, view = tuple(path for path, _ in files), given.system.view if given.system else ""
    of = SystemFiles(given.name, True, paths, files=tuple(path.name for path in paths), view=view or None)
    system = described(of, None)
    runs = [with_trained_on(run, note.trained_on) for (_, run), note in zip(files, system.notes, strict=True)]
    return with_runs(of, system, runs, gold)[0]


def _standings(entries: Sequence[_Entry], golds: Golds, titles: Sequence[str]) -> Iterator[Standing]:
    """By the order of the datasets, their splits, the names of views, and the measures."""
    own: defaultdict[tuple[SplitKey, str], list[_Entry]] = defaultdict(list)
    for each in entries:
        for place in each.systems:
            own[place, each.about.view].append(each)
    for (place, view), those in sorted(own.items(), key=lambda one: one[0]):
        title, gold, kind = titles[place[0]], golds.gold(*place), golds.datasets[place[0]].kind
        for measure in dict.fromkeys(measure for each in those for measure in each.measures[place]):
            judged = [each for each in those if measure in each.measures[place]]
            protocol = usual_protocol(kind, named(measure))
            ranking, signature = _ranking(
                gold, [each.systems[place] for each in judged], measure, protocol, view
            )
            names = {each.name: each.about.name for each in judged}
            of = (title, place[1], view, measure, protocol)
            yield Standing(*of, len(gold), names, ranking, signature)


def _ranking(
    gold: Gold, systems: Sequence[System], measure: str, protocol: str, view: str
) -> tuple[tuple[Ranked, ...], str]:
    """The systems ranked by a measure, and the signature of the comparison."""
    if len(systems) == 1:
        (system,) = systems
        own = score(gold, system, protocol=protocol, measures=[measure], unit=UNIT)
        return (Ranked(1, system.name, own.estimate, own.problems, 0, (1, 1)),), own.signature
    tested = compare_every_pair(
        gold, systems, protocol=protocol, unit=UNIT, seed=0, measure=measure, view=view or None
    )
    return tested.ranking, tested.signature
