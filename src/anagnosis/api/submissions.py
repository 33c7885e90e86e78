"""What a user gives for a system: a predictions file, several runs under one name, or the folder of a trained run.

    base4.jsonl                       called as the file
    own=own-0.jsonl,own-1.jsonl       two runs of one system, called own
    runs/as                           holds run.json, or seed-0/run.json, … (or fold-0, …: several runs), or phases;
                                      called as the folder
    decided/macro                     holds predictions files, one a run; called as the folder

A path that exists is that path, also with `=` or `,` in it. A run folder keeps its predictions; they are made
where they are missing. What a system saw, its view, is known from the run folder, from the note beside its predictions,
or from the name that lm-eval gave to its samples; of other files it is not known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import combinations, islice
from pathlib import Path
from typing import TYPE_CHECKING

from anagnosis.api.predicting import beside, ready_for_torch
from anagnosis.errors import InputError
from anagnosis.files import STANDARD_INPUT, display_name
from anagnosis.input_files import display_names
from anagnosis.paths import PathLike

if TYPE_CHECKING:
    from anagnosis.datasets.folder.store import Dataset
    from anagnosis.datasets.gold import Gold
    from anagnosis.datasets.question_keys import Keys
    from anagnosis.evaluation.systems import System
    from anagnosis.predictions import Matched, Problem
    from anagnosis.predictions.notes import DecisionNote
    from anagnosis.reports.systems.systems import Training


@dataclass(frozen=True, slots=True)
class Given:
    """A system as it was given. name: None for that of its file or people. chosen: whether the user wrote the name.

    runs: the predictions file or run folder of each. place: among all that were given. path: as given; None for
    NAME=FILE,…. files: what messages call each run. apart: how it is called beside another of the same name.
    """

    name: str | None
    chosen: bool
    runs: tuple[Path, ...]
    path: Path | None = None
    place: int = 0
    files: tuple[str, ...] = ()
    apart: str | None = None

    @property
    def called(self) -> str:
        """What messages and rows call it."""
        return self.apart or self.name or display_name(self.runs[0]).partition(".jsonl")[0]


def given(argument: PathLike) -> Given:
    """What an argument means; only a string can be NAME=FILE,…."""
    name, equals, rest = str(argument).partition("=")
    if isinstance(argument, str) and equals and "/" not in name and not _exists(argument):
        if not name:
            raise InputError("no name before =", argument, "write NAME=FILE,FILE,…")
        found = tuple(run for path in _paths(rest, argument) for run in _runs(path))
        if len({run.resolve() for run in found}) < len(found):
            raise InputError("the same run twice", argument, "give each run once")
        return Given(name, True, found)
    path = Path(argument)
    return Given(path.resolve().name if path.is_dir() else None, False, _runs(path), path)


def by_split(
    dataset: Dataset, arguments: Sequence[PathLike], split: str | None, *, of_folders: Sequence[str]
) -> dict[str, list[Given]]:
    """The systems that have answers for each split, in the order of the dataset's.

    split: the one that was asked for. of_folders: the splits on which run folders are shown where none was.
    """
    from anagnosis.datasets.gold import ids_of
    from anagnosis.predictions import fingerprints, split_of

    if not arguments:
        raise InputError("no predictions file", "", "name one or more; `anagnosis predict` writes them")
    systems = [replace(given(argument), place=place) for place, argument in enumerate(arguments)]
    files = iter(display_names([run for system in systems for run in system.runs]))
    systems = [replace(system, files=tuple(islice(files, len(system.runs)))) for system in systems]
    if split is not None:
        _refuse_same_names(systems)
        return _set_apart({split: systems})
    shown = tuple(name for name in dataset.rows if name in of_folders) or tuple(dataset.rows)[-1:]
    ids = {}
    if not all(run.is_dir() for system in systems for run in system.runs):
        ids = {name: ids_of(dataset, name) for name in dataset.rows}
    found: dict[str, list[Given]] = {name: [] for name in dataset.rows}
    for system in systems:
        lie_in = [
            shown if run.is_dir() else (split_of(run, ids, partial(fingerprints, dataset), file),)
            for run, file in zip(system.runs, system.files, strict=True)
        ]
        if len(set(lie_in)) > 1:
            told = "; ".join(f"{file}: {', '.join(names)}" for file, names in zip(system.files, lie_in))
            what = f"the runs of {system.called} are of different splits ({told})"
            raise InputError(what, "", "give those of one split, or --split")
        for name in lie_in[0]:
            found[name].append(system)
    for own in found.values():
        _refuse_same_names(own)
    return _set_apart({name: own for name, own in found.items() if own})


def _set_apart(found: dict[str, list[Given]]) -> dict[str, list[Given]]:
    """The same systems, those that share a name on a split with as much of their paths as sets them apart."""
    shared = {
        one.called
        for own in found.values()
        for one, other in combinations(own, 2)
        if one.called == other.called and one.path != other.path and None not in (one.path, other.path)
    }
    apart: dict[Path, str] = {}
    for name in shared:
        paths = {each.path for own in found.values() for each in own if each.called == name and each.path}
        apart |= dict(zip(paths, display_names([*paths]), strict=True))
    return {
        split: [
            replace(each, apart=apart[each.path].partition(".jsonl")[0]) if each.path in apart else each
            for each in own
        ]
        for split, own in found.items()
    }


def one_split(dataset: Dataset, arguments: Sequence[PathLike]) -> tuple[str, list[Given]]:
    """The split in which the answers of all systems lie; of run folders, test."""
    found = by_split(dataset, arguments, None, of_folders=("test",))
    if len(found) > 1:
        told = "; ".join(
            f"{split}: {', '.join(file for system in own for file in system.files)}"
            for split, own in found.items()
        )
        raise InputError(
            f"the files are for different splits ({told})", "", "give those of one split, or --split"
        )
    return next(iter(found.items()))


def matched(
    dataset: Dataset,
    systems: Sequence[Given],
    split: str,
    *,
    check_fingerprint: bool,
    tokens: bool = False,
    taught: bool = True,
) -> tuple[Gold, list[tuple[Given, System]]]:
    """The systems held against a split; a file of several people gives a system for each. tokens: as for `Gold.of`.

    taught: count the instances that a system was trained on among its problems.
    """
    from anagnosis.datasets.folder.store import ALL
    from anagnosis.datasets.gold import Gold, ids_of
    from anagnosis.datasets.question_keys import keys_of
    from anagnosis.evaluation.systems import System
    from anagnosis.predictions import match, match_each

    gold = Gold.of(dataset, split, tokens=tokens)
    elsewhere = {name: ids_of(dataset, name) for name in dataset.rows if split not in (name, ALL)}
    found: list[tuple[Given, System]] = []
    asked = cache(partial(keys_of, dataset, split))
    for system in systems:
        files = [_predictions(run, dataset, split) for run in system.runs]
        if system.name is None:
            alone = match_each(
                files[0],
                gold,
                elsewhere=elsewhere,
                check_fingerprint=check_fingerprint,
                called=system.files[0],
            )
            told = _trained_on(system.runs[0], dataset, split, asked) if taught else None
            if system.apart:
                alone = [replace(each, name=system.apart) for each in alone]
            untrained = _untrained(system.runs)
            found += [
                (system, replace(System.alone(_with(each, told)), untrained=untrained)) for each in alone
            ]
        else:
            runs = [
                _with(
                    match(
                        file, gold, elsewhere=elsewhere, check_fingerprint=check_fingerprint, called=called
                    ),
                    _trained_on(run, dataset, split, asked) if taught else None,
                )
                for run, file, called in zip(system.runs, files, system.files, strict=True)
            ]
            folds, untrained = _are_folds(system.runs), _untrained(system.runs)
            found.append((system, System(system.called, tuple(runs), folds, untrained)))
    return gold, found


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of a system. view: what it saw; training: of its runs; None where nobody told.

    faults: why its training is not shown where something was told. unread: the faults of its notes.
    """

    view: str | None
    training: Training | None = None
    faults: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()


