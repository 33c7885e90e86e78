"""The folder of one submission: system.toml, predictions files, and the notes that `predict` writes beside them.

What a stranger puts there is read and never followed: a link, a folder or any other file in it is a fault. Sizes are
looked at before anything is read.
"""

from __future__ import annotations

import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

from anagnosis.errors import InputError
from anagnosis.io.paths import PathLike, naming_faults
from anagnosis.leaderboard import system_file
from anagnosis.leaderboard.system_file import SystemFile, is_invisible
from anagnosis.showing import masked_line
from anagnosis.wording import shortened

LARGEST_FILE = (
    256 << 20
)  # bytes on disk and unpacked: a hundred thousand lines with twenty scores each take 93 MB
LARGEST_NOTE = 1 << 20
MOST_FILES = 100  # predictions files of one system
LONGEST_NAME = 100  # characters of a folder's name
_PREDICTIONS = re.compile(r"[^.].*\.jsonl(\.gz|\.zst)?", re.DOTALL)
_ENDINGS = "*.jsonl, *.jsonl.gz or *.jsonl.zst"
_NOTE = re.compile(r"[^.].*\.run\.json", re.DOTALL)
_BESIDE = ("README.md", "LICENSE", "LICENSE.txt")  # for people; nobody reads them here


@dataclass(frozen=True)
class Submission:
    """A submission as it lies there. system: None where its file has faults. faults: each a line, of the folder and
    of system.toml. files: the predictions files, by name."""

    folder: Path
    system: SystemFile | None
    files: tuple[Path, ...]
    faults: tuple[str, ...] = field(default=())

    @property
    def name(self) -> str:
        """The folder's name, which is the submission's."""
        return self.folder.name

    @property
    def shown(self) -> str:
        """The name as a message or a page shows it."""
        return shortened(masked_line(self.name), LONGEST_NAME)


def submissions(folder: PathLike, today: date) -> list[Submission]:
    """Every submission of a folder, by name. InputError: it cannot be read, or holds none."""
    root = Path(folder)
    with naming_faults(folder, "name the folder that holds a folder for each system"):
        names = sorted(entry.name for entry in root.iterdir() if _may_be_one(entry))
    if not names:
        what = "holds no folder of a submission"
        raise InputError(what, str(folder), f"give each system a folder with {system_file.FILE} in it")
    return [submission(root / name, today) for name in names]


def _may_be_one(entry: Path) -> bool:
    """Files beside the folders, such as a README, are nobody's system."""
    return not entry.name.startswith(".") and (entry.is_dir() or entry.is_symlink())


def submission(folder: Path, today: date) -> Submission:
    """One submission, with all that is wrong with its folder and its system.toml."""
    if folder.is_symlink():
        return Submission(folder, None, (), ("is a link, not a folder",))
    faults = [*_name_faults(folder.name)]
    files: list[Path] = []
    try:
        entries = sorted(folder.iterdir())
    except OSError:
        return Submission(folder, None, (), ("cannot be read",))
    for entry in entries:
        faults += file_faults(entry)
        if _PREDICTIONS.fullmatch(entry.name) and not entry.is_symlink() and entry.is_file():
            files.append(entry)
    if not files:
        faults.append(f"holds no predictions file ({_ENDINGS})")
    if len(files) > MOST_FILES:
        faults.append(f"holds {len(files):,} predictions files, {MOST_FILES} at most")
    about = folder / system_file.FILE
    system, wrong = (
        (None, ["is a link, not a file"]) if about.is_symlink() else system_file.read(about, today)
    )
    faults += (f"{system_file.FILE}: {fault}" for fault in wrong)
    return Submission(folder, system, tuple(files), tuple(dict.fromkeys(faults)))


def _name_faults(name: str) -> Iterator[str]:
    if len(name) > LONGEST_NAME:
        yield f"the name of the folder has {len(name):,} characters, {LONGEST_NAME} at most"
    if _hides(name):
        yield "the name of the folder holds characters that are not visible or that steer text"


def _hides(name: str) -> bool:
    return not name.isprintable() or any(map(is_invisible, name))


def file_faults(entry: Path) -> Iterator[str]:
    """What is wrong with a file of a submission before anybody reads it."""
    called = shortened(masked_line(entry.name))
    if entry.name == system_file.FILE:
        return
    if _hides(entry.name):
        yield f"{called}: the name holds characters that are not visible or that steer text"
    try:
        state = entry.lstat()
    except OSError:
        yield f"{called}: cannot be read"
        return
    if stat.S_ISLNK(state.st_mode):
        yield f"{called}: is a link, not a file"
    elif not stat.S_ISREG(state.st_mode):
        yield f"{called}: is no file"
    elif _PREDICTIONS.fullmatch(entry.name):
        if (fault := size_fault(state.st_size)) is not None:
            yield f"{called}: {fault}"
    elif _NOTE.fullmatch(entry.name):
        if state.st_size > LARGEST_NOTE:
            yield f"{called}: is larger than {LARGEST_NOTE >> 20} MiB"
    elif entry.name not in _BESIDE:
        yield f"{called}: is neither {system_file.FILE} nor a predictions file ({_ENDINGS}); take it out of the folder"


def size_fault(size: int) -> str | None:
    """What is wrong with a predictions file of so many bytes; None for nothing."""
    if size <= LARGEST_FILE:
        return None
    return f"has {size / (1 << 20):,.0f} MiB, {LARGEST_FILE >> 20} MiB at most, on disk and unpacked"
