"""Folders that commands make: what each is by its manifest, whether it may be replaced, and one that appears whole.

The names here identify a dataset, a run, a search of settings, an index and a leaderboard.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager, suppress
from pathlib import Path

from anagnosis.errors import InputError
from anagnosis.io.files import locked
from anagnosis.io.paths import naming_faults
from anagnosis.progress import print_note

RECIPE = "recipe.toml"
RECEIPT = "receipt.json"
DATA = "data"
INDEX = "index.json"
TRIALS = "trials.jsonl"
_UNFINISHED = re.compile(r"\..+\.part")

# Files of a run folder, from training and from later fits.
RUN = "run.json"
HISTORY = "history.jsonl"
TRAINED_ON = "trained_on.npy"

# Setting in which the replicates of a folder differ → the file that we write when all are finished. The folder of the
# first replicate exists from the beginning.
REPLICATES = {"seed": "seeds.json", "fold": "folds.json"}

# The file that we write when all phases of a schedule are finished, and the folders of the phases.
PHASES = "phases.json"
ARTIFICIAL = "artificial"
REASONING_FREE = "reasoning-free-artificial"
BOOTSTRAP = "bootstrap"
PSEUDO_LABELLED = "pseudo-labelled"
ALL_AT_ONCE = "all-at-once"
FURTHER = "further"
FINAL = "final"
PHASE_FOLDERS = (ARTIFICIAL, REASONING_FREE, BOOTSTRAP, PSEUDO_LABELLED, ALL_AT_ONCE, FURTHER, FINAL)

BOARD = "board.json"  # a leaderboard's records

_ELSEWHERE = "choose another --out"
_OURS = "~"  # in names of unfinished folders, so that a backup named by its date is none
_SHOWN = 3  # names of other files in a message

# The file that a folder has → its kind.
MANIFESTS = {
    RECEIPT: "dataset",
    **dict.fromkeys((RUN, *REPLICATES.values(), PHASES), "run"),
    TRIALS: "search of settings",
    BOARD: "leaderboard",
    INDEX: "index",
}


def kind_of(folder: Path) -> str | None:
    """The kind of a folder of ours, by its manifest; None for any other or missing folder."""
    with suppress(OSError):
        return next((kind for file, kind in MANIFESTS.items() if (folder / file).is_file()), None)


def with_article(kind: str) -> str:
    """A kind of folder with its indefinite article."""
    return f"an {kind}" if kind[0] in "aeio" else f"a {kind}"


def refuse_foreign(folder: Path, foreign: Iterable[str]) -> None:
    """Refuse (InputError) a folder with files that are not ours. foreign: their names, relative to it."""
    others = sorted(foreign)
    if others:
        more = f" and {len(others) - _SHOWN:,} more" if len(others) > _SHOWN else ""
        what = f"holds other files ({', '.join(others[:_SHOWN])}{more})"
        raise InputError(what, str(folder), "choose an empty or new folder for --out, or move them elsewhere")


def refuse_other_files(folder: Path) -> None:
    """Refuse (InputError) a folder that has anything in it but what a killed process was writing (`files.part_of`)."""
    if folder.is_dir():
        refuse_foreign(folder, (one.name for one in folder.iterdir() if not _UNFINISHED.fullmatch(one.name)))


def refuse_links(folder: Path) -> None:
    """Refuse (InputError) links in a folder, also deep in it: to write or delete through one changes other folders."""
    for at, folders, files in os.walk(folder):
        for name in sorted((*folders, *files)):
            if (path := Path(at, name)).is_symlink():
                what = "is a link, and we write and delete nothing through one"
                raise InputError(what, str(path), "remove the link")


def demand_new(folder: Path, what: str, is_ours: Callable[[str], bool], *, replace: bool) -> None:
    """Refuse (InputError) a folder that `new_folder` may not make: a mount point, one with other files, one of ours.

    what: the folder is ("a dataset"). is_ours: whether a file of it is of such a one, by its relative path. replace:
    one of ours is replaced.
    """
    if folder.exists() and not folder.is_dir():
        raise InputError("is a file, not a folder", str(folder), _ELSEWHERE)
    if os.path.ismount(folder):
        raise InputError("is a mount point, which cannot be replaced", str(folder), "name a folder in it")
    if names := names_in(folder):
        refuse_foreign(folder, (name for name in names if not is_ours(name)))
        if not replace:
            remedy = f"{_ELSEWHERE}, or give --replace to overwrite it"
            raise InputError(f"holds {what} already", str(folder), remedy)


def names_in(folder: Path) -> list[str]:
    """The files of a folder and below it, by their relative paths; of a folder without any its own, with a slash."""
    found: list[str] = []
    for at, folders, files in os.walk(folder):
        place = Path(at).relative_to(folder)
        found += [(place / name).as_posix() for name in files]
        if not folders and not files and place.parts:
            found.append(f"{place.as_posix()}/")
    return sorted(found)


@contextmanager
def new_folder(
    folder: Path, what: str, is_ours: Callable[[str], bool], *, replace: bool = False
) -> Generator[Path]:
    """A folder OUT.part-… beside OUT, which gets its name when the block ends without an error.

    Arguments and errors as of `demand_new`. With `replace` an earlier OUT is renamed to OUT.old-… first, and of its
    files those are removed afterwards that lay there before; without, one that comes meanwhile is an InputError. What
    killed commands left of OUT is moved back or removed. The part folder is locked while somebody writes in it.
    """
    out = folder.resolve()
    with naming_faults(folder, _ELSEWHERE):
        out.parent.mkdir(parents=True, exist_ok=True)
        _clear(out)
        demand_new(folder, what, is_ours, replace=replace)
        part = Path(tempfile.mkdtemp(prefix=f"{out.name}.part-{_OURS}", dir=out.parent))
    with _locked(part, wait=True):
        try:
            yield part
            with naming_faults(folder, _ELSEWHERE):
                part.chmod(0o755)
                _sync(part)
                demand_new(folder, what, is_ours, replace=replace)  # what came meanwhile
                before = names_in(out)
                old = _set_aside(out) if before else None
                try:
                    part.rename(out)
                except BaseException:
                    if old is not None:
                        old.rename(out)
                    raise
                _sync_entries(out.parent)
        finally:
            shutil.rmtree(part, ignore_errors=True)
    if old is not None:
        _remove(old, before)


def _clear(out: Path) -> None:
    """Move back the folder that a killed command set aside and put nothing in its place; remove the rest."""
    pattern = re.compile(rf"{re.escape(out.name)}\.(old|part)-{_OURS}\w{{8}}")
    for left in sorted(entry for entry in out.parent.iterdir() if pattern.fullmatch(entry.name)):
        if left.is_symlink() or not left.is_dir():
            continue
        with _locked(left) as is_free:
            pass
        if not is_free:
            continue
        if not left.name.startswith(f"{out.name}.old-"):
            shutil.rmtree(left, ignore_errors=True)
        elif out.exists():
            _remove(left, names_in(left))
        else:
            left.rename(out)


def _set_aside(out: Path) -> Path:
    """OUT, renamed to OUT.old-…"""
    old = Path(tempfile.mkdtemp(prefix=f"{out.name}.old-{_OURS}", dir=out.parent))
    try:
        return out.rename(old)  # onto an empty folder
    except BaseException:
        old.rmdir()
        raise


def _remove(folder: Path, names: Iterable[str]) -> None:
    """Remove these files of a folder, then the folder if nothing else has come into it."""
    for name in names:
        if not name.endswith("/"):
            (folder / name).unlink(missing_ok=True)
    for at, _, _ in os.walk(folder, topdown=False):
        with suppress(OSError):
            Path(at).rmdir()
    if folder.exists():
        print_note(f"{folder} has files that came meanwhile, and stays")


def _sync(folder: Path) -> None:
    """Write the files of a folder and its entries to the disk."""
    for at, _, files in os.walk(folder):
        for name in files:
            with (Path(at) / name).open("rb") as stream:
                os.fsync(stream.fileno())
        _sync_entries(Path(at))


def _sync_entries(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextmanager
def only_writer(folder: Path) -> Generator[None]:
    """Lock a folder, made where there is none; the lock ends with its process. InputError: another process has it."""
    folder.mkdir(parents=True, exist_ok=True)
    with _locked(folder) as is_ours:
        if not is_ours:
            raise InputError("another process is writing", str(folder), "wait until it has ended")
        try:
            yield
        finally:
            with suppress(OSError):  # it has files, as it should
                folder.rmdir()


@contextmanager
def _locked(folder: Path, *, wait: bool = False) -> Generator[bool]:
    """Lock a folder; gives False where another process has it."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        yield locked(handle, wait=wait)
    finally:
        os.close(handle)