def known_of(systems: Iterable[Given], view: str | None) -> dict[Given, Known]:
    """What is known of each system. view: what the user says that all saw; it may not contradict what is known."""
    found = {system: _known(system) for system in systems}
    if view is None:
        return found
    for system, known in found.items():
        if known.view not in (None, view):
            raise InputError(
                f"{system.called} saw the {known.view} view, not {view}",
                "--view",
                "leave it out: the signature tells what is known",
            )
    return {system: replace(known, view=view) for system, known in found.items()}


def _known(system: Given) -> Known:
    from anagnosis.predictions import lm_eval, notes
    from anagnosis.reports.systems.systems import Training

    found: list[notes.TrainingNote] = []
    unread: list[str] = []
    views: dict[str, Path] = {}
    for run in system.runs:
        note = notes.Note()
        try:
            note = notes.of_run(run) if run.is_dir() else notes.read(run)
        except InputError as fault:
            unread.append(str(fault))
        if note.training is not None:
            found.append(note.training)
        seen = note.view or lm_eval.view(run)
        if seen is not None:
            views.setdefault(seen, run)
    if len(views) > 1:
        told = "; ".join(f"{display_name(run)}: {seen}" for seen, run in views.items())
        what = f"the runs of {system.called} saw different views ({told})"
        raise InputError(what, "", "a system is of one view: give each view a name of its own")
    lacking = [f"{len(found)} of {len(system.runs)} runs tell theirs"] if found else []
    why = unread or (lacking if len(found) < len(system.runs) else [])
    return Known(
        view=next(iter(views), None),
        training=Training.of(found) if found and not why else None,
        faults=tuple(f"The training of {system.called} is not shown: {fault}." for fault in why),
        unread=tuple(unread),
    )


def _exists(path: str) -> bool:
    return path == STANDARD_INPUT or Path(path).exists()


