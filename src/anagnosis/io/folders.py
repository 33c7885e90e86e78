"""Folders that commands make: recognise ours, refuse those with other files, publish one atomically.

A dataset, a run, a search of settings and an index each fill a folder into which no other command writes. A command
that makes a folder replaces its entire content or nothing, so it refuses a folder with other files.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from anagnosis.errors import InputError
from anagnosis.io import folder_names as names
from anagnosis.io.decoding import json_or_none
from anagnosis.io.files import abandoned, locked
from anagnosis.io.paths import naming_faults
from anagnosis.progress import tell

_ELSEWHERE = "choose another --out"
SHOWN = 3  # names of other files in a message


class _Receipt(msgspec.Struct):
    recipe_sha256: str


class _Facts(msgspec.Struct):
    reader: str
    train: msgspec.Raw


class _Seeds(msgspec.Struct):
    seeds: list[int]


class _Folds(msgspec.Struct):
    folds: list[int]


class _Phases(msgspec.Struct):
    schedule: str
    phases: msgspec.Raw


class _Settings(msgspec.Struct):
    format: int
    engine: str


class _Site(msgspec.Struct):
    leaderboard: str
    files: dict[str, str]


class _Finished(msgspec.Struct):
    finished: Literal[True]


class _Ended(msgspec.Struct):
    """Keys of an index that at least one call wrote and that has no unfinished call."""

    runs: Annotated[int, msgspec.Meta(gt=0)]
    unfinished: Literal[""] = ""


# File that we write when all runs or phases of a folder are finished → its content.
_SUMMARIES = {names.REPLICATES["seed"]: _Seeds, names.REPLICATES["fold"]: _Folds, names.PHASES: _Phases}


def _is_dataset(folder: Path) -> bool:
    receipt, data = folder / names.RECEIPT, folder / names.DATA
    unfinished = folder / ".work" / "lock"
    return _holds(receipt, _Receipt) or (data.is_dir() and (receipt.is_file() or unfinished.is_file()))


def _is_run(folder: Path) -> bool:
    return (
        _is_single_run(folder)
        or any(_holds(folder / name, value) for name, value in _SUMMARIES.items())
        or any(_is_single_run(folder / name) for name in (*names.MEMBERS, *names.PHASE_FOLDERS))
        or any(
            _is_single_run(folder / phase / name) for phase in names.PHASE_FOLDERS for name in names.MEMBERS
        )
    )


def _is_single_run(folder: Path) -> bool:
    facts = folder / names.RUN
    return (
        _holds(facts, _Facts)
        or (facts.is_file() and (folder / names.RECIPE).is_file())
        or _holds(folder / names.GIVEN_UP, _Facts)
    )


def _is_search(folder: Path) -> bool:
    return (folder / names.JOURNAL).is_file()


def _is_index(folder: Path) -> bool:
    settings = folder / names.INDEX
    return _holds(settings, _Settings) or (settings.is_file() and (folder / "embedded").is_dir())


def _is_board(folder: Path) -> bool:
    return _holds(folder / names.MANIFEST, _Site)


# Kind of folder → whether a folder is one, finished or not. We recognise damaged files by those beside them.
KINDS: dict[str, Callable[[Path], bool]] = {
    "dataset": _is_dataset,
    "run": _is_run,
    "search of settings": _is_search,
    "index": _is_index,
    "leaderboard": _is_board,
}


def kind_of(folder: Path) -> str | None:
    """The kind of a folder of ours; None for any other or missing folder."""
    with suppress(OSError):
        return next((kind for kind, is_one in KINDS.items() if is_one(folder)), None)
    return None


# Kind of folder → the commands that make it.
MADE_BY = {
    "dataset": "`anagnosis build`, `import` or `sample`",
    "run": "`anagnosis train`",
    "search of settings": "`anagnosis tune`",
    "index": "`anagnosis index`",
    "leaderboard": "`anagnosis leaderboard build`",
}


def is_unfinished(folder: Path) -> bool:
    """Whether a folder is ours and its command was stopped or is still running."""
    kind = kind_of(folder)
    if kind == "dataset":
        return not (folder / names.RECEIPT).is_file()
    if kind == "run":
        return _is_unfinished_run(folder)
    if kind == "search of settings":
        # The folder does not record the requested number of trials, so a search between two trials may be finished.
        return not (folder / "best.toml").is_file() or any(map(_is_unfinished_run, folder.glob("trial-*")))
    return kind == "index" and not _holds(folder / names.INDEX, _Ended)


def _is_unfinished_run(folder: Path) -> bool:
    if _is_single_run(folder):
        return not _holds(folder / names.RUN, _Finished)
    return not any((folder / file).is_file() for file in _SUMMARIES)


def enclosing_folder(folder: Path) -> tuple[Path, str] | None:
    """(folder, kind) of ours that a folder is or lies in, whether it exists or not; None: of none."""
    place = folder.resolve()
    for one in (place, *place.parents):
        if kind := kind_of(one):
            return one, kind
    return None


def refuse_inside_ours(path: Path, outside: set[Path] | None = None) -> None:
    """Refuse (InputError) a path that lies in a folder of ours or links into one.

    outside: folders that are known to lie in none; those of the path are added.
    """
    for place in dict.fromkeys((path.parent, path.resolve().parent)):
        if outside is not None and place in outside:
            continue
        if enclosing := enclosing_folder(place):
            folder, kind = enclosing
            raise InputError(
                f"lies in the folder of {with_article(kind)} ({folder}), which holds nothing else",
                str(path),
                "choose a place outside it",
            )
        if outside is not None:
            outside.add(place)


def with_article(kind: str) -> str:
    """A kind of folder with its indefinite article."""
    return f"an {kind}" if kind[0] in "aeio" else f"a {kind}"


def refuse_foreign(folder: Path, foreign: Iterable[str]) -> None:
    """Refuse (InputError) a folder with files that are not ours. foreign: their names, relative to it."""
    others = sorted(foreign)
    if others:
        more = f" and {len(others) - SHOWN:,} more" if len(others) > SHOWN else ""
        raise InputError(
            f"holds other files ({', '.join(others[:SHOWN])}{more})",
            str(folder),
            "choose an empty or new folder for --out, or move them elsewhere",
        )


def refuse_links(folder: Path) -> None:
    """Refuse (InputError) links in a folder, also deep in it: to write or delete through one changes other folders."""
    for at, folders, files in os.walk(folder):
        folders.sort()
        for name in sorted((*folders, *files)):
            refuse_link(Path(at, name))


def refuse_link(path: Path) -> None:
    """Refuse (InputError) a link where we write or delete."""
    if path.is_symlink():
        raise InputError(
            "is a link, and we write and delete nothing through one",
            str(path),
            "remove the link",
        )


def refuse_other_files(folder: Path, is_ours: Callable[[Path], bool] = lambda _: False) -> None:
    """Refuse (InputError) an existing folder with entries that are not ours."""
    if folder.is_dir():
        refuse_foreign(folder, (entry.name for entry in folder.iterdir() if not is_ours(entry)))


@contextmanager
def written_at_once(folder: Path) -> Generator[Path]:
    """A hidden folder beside `folder` that replaces it when the block ends without an error."""
    folder = folder.resolve()
    with naming_faults(folder, _ELSEWHERE):
        folder.parent.mkdir(parents=True, exist_ok=True)
    _restore(folder)
    with hidden_part(folder.parent, folder.name) as part:
        yield part
        with naming_faults(folder, _ELSEWHERE):
            replaces = folder.is_dir() and any(folder.iterdir())
            part.chmod(0o755)
            # Renamed before it is removed: a kill during the removal would leave a part of it under its name.
            with hidden_part(folder.parent, folder.name) as old:
                before = _before(old, folder)
                if folder.is_dir():
                    folder.rename(before)
                try:
                    part.rename(folder)
                except BaseException:
                    if before.is_dir():
                        before.rename(folder)
                    raise
    if replaces:
        tell(f"replaced {folder}")


def _restore(folder: Path) -> None:
    """Restore a folder that a killed process renamed without renaming the new one."""
    if folder.exists():
        return
    with naming_faults(folder, _ELSEWHERE):
        for left in abandoned(folder.parent, folder.name):
            if (before := _before(left, folder)).is_dir():
                before.rename(folder)
                return


def _before(old: Path, folder: Path) -> Path:
    """The place of a folder that another replaces. old: a hidden folder."""
    return old / f".{folder.name}.before"


@contextmanager
def hidden_part(folder: Path, of: str) -> Generator[Path]:
    """A hidden, locked folder in `folder` for the future `of`, under a unique name; removed when the block ends.

    If the block ends without an error, we also remove what killed processes left of `of`.
    """
    with naming_faults(folder, _ELSEWHERE):
        hidden = tempfile.TemporaryDirectory(prefix=f".{of}.", suffix=".part", dir=folder)
    with hidden as name, _locked(Path(name)):
        yield Path(name)
    for leftover in abandoned(folder, of):
        shutil.rmtree(leftover, ignore_errors=True)


@contextmanager
def _locked(part: Path) -> Generator[None]:
    """Lock the hidden folder, so that `files.abandoned` leaves it out."""
    if sys.platform == "win32":  # no such locks there
        yield
        return
    handle = os.open(part, os.O_RDONLY)
    try:
        with suppress(OSError):  # a disk without locks
            locked(handle, wait=True)
        yield
    finally:
        os.close(handle)


def _holds(file: Path, value: type[msgspec.Struct]) -> bool:
    """Whether a file is JSON with at least the fields of `value`."""
    return json_or_none(file, value) is not None
