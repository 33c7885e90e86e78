"""The folder of one submission: system.toml, predictions files, and the notes that `predict` writes beside them.

    name = "Reader of neighbours"
    view = "global"               of the dataset's kind; "" where the system has none

What a stranger puts there is read and never followed: a link, a folder or any other file in it is a fault. Sizes are
looked at before anything is read. All faults are reported at once.
"""

from __future__ import annotations

import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec

from anagnosis.datasets.kinds.table import every_view
from anagnosis.errors import InputError
from anagnosis.io.paths import PathLike, naming_faults
from anagnosis.predictions.notes import note_of
from anagnosis.showing import masked_line
from anagnosis.wording import shortened

FILE = "system.toml"
LARGEST = 1 << 16  # bytes of it
LONGEST = 80  # characters of a name
LARGEST_FILE = 256 << 20  # bytes, on disk and unpacked: 100,000 lines with twenty scores each take 93 MB
LARGEST_NOTE = 1 << 20
MOST_FILES = 100  # predictions files of one system
_PREDICTIONS = re.compile(r"[^.].*\.jsonl(\.gz|\.zst)?", re.DOTALL)
_ENDINGS = "*.jsonl, *.jsonl.gz or *.jsonl.zst"
_NOTE = re.compile(r"[^.].*\.run\.json", re.DOTALL)
_BESIDE = ("README.md", "LICENSE", "LICENSE.txt")  # for people; nobody reads them here


class SystemFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What system.toml says. view: what the system reads, or empty."""

    name: str
    view: str = ""


@dataclass(frozen=True, slots=True)
class Submission:
    """A submission as it lies there. system: None where its file has faults. files: the predictions files, by name."""

    folder: Path
    system: SystemFile | None
    files: tuple[Path, ...]
    faults: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The folder's name, as a message or a page shows it."""
        return shortened(masked_line(self.folder.name), LONGEST)


def submissions(folder: PathLike) -> list[Submission]:
    """Every submission of a folder, by name. InputError: it cannot be read, or holds none."""
    with naming_faults(folder, "name the folder that holds a folder for each system"):
        # Files beside the folders, such as a README, are nobody's system.
        entries = (entry for entry in Path(folder).iterdir() if not entry.name.startswith("."))
        found = sorted(entry.name for entry in entries if entry.is_dir() or entry.is_symlink())
    if not found:
        what = "holds no folder of a submission"
        raise InputError(what, str(folder), f"give each system a folder with {FILE} in it")
    return [submission(Path(folder) / name) for name in found]


def submission(folder: Path) -> Submission:
    """One submission, with all that is wrong with its folder and its system.toml."""
    if folder.is_symlink():
        return Submission(folder, None, (), ("is a link, not a folder",))
    try:
        entries = sorted(folder.iterdir())
    except OSError:
        return Submission(folder, None, (), ("cannot be read",))
    files = tuple(one for one in entries if _PREDICTIONS.fullmatch(one.name) and _is_plain(one))
    of_files = {note_of(one).name for one in files}
    faults = [fault for entry in entries for fault in _file_faults(entry)]
    for one in entries:
        if _NOTE.fullmatch(one.name) and one.name not in of_files:
            faults.append(f"{shortened(masked_line(one.name))}: is of no predictions file here")
    if not files:
        faults.append(f"holds no predictions file ({_ENDINGS})")
    if len(files) > MOST_FILES:
        faults.append(f"holds {len(files):,} predictions files, {MOST_FILES} at most")
    system, wrong = _read(folder / FILE)
    return Submission(folder, system, files, (*faults, *wrong))


def _is_plain(entry: Path) -> bool:
    return not entry.is_symlink() and entry.is_file()


def _file_faults(entry: Path) -> Iterator[str]:
    """What is wrong with a file of a submission before anybody reads it."""
    called, size = shortened(masked_line(entry.name)), entry.lstat().st_size
    if not entry.name.isprintable():
        yield f"{called}: the name holds characters that are not visible or that steer text"
    if not stat.S_ISREG(entry.lstat().st_mode):
        yield f"{called}: is no file"
    elif _PREDICTIONS.fullmatch(entry.name):
        if size > LARGEST_FILE:
            yield f"{called}: has more than {LARGEST_FILE >> 20} MiB"
    elif _NOTE.fullmatch(entry.name):
        if size > LARGEST_NOTE:
            yield f"{called}: is larger than {LARGEST_NOTE >> 20} MiB"
    elif entry.name not in (FILE, *_BESIDE):
        yield f"{called}: is neither {FILE} nor a predictions file ({_ENDINGS}); take it out of the folder"


def _read(path: Path) -> tuple[SystemFile | None, list[str]]:
    """system.toml, None where it has faults, and these."""
    if not _is_plain(path):
        return None, [f"{FILE}: is missing, or is no file"]
    try:
        if path.stat().st_size > LARGEST:
            return None, [f"{FILE}: is larger than {LARGEST >> 10} KiB"]
        found = msgspec.toml.decode(path.read_bytes(), type=SystemFile)
    except (OSError, ValueError, RecursionError) as fault:
        return None, [f"{FILE}: {shortened(' '.join(str(fault).split()), 120)}"]
    faults: list[str] = []
    if not found.name.strip() or len(found.name) > LONGEST or not found.name.isprintable():
        faults.append(f"{FILE}: name: is no visible line of 1 to {LONGEST} characters")
    if found.view and found.view not in (views := every_view()):
        faults.append(f"{FILE}: view: there is no view {shortened(found.view)!r} (views: {', '.join(views)})")
    return (None if faults else found), faults
