"""What a user gives for a system: a predictions file, several runs under one name, or the folder of a trained run.

    base4.jsonl                       called as the file
    sum=sum-0.jsonl,sum-1.jsonl       one system, called sum: its runs
    sum=sum-0.jsonl sum=sum-1.jsonl   the same
    bert@local=bert.jsonl             its answers are written in that view
    runs/as                           holds run.json, or seed-0/run.json, … (or fold-0, …: several runs), or phases;
                                      called as the folder
    decided/macro                     holds predictions files, one a run; called as the folder

A path that exists is that path, also with `=` in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from anagnosis.datasets.folder.store import Dataset
from anagnosis.datasets.gold import ids_of
from anagnosis.errors import InputError
from anagnosis.io.files import display_name
from anagnosis.io.input_files import display_names
from anagnosis.io.paths import PathLike
from anagnosis.predictions import split_of
from anagnosis.training.phases import last_phase
from anagnosis.training.run_files import FACTS, MEMBER
from anagnosis.training.runs.run import finished_together


@dataclass(frozen=True, slots=True)
class SystemFiles:
    """A system as it was given. name: None for that of its file or people. chosen: whether the user wrote the name.

    runs: the predictions file or run folder of each. place: among all that were given. files: what messages call each
    run. view: as the user wrote it, None where nobody did.
    """

    name: str | None
    chosen: bool
    runs: tuple[Path, ...]
    place: int = 0
    files: tuple[str, ...] = ()
    view: str | None = None

    @property
    def called(self) -> str:
        """What messages and rows call it."""
        return self.name or display_name(self.runs[0]).partition(".jsonl")[0]


def given(argument: PathLike, place: int = 0) -> SystemFiles:
    """What an argument means; only a string can be NAME=FILE,… or NAME@VIEW=FILE,…."""
    path = Path(argument)
    name, equals, rest = str(argument).partition("=")
    if isinstance(argument, str) and equals and "/" not in name and not path.exists():
        name, at, view = name.partition("@")
        files = rest.split(",")
        if not name or not all(files):
            raise InputError("no name, or an empty file name", argument, "write NAME=FILE,FILE,…")
        runs = tuple(run for file in files for run in _runs(Path(file)))
        return SystemFiles(name, True, runs, place, view=view if at else None)
    return SystemFiles(path.resolve().name if path.is_dir() else None, False, _runs(path), place)


def by_split(
    dataset: Dataset, arguments: Sequence[PathLike], split: str | None, *, of_folders: Sequence[str]
) -> dict[str, list[SystemFiles]]:
    """The systems that have answers for each split, in the order of the dataset's.

    split: the one that was asked for. of_folders: the splits on which run folders are shown where none was.
    """
    if not arguments:
        raise InputError("no predictions file", "", "name one or more; `anagnosis predict` writes them")
    systems = [given(argument, place) for place, argument in enumerate(arguments)]
    files = iter(display_names([run for system in systems for run in system.runs]))
    systems = [replace(system, files=tuple(islice(files, len(system.runs)))) for system in systems]
    for system in systems:
        dataset.demand_view(system.view, f"{system.name}@{system.view}")
    if split is not None:
        return {split: _united(systems)}
    shown = tuple(name for name in dataset.sizes if name in of_folders) or tuple(dataset.sizes)[-1:]
    ids = {}
    if not all(run.is_dir() for system in systems for run in system.runs):
        ids = {name: ids_of(dataset, name) for name in dataset.sizes}
    found: dict[str, list[SystemFiles]] = {name: [] for name in dataset.sizes}
    for system in systems:
        lie_in = {
            file: shown if run.is_dir() else (split_of(run, ids, file),)
            for run, file in zip(system.runs, system.files, strict=True)
        }
        if len({*lie_in.values()}) > 1:
            listed = "; ".join(f"{file}: {', '.join(names)}" for file, names in lie_in.items())
            what = f"the runs of {system.called} are of different splits ({listed})"
            raise InputError(what, "", "give those of one split, or --split")
        for name in next(iter(lie_in.values())):
            found[name].append(system)
    return {name: _united(own) for name, own in found.items() if own}


def _runs(path: Path) -> tuple[Path, ...]:
    """A file is one run; so is a folder with run.json; a folder of seeds, folds or predictions files has several.

    A folder of phases is its last one.
    """
    if not path.is_dir():
        return (path,)
    path = last_phase(path)
    members = {
        (name[1], int(name[2])): folder
        for folder in path.iterdir()
        if (name := MEMBER.fullmatch(folder.name)) and (folder / FACTS).is_file()
    }
    files = sorted(path.glob("*.jsonl"), key=lambda file: (len(file.name), file.name))
    runs = finished_together(path) or [members[member] for member in sorted(members)]
    if found := runs or ([path] if (path / FACTS).is_file() else files):
        return tuple(found)
    remedy = "give a folder that `anagnosis train` wrote, or predictions files"
    raise InputError(f"a folder without {FACTS} or seed-0/{FACTS}", display_name(path), remedy)


def _united(systems: Sequence[SystemFiles]) -> list[SystemFiles]:
    """The systems; those that the user gave under one name and view are one, in the place of the first."""
    found: dict[object, SystemFiles] = {}
    for system in systems:
        key = (system.name, system.view) if system.chosen else system.place
        if first := found.get(key):
            system = replace(first, runs=first.runs + system.runs, files=first.files + system.files)
        found[key] = system
    names = [each.called for each in found.values()]
    for each in found.values():
        if each.chosen and len({run.resolve() for run in each.runs}) < len(each.runs):
            raise InputError("the same run twice", each.called, "give each run once")
        if each.chosen and names.count(each.called) > 1:
            raise InputError(f"two systems are called {each.called!r}", "", "rename one, or name one view")
    return [*found.values()]
