"""Submissions as entries of a board: their files matched with the datasets."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from anagnosis.datasets.gold import Gold
from anagnosis.errors import DamagedError, InputError
from anagnosis.evaluation.measures.measure import named
from anagnosis.evaluation.protocols import demand_fit, people_protocol, usual_measures, usual_protocol
from anagnosis.evaluation.systems import System
from anagnosis.leaderboard import system_file
from anagnosis.leaderboard.examining import Examined, examined
from anagnosis.leaderboard.golds import Golds, SplitKey
from anagnosis.leaderboard.submission import Submission
from anagnosis.leaderboard.system_file import LONGEST_NAME, SystemFile
from anagnosis.predictions import Matched, notes
from anagnosis.predictions.notes import writing_of
from anagnosis.showing import masked_line
from anagnosis.submissions.arguments import SystemFiles
from anagnosis.submissions.matched import described, with_runs, with_trained_on
from anagnosis.wording import shortened


@dataclass(frozen=True)
class Entry:
    """A submission with what its files hold. faults: each a line; an entry with faults is not scored.

    examined: of each file. systems, people: of each split that it answers. measures: of each
    split, those by which it is judged.
    """

    submission: Submission
    examined: Mapping[Path, Examined]
    faults: tuple[str, ...] = ()
    systems: Mapping[SplitKey, System] = field(default_factory=dict[SplitKey, System])
    people: Mapping[SplitKey, tuple[Matched, ...]] = field(
        default_factory=dict[SplitKey, tuple[Matched, ...]]
    )
    measures: Mapping[SplitKey, tuple[str, ...]] = field(default_factory=dict[SplitKey, tuple[str, ...]])

    @property
    def name(self) -> str:
        """The submission's."""
        return self.submission.name

    @property
    def about(self) -> SystemFile:
        """What system.toml says, of an entry without faults."""
        if self.submission.system is None:
            raise ValueError(f"{self.submission.shown} has faults")
        return self.submission.system

    @cached_property
    def places(self) -> tuple[SplitKey, ...]:
        """The splits that it answers."""
        return tuple(sorted({*self.systems, *self.people}))

    def files(self, place: SplitKey) -> tuple[str, ...]:
        """The names of the files that answer a split."""
        return tuple(
            path.name for path, found in self.examined.items() if (found.place, found.split) == place
        )


def entry(submission: Submission, golds: Golds) -> Entry:
    """The submission, its files examined if its folder has no fault of its own.

    Files are examined beside the folder's faults, too, so that all are reported at once.
    """
    faults = [*submission.faults]
    files: dict[Path, Examined] = {}
    by_place: defaultdict[SplitKey, list[tuple[Path, tuple[Matched, ...]]]] = defaultdict(list)
    view = system_file.view_of(submission.folder / system_file.FILE)
    for path in submission.files:
        called = masked_line(path.name)
        note, _ = notes.read_with_fault(path)
        files[path] = found = examined(path, golds, called, writing_of(note, view))
        faults += (f"{called}: {fault}" for fault in found.faults)
        by_place[found.place, found.split].append((path, found.matched))
    if faults:
        # The size of a file is a fault of the folder and one of the file.
        return Entry(submission, files, _distinct(faults))
    systems: dict[SplitKey, System] = {}
    people: dict[SplitKey, tuple[Matched, ...]] = {}
    measures: dict[SplitKey, tuple[str, ...]] = {}
    for place, own in sorted(by_place.items(), key=lambda each: each[0]):
        persons = [each for _, matched in own for each in matched if each.annotator is not None]
        faults += _view_faults(submission, golds, place)
        faults += _split_faults(golds, place)
        if persons:
            alone = len(persons) == sum(len(matched) for _, matched in own)
            faults += _people_faults(persons, alone=alone)
            people[place] = tuple(persons)
        try:
            if not persons:
                systems[place] = _system(submission, own, golds.gold(*place))
            runs = people.get(place) or systems[place].runs
            measures[place] = _measures(golds, place, runs, by_people=bool(persons))
        except DamagedError:  # of a dataset
            raise
        except InputError as fault:
            faults.append(f"{fault.where + ': ' if fault.where else ''}{fault.what}")
    return Entry(submission, files, _distinct(faults), systems, people, measures)


def _distinct(faults: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(faults))


def _measures(golds: Golds, place: SplitKey, runs: Sequence[Matched], *, by_people: bool) -> tuple[str, ...]:
    """The measures asked for that judge the kind, or the usual ones of what the lines hold and those of the paper.

    Refused (InputError): lines that the measures' protocol does not count, such as answers that are none of the labels.
    """
    kind, gold = golds.datasets[place[0]].kind, golds.gold(*place)
    usual = () if golds.measures else usual_measures(kind, [(gold, run) for run in runs], None)
    chosen = tuple(dict.fromkeys((*usual, *golds.named_measures(place[0]))))
    for name in chosen:
        protocol = usual_protocol(kind, named(name))
        demand_fit(gold, runs, people_protocol(gold, protocol) if by_people else protocol, [named(name)])
    return chosen


def _view_faults(submission: Submission, golds: Golds, place: SplitKey) -> Iterable[str]:
    """A view that no reader of the dataset's kind has."""
    view, kind = submission.system.view if submission.system else "", golds.datasets[place[0]].kind
    if view and view not in kind.views and view not in kind.views_of_others:
        yield f"system.toml: view: {kind.holds} have no view {view!r} (views: {', '.join(kind.views)})"


def _split_faults(golds: Golds, place: SplitKey) -> Iterable[str]:
    """The train part of a dataset that has others: everybody has its answers."""
    number, split = place
    if split == "train" and len(golds.datasets[number].sizes) > 1:
        yield f"answers {golds.called(number, split)}, which is for training and has no board"


def _people_faults(persons: Sequence[Matched], *, alone: bool) -> Iterable[str]:
    """alone: whether nobody but people answered the split."""
    if not alone:
        yield "files of people and of a system are for one split; give each a folder"
    names = [each.annotator for each in persons]
    for called in dict.fromkeys(text for each in persons for text in (each.annotator, each.group) if text):
        if len(called) > LONGEST_NAME:
            yield f"the annotator or group {shortened(called)!r} has {len(called):,} characters, {LONGEST_NAME} at most"
    for name in dict.fromkeys(names):
        if names.count(name) > 1:
            yield f"annotator {name!r} has two files"


def _system(submission: Submission, files: Sequence[tuple[Path, tuple[Matched, ...]]], gold: Gold) -> System:
    """The runs of a split as one system. Refused (InputError): a note that names another view than system.toml."""
    about = submission.system
    paths = tuple(path for path, _ in files)
    given = SystemFiles(submission.name, True, paths, files=tuple(path.name for path in paths))
    system = described([given], (about.view if about else "") or None)[given]
    runs: list[Matched] = []
    for (_, matched), note in zip(files, system.notes, strict=True):
        (run,) = matched
        runs.append(with_trained_on(run, note.trained_on))
    return with_runs(given, system, runs, gold)[0]
