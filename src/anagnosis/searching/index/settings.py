"""index.json: the engine of an index, how passages are cut, and whether the last indexing has ended."""

from __future__ import annotations

from pathlib import Path
from shlex import quote

import msgspec

from anagnosis.errors import InputError
from anagnosis.io.decoding import read_json
from anagnosis.io.files import part_of, write_json
from anagnosis.io.folders import INDEX as FILE
from anagnosis.io.folders import kind_of, with_article
from anagnosis.searching.papers.records import AGAIN
from anagnosis.searching.passages import LONGEST

FORMAT = 16
EMBEDDED = "embedded"
CONTINUE = "give the same `anagnosis index` command again"
UNFINISHED = f"is unfinished: indexing into it was stopped, or still runs; if it was stopped, {CONTINUE}"


class _Made(msgspec.Struct):
    """What tells the version of an index. longest: characters of a passage."""

    format: int
    longest: int = LONGEST


class IndexSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of index.json.

    longest: characters of a passage. encoder: of the vectors, "" without vectors. runs: number of indexing runs.
    unfinished: the digest of the command that is writing or was interrupted; "" if the last one ended.
    """

    format: int
    engine: str = EMBEDDED
    longest: int = LONGEST
    encoder: str = ""
    runs: int = 0
    unfinished: str = ""

    @property
    def is_unfinished(self) -> bool:
        """Whether indexing was interrupted, or still runs."""
        return bool(self.unfinished) or not self.runs


def read_settings(folder: Path) -> IndexSettings:
    """Read index.json. InputError: no index there, one of another version, a damaged file."""
    path = folder / FILE
    if folder.is_file():
        raise InputError("is a file, not the folder of an index", str(folder), "name the folder")
    if not path.is_file():
        if kind := kind_of(folder):
            raise InputError(f"is the folder of {with_article(kind)}", str(folder), "name that of an index")
        remedy = f"make one with `anagnosis index PAPERS --out {quote(str(folder))}`"
        raise InputError("no index here", str(folder), remedy)
    made = read_json(path, _Made, AGAIN)
    if (made.format, made.longest) != (FORMAT, LONGEST):
        raise InputError("was made by another version", str(folder), f"delete it, and {AGAIN}")
    return read_json(path, IndexSettings, AGAIN)


def write_settings(folder: Path, settings: IndexSettings) -> None:
    """Replace index.json, atomically."""
    write_json(folder / FILE, settings)


def holds_index(folder: Path) -> bool:
    """Whether the folder holds an index, beyond what an interrupted `create_index` leaves."""
    return (folder / FILE).is_file() and not was_only_begun(folder)


def was_only_begun(folder: Path) -> bool:
    """Whether a folder has only the remains of a killed `create_index`, and no document."""
    if not folder.is_dir():
        return False
    names = {path.name for path in folder.iterdir()} - {part_of(folder / FILE).name}
    if FILE not in names:
        return not names
    settings = read_settings(folder)
    return settings.runs == 0 and names <= {FILE, settings.engine}