def _paths(text: str, argument: str) -> list[Path]:
    """The paths of a list with commas; of names with commas in them the longest that exists."""
    parts = text.split(",")
    found: list[Path] = []
    while parts:
        taken = next((n for n in range(len(parts), 1, -1) if _exists(",".join(parts[:n]))), 1)
        path = ",".join(parts[:taken])
        if not path:
            raise InputError("an empty file name", argument, "write NAME=FILE,FILE,…")
        found.append(Path(path))
        parts = parts[taken:]
    return found


def _runs(path: Path) -> tuple[Path, ...]:
    """A file is one run; so is a folder with run.json; a folder of seeds, folds or predictions files has several.

    A folder of phases is its last one.
    """
    if not path.is_dir():
        return (path,)
    from anagnosis.training.run_files import FACTS, MEMBER
    from anagnosis.training.runs.phase_folder import last_phase
    from anagnosis.training.runs.run import finished_together

    path = last_phase(path)
    if together := finished_together(path):
        return tuple(together)
    members = {
        (name[1], int(name[2])): folder
        for folder in path.iterdir()
        if (name := MEMBER.fullmatch(folder.name)) and (folder / FACTS).is_file()
    }
    if members:
        return tuple(members[member] for member in sorted(members))
    if (path / FACTS).is_file():
        return (path,)
    if files := sorted(path.glob("*.jsonl"), key=lambda file: (len(file.name), file.name)):
        _refuse_mixed(path, files)
        return tuple(files)
    raise InputError(
        f"a folder without {FACTS} or seed-0/{FACTS}",
        display_name(path),
        "give a folder that `anagnosis train` wrote, or predictions files",
    )


def _are_folds(runs: Sequence[Path]) -> bool:
    """Whether all are called fold-0, fold-1, …, as `train --folds` and `decide` name the models."""
    from anagnosis.training.run_files import MEMBER

    names = [MEMBER.fullmatch(run.name.partition(".")[0]) for run in runs]
    return len(runs) > 1 and all(name is not None and name[1] == "fold" for name in names)


def _untrained(runs: Sequence[Path]) -> bool:
    """Whether the notes beside all predictions say that their reader is not trained."""
    from anagnosis.predictions import notes

    try:
        return all(not run.is_dir() and notes.read(run).untrained for run in runs)
    except InputError:
        return False  # `known_of` tells of it


def _refuse_mixed(folder: Path, files: Sequence[Path]) -> None:
    """Refuse decisions that are not one system: by several rules or calibrations, or not of all its models."""
    decisions = [_decision(file) for file in files]
    told = [own for own in decisions if own is not None]
    if not told:
        return
    what = ""
    if len(told) < len(files):
        other = next(file for file, own in zip(files, decisions, strict=True) if own is None)
        what = f"holds decisions, and {display_name(other)}, whose note speaks of none"
    elif len({(own.rule, own.calibrate, own.together) for own in told}) > 1:
        kinds = dict.fromkeys(f"{own.rule}, {own.calibrate}, of {len(own.together) or 1}" for own in told)
        what = f"holds decisions of several kinds ({'; '.join(kinds)})"
    elif lacking := [name for name in told[0].together if folder / f"{name}.jsonl" not in files]:
        what = f"lacks the decisions of {len(lacking)} of its models ({', '.join(lacking[:3])})"
    if what:
        raise InputError(
            what, display_name(folder), "run `anagnosis decide` again, with a new folder for --out"
        )


def _decision(file: Path) -> DecisionNote | None:
    from anagnosis.predictions import notes

    try:
        return notes.read(file).decision
    except InputError:
        return None  # `known_of` tells of it


def _predictions(run: Path, dataset: Dataset, split: str) -> Path:
    if not run.is_dir():
        return run
    ready_for_torch("predicting with a trained run")
    from anagnosis.training.runs.predicting import kept_predictions

    return kept_predictions(run, dataset, split, kept=beside(run))


def _trained_on(run: Path, dataset: Dataset, split: str, asked: Callable[[], Keys]) -> Problem | None:
    """What a run was trained on of a split: by its folder, or by the note beside its predictions."""
    if run.is_dir():
        from anagnosis.training.runs.provenance import trained_on

        return trained_on([run], dataset, split, asked=asked)
    from anagnosis.predictions import notes

    try:
        return notes.read(run).trained_on
    except InputError:
        return None  # `known_of` tells of it


def _with(run: Matched, trained_on: Problem | None) -> Matched:
    if trained_on is None:
        return run
    from anagnosis.predictions import PROBLEMS

    every = {**run.problems, "trained_on": trained_on}
    return replace(run, problems={name: every[name] for name in PROBLEMS if name in every})


def _refuse_same_names(systems: Sequence[Given]) -> None:
    names = [system.called for system in systems]
    for system in systems:
        if system.chosen and names.count(system.called) > 1:
            raise InputError(
                f"two systems are called {system.called!r}",
                "",
                "give each a name of its own, and a system's runs in one",
            )
