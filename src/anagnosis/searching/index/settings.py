"""index.json: which engine an index has, how its passages were made, and whether indexing into it has ended."""

from __future__ import annotations

from pathlib import Path

import msgspec

from anagnosis.checksums import read_checked_json, write_checked_json
from anagnosis.errors import DamagedError, InputError
from anagnosis.files import is_partial
from anagnosis.folder_names import INDEX as FILE
from anagnosis.searching.engines import AGAIN, engine_module
from anagnosis.searching.passages import LONGEST

FORMAT = 4
WITHOUT_CHECKSUMS = 3  # an earlier format, which is read and written as it is
EMBEDDED = "embedded"
CONTINUE = "give the same `anagnosis index` command again"
# What must be known of an index before it is believed.
NOTES = {
    "unfinished": f"is unfinished: indexing into it was stopped, or still runs; if it was stopped, {CONTINUE}",
    "without_checksums": "was made by an earlier version and has no checksums, so that its passages cannot be "
    "verified; make it again to have them",
}


class Settings(msgspec.Struct, frozen=True):
    """What index.json says. longest: characters of a passage. encoder: of the vectors, "" where there are none.

    runs: how many have written into it. unfinished: the digest of the call that writes into it, or was stopped; ""
    where the last one came to its end.
    """

    format: int
    engine: str = EMBEDDED
    longest: int = LONGEST
    encoder: str = ""
    runs: int = 0
    unfinished: str = ""

    @property
    def has_checksums(self) -> bool:
        """Whether passages have them."""
        return self.format != WITHOUT_CHECKSUMS

    @property
    def notes(self) -> list[str]:
        """Those of NOTES that hold."""
        holds = {
            "unfinished": bool(self.unfinished) or not self.runs,
            "without_checksums": not self.has_checksums,
        }
        return [name for name in NOTES if holds[name]]


def read_settings(folder: Path) -> Settings:
    """Of an index. Refused (InputError): a folder without one, another version's, a damaged file."""
    path = folder / FILE
    if not path.is_file():
        raise InputError("no index here", str(folder), "make one with `anagnosis index`")
    settings, has_checksum = read_checked_json(path, Settings, AGAIN)
    if settings.format not in (FORMAT, WITHOUT_CHECKSUMS) or settings.longest != LONGEST:
        raise InputError("was made by another version", str(folder), AGAIN)
    if settings.has_checksums and not has_checksum:
        raise DamagedError("is damaged: its checksum is missing", str(path), AGAIN)
    return settings


def write_settings(folder: Path, settings: Settings) -> None:
    """In place of those that are there, atomically."""
    write_checked_json(folder / FILE, settings)


def holds_index(folder: Path) -> bool:
    """Whether an index was made there, rather than nothing, other files, or what `create_index` began."""
    return (folder / FILE).is_file() and not was_only_begun(folder)


def was_only_begun(folder: Path) -> bool:
    """Whether a folder has nothing but what a killed `create_index` leaves, and no document."""
    if not folder.is_dir():
        return False
    names = {path.name for path in folder.iterdir() if not is_partial(path.name, FILE)}
    if FILE in names:
        settings = read_settings(folder)
        engine, fresh = settings.engine, settings.runs == 0
    else:
        engine, fresh = EMBEDDED, True
    return fresh and names <= {FILE, engine} and engine_module(engine).is_empty(folder / engine)
