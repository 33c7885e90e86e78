"""Systems as a user gave them, matched with the gold side of a split.

A run folder keeps its predictions; they are made where they are missing. What a system saw, its view, is known from the
run folder or from the note beside its predictions; of other files it is not known.

People are systems too: those of files, in the view in which they answered, and those whose labels lie in a dataset.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path

from anagnosis.datasets.folder import store
from anagnosis.datasets.folder.store import Dataset
from anagnosis.datasets.gold import Gold
from anagnosis.datasets.kinds.decision import DecisionInstance
from anagnosis.datasets.question_keys import Keys, keys_of
from anagnosis.encoders.cpu import ready_for_torch
from anagnosis.errors import InputError
from anagnosis.evaluation.results import SplitSystems
from anagnosis.evaluation.systems import System, Training, runs_of
from anagnosis.io.counts import Counts
from anagnosis.io.files import display_name
from anagnosis.io.paths import PathLike
from anagnosis.predictions import PROBLEMS, Matched, Prediction, Problem, match_each, notes
from anagnosis.predictions.annotators import Matching
from anagnosis.predictions.matching import the_one
from anagnosis.predictions.notes import Note
from anagnosis.predictions.problems import NAMED
from anagnosis.submissions import arguments
from anagnosis.submissions.arguments import SystemFiles
from anagnosis.training.phases import beside
from anagnosis.training.run_files import MEMBER
from anagnosis.word_vectors.answer_vectors import AnswerVectors


@dataclass(frozen=True, slots=True)
class HowMatched:
    """How predictions are matched.

    check_fingerprint: as of `match_each`. keep_unmatched: refuse no file for answers that match no candidate. free:
    with the texts of answers, for measures that compare them (`Gold.of`). vectors: by which texts are compared.
    """

    check_fingerprint: bool = True
    keep_unmatched: bool = False
    free: bool = False
    vectors: AnswerVectors | None = None


def entered(
    dataset: Dataset,
    files: Sequence[PathLike],
    split: str | None,
    how: HowMatched,
    *,
    view: str | None,
    of_folders: Sequence[str] = ("test",),
) -> dict[str, SplitSystems]:
    """Split → the systems that have answers for it.

    split: the one that was asked for. view: as of `described`. of_folders: the splits on which run folders are scored
    where none was asked for.
    """
    given = arguments.by_split(dataset, files, split, of_folders=of_folders)
    return {
        name: _matched(
            Gold.of(dataset, name, free=how.free),
            dataset,
            own,
            view,
            how,
            # Where train is one of the splits that are shown of every system, its name says it.
            training=split is not None or name != "train" or name not in of_folders,
        )
        for name, own in given.items()
    }


def of_one_split(
    dataset: Dataset, files: Sequence[PathLike], split: str | None, how: HowMatched, *, view: str | None
) -> SplitSystems:
    """The systems of the one split that all have answers for. view: as of `described`."""
    found = arguments.by_split(dataset, files, split, of_folders=("test",))
    split = the_one([(file, name) for name, own in found.items() for each in own for file in each.files])
    return _matched(Gold.of(dataset, split, free=how.free), dataset, found[split], view, how)


def _matched(
    gold: Gold,
    dataset: Dataset,
    systems: Sequence[SystemFiles],
    view: str | None,
    how: HowMatched,
    *,
    training: bool = True,
) -> SplitSystems:
    """The systems matched with a split; a file of several people gives a system for each.

    training: count the instances that a system was trained on among its problems.
    """
    gold = replace(gold, vectors=how.vectors)
    split = gold.split
    found: list[System] = []
    asked = cache(partial(keys_of, dataset, split))
    for system in systems:
        known, runs = described(system, view), list[Matched]()
        for run, note, called in zip(system.runs, known.notes, system.files, strict=True):
            seen, kept = notes.how_written(note, known.view, how.keep_unmatched)
            people = match_each(
                predictions_file(run, dataset, split),
                gold,
                check_fingerprint=how.check_fingerprint,
                called=called,
                view=None if run.is_dir() else seen,
                kept=kept or run.is_dir(),
            )
            if system.name is not None and len(people) > 1:
                who = ", ".join(str(each.annotator) for each in people[:NAMED])
                what = f"it holds the answers of {len(people)} annotators ({who})"
                raise InputError(what, called, "see `anagnosis agreement`")
            trained_on = _trained_on(run, note, dataset, split, asked) if training else None
            runs += (with_trained_on(each, trained_on) for each in people)
        found += with_runs(system, known, runs, gold)
    return SplitSystems(gold, tuple(found))


def with_runs(given: SystemFiles, system: System, runs: Sequence[Matched], gold: Gold) -> list[System]:
    """The system with its matched runs, or a system for each person where the user named none."""
    if given.name is not None:
        return [replace(system, runs=runs_of(runs, gold, system.name), folds=system.folds and len(runs) > 1)]
    return [replace(system, name=each.annotator or each.name, runs=(each,), folds=False) for each in runs]


def described(system: SystemFiles, view: str | None) -> System:
    """A system without its runs, which are not read yet. view: what the user says that it saw, where it has none.

    Neither that nor its own may contradict what is known.
    """
    read = [notes.read_with_fault(run) for run in system.runs]
    of_runs, unread = tuple(note for note, _ in read), tuple(fault for _, fault in read if fault)
    found = [note.training for note in of_runs if note.training is not None]
    views: dict[str, PathLike] = {}
    for run, note in zip(system.runs, of_runs, strict=True):
        if note.view:
            views.setdefault(note.view, run)
    if len(views) > 1:
        listed = "; ".join(f"{display_name(run)}: {of}" for of, run in views.items())
        what = f"the runs of {system.called} saw different views ({listed})"
        raise InputError(what, "", "a system is of one view: give each view a name of its own")
    known, said = next(iter(views), None), system.view or view
    if known and said and known != said:
        what = f"{system.called} saw the {known} view, not {said}"
        remedy = "leave it out: the signature tells what is known"
        raise InputError(what, "" if system.view else "--view", remedy)
    lacking = f"{len(found)} of {len(system.runs)} runs tell theirs"
    why = unread or ((lacking,) if 0 < len(found) < len(system.runs) else ())
    return System(
        system.called,
        (),
        folds=_are_folds(system.runs),
        untrained=all(note.untrained for note in of_runs),
        place=system.place,
        view=known or said,
        training=Training.of(found) if found and not why else None,
        faults=tuple(f"The training of {system.called} is not shown: {fault}." for fault in why),
        unread=unread,
        notes=of_runs,
    )


def _are_folds(runs: Sequence[Path]) -> bool:
    """Whether all are called fold-0, fold-1, …, as `train --folds` and `decide` name the models."""
    names = [MEMBER.fullmatch(run.name.partition(".")[0]) for run in runs]
    return len(runs) > 1 and all(name is not None and name[1] == "fold" for name in names)


def predictions_file(run: Path, dataset: Dataset, split: str) -> Path:
    """The predictions of a run for a split: a file as it is, those of a run folder, made where they are missing."""
    if not run.is_dir():
        return run
    ready_for_torch("predicting with a trained run")
    from anagnosis.training.runs.predicting import kept_predictions

    return kept_predictions(run, dataset, split, kept=beside(run))


def _trained_on(
    run: Path, note: Note, dataset: Dataset, split: str, asked: Callable[[], Keys]
) -> Problem | None:
    """What a run was trained on of a split: by its folder, or by the note beside its predictions."""
    if not run.is_dir():
        return note.trained_on
    from anagnosis.training.runs.provenance import trained_on

    return trained_on([run], dataset, split, asked())


def with_trained_on(run: Matched, trained_on: Problem | None) -> Matched:
    """The run with the instances that it was trained on among its problems; None: none are known."""
    every = run.problems if trained_on is None else {**run.problems, "trained_on": trained_on}
    run.problems = {name: every[name] for name in PROBLEMS if name in every}
    return run


def people_view(files: Sequence[PathLike]) -> str | None:
    """The one view of all files whose notes name one; None where none does. InputError: they name two."""
    views = {view: display_name(file) for file in files if (view := notes.read(file).view)}
    if len(views) > 1:
        listed = "; ".join(f"{name}: {view}" for view, name in views.items())
        what = f"the people answered in different views ({listed})"
        raise InputError(what, "", "give the files of one view")
    return next(iter(views), None)


def stored_people(dataset: Dataset, gold: Gold) -> list[Matched]:
    """The answers of each annotator of a split, which lie in the dataset itself."""
    matchings: dict[str, Matching] = {}
    for row, instance in enumerate(store.instances(dataset, gold.split, of=DecisionInstance)):
        keys = dataset.kind.keys(instance)
        for name, label in instance.annotators:
            matching = matchings.setdefault(name, Matching(gold, name))
            matching.add(row, Prediction(instance.id, label), keys)
    if not matchings:
        raise InputError("holds no labels of people", str(dataset.folder), "give predictions files of people")
    return [matching.matched(name, Counts()) for name, matching in matchings.items()]
