"""libraries.json: the entries of each library that an index was made from, and the records that each gave.

An entry is known by its key in the library. When the same library is indexed again, the records of entries that are
gone from it are gone from the index too, unless another library has them.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import msgspec

from anagnosis.io.decoding import read_json
from anagnosis.io.files import write_json
from anagnosis.searching.papers.records import AGAIN

LIBRARIES_FILE = "libraries.json"


class _Libraries(msgspec.Struct):
    """The path of a library → the key of an entry → its records, as "source:id"."""

    libraries: dict[str, dict[str, list[str]]] = {}


class LibraryEntries:
    """The entries of the index in a folder. DamagedError: libraries.json is not as it was written."""

    def __init__(self, folder: Path) -> None:
        self._place = folder / LIBRARIES_FILE
        there = read_json(self._place, _Libraries, AGAIN) if self._place.exists() else _Libraries()
        self._before, self._now = there.libraries, dict[str, dict[str, list[str]]]()

    def take(self, library: Path, key: str, records: Iterable[str]) -> None:
        """Remember an entry that was read. records: that it gave, as "source:id"."""
        entries = self._now.setdefault(str(library.resolve()), {})
        entries[key] = [*dict.fromkeys((*entries.get(key, ()), *records))]

    def gone(self, library: Path) -> list[str]:
        """The records of entries that were in a library, which was read whole now, and are in none any more."""
        name = str(library.resolve())
        before = self._before.get(name, {})
        self._with_missing_files(name)
        others = {path: entries for path, entries in self._before.items() if path != name} | self._now
        there = {record for entries in others.values() for records in entries.values() for record in records}
        return sorted({record for records in before.values() for record in records} - there)

    def keep(self, library: Path) -> int:
        """Remember all entries of a library that was not read whole.

        Returns the number of those that are not there now.
        """
        name = str(library.resolve())
        now = self._with_missing_files(name)
        kept = {key: records for key, records in self._before.get(name, {}).items() if key not in now}
        now |= kept
        return len(kept)

    def _with_missing_files(self, name: str) -> dict[str, list[str]]:
        """The entries that were read; one whose file is missing for a while keeps what its file gave before."""
        before, now = self._before.get(name, {}), self._now.setdefault(name, {})
        for key in now.keys() & before.keys():
            sources = {record.partition(":")[0] for record in now[key]}
            now[key] += [one for one in before[key] if one.partition(":")[0] not in sources]
        return now

    def save(self) -> None:
        """Write libraries.json, if it has changed."""
        after = {**self._before, **self._now}
        if after != self._before:
            write_json(self._place, _Libraries(dict(sorted(after.items()))))
            self._before, self._now = after, {}
