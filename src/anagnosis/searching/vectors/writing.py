"""Write vectors beside an engine: add documents, leave documents out, and commit."""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Collection, Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import msgspec
import numpy as np

from anagnosis.array_types import Floats32
from anagnosis.errors import InputError
from anagnosis.io.checksums import write_checked_json
from anagnosis.io.files import locked
from anagnosis.io.paths import naming_faults
from anagnosis.searching.filters import NAME_FILTERS, date_number
from anagnosis.searching.records.passage import Passage
from anagnosis.searching.vectors import compact
from anagnosis.searching.vectors.layout import (
    DOCUMENT,
    LOCK,
    NUMBERS,
    PARTS,
    STATE,
    VectorsState,
    checksums_of,
    key_of,
    part,
    row_type,
)
from anagnosis.searching.vectors.reading import Vectors

_BLOCK = 16_384  # rows copied at once


def create(folder: Path, state: VectorsState) -> None:
    """Create an empty store in a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in PARTS:
        part(folder, state.generation, name).write_bytes(b"")
    write_checked_json(folder / STATE, state)


@contextmanager
def writing(folder: Path) -> Generator[Writer]:
    """Open a store for writing. InputError: another process writes. What is not committed is lost."""
    with (folder / LOCK).open("ab") as lock:
        if not locked(lock, wait=False):
            raise InputError("another process is writing", str(folder), "wait until it has ended")
        writer = Writer(folder)
        try:
            with naming_faults(folder, "free some space", "writing vectors"):
                yield writer
        finally:
            writer.close()


class Writer:
    """An open store. there: id of a document → key of its mark."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._open()
        self._remove_others()

    def _open(self) -> None:
        """Open the files of the committed generation, cut to their committed length."""
        before = Vectors(self.folder)
        self.state = before.state
        self._names = {kind: dict(places) for kind, places in before.names.items()}
        marks: list[int] = before.documents["mark"].tolist()
        self.there = {before.ident(number): mark for number, mark in enumerate(marks)}
        self._sizes, self._checksums = dict(self.state.sizes), dict(self.state.checksums)
        self._files: dict[str, IO[bytes]] = {}
        for name, size in self._sizes.items():
            self._files[name] = part(self.folder, self.state.generation, name).open("ab")
            self._files[name].truncate(size)

    def add(self, mark: str, passages: Sequence[Passage], vectors: Floats32) -> None:
        """Add the vectors of a complete document that is not there. vectors: float32 [passages, width]."""
        first, width = passages[0], self.state.width
        kept = compact.small(vectors)
        numbers, name, key = kept.numbers.tobytes(), first.document.encode(), key_of(mark)
        rows = np.zeros(len(passages), row_type(width))
        rows["section"] = [self._place("section", passage.section) for passage in passages]
        rows["scale"], rows["signs"], rows["sum"] = kept.scales, kept.signs, checksums_of(numbers, width)
        dates = date_number(first.date), date_number(first.facts.get("added", ""))
        facts = (self._place(one.fact, first.facts.get(one.fact, "").casefold()) for one in NAME_FILTERS)
        document = (key_of(first.document), key, len(name), len(passages), *dates, *facts)
        self._write(NUMBERS, numbers)
        self._write("rows", rows.tobytes())
        self._write("ids", name)
        self._write("documents", np.array([document], DOCUMENT).tobytes())
        self.there[first.document] = key

    def commit(self, version: str = "") -> None:
        """Write everything to disk and make it visible. version: of the engine's commit, once it is complete here."""
        state = msgspec.structs.replace(
            self.state, version=version, sizes=dict(self._sizes), checksums=dict(self._checksums)
        )
        if state == self.state:
            return
        for stream in self._files.values():
            stream.flush()
            os.fsync(stream.fileno())
        write_checked_json(self.folder / STATE, state)
        self.state = state

    def close(self) -> None:
        for stream in self._files.values():
            stream.close()

    def leave_out(self, idents: Collection[str]) -> None:
        """Copy all other documents into a new generation, and commit it. Everything must have been committed."""
        self.close()
        before = Vectors(self.folder)
        old, count = before.state, len(before.documents)
        stays = np.fromiter((before.ident(number) not in idents for number in range(count)), np.bool_, count)
        rows = stays[before.document_of]
        new = VectorsState(old.encoder, old.digest, old.width, old.longest, old.generation + 1)
        self._files = {name: part(self.folder, new.generation, name).open("wb") for name in PARTS}
        self.state, self._sizes, self._checksums = new, dict(new.sizes), {}
        self._write("names", part(self.folder, old.generation, "names").read_bytes()[: old.sizes["names"]])
        self._write("documents", before.documents[stays].tobytes())
        self._write("ids", before.ids[np.repeat(stays, before.documents["size"])].tobytes())
        for begin in range(0, old.rows, _BLOCK):
            block = slice(begin, begin + _BLOCK)
            self._write(NUMBERS, before.numbers[block][rows[block]].tobytes())
            self._write("rows", before.rows[block][rows[block]].tobytes())
        self.commit()
        self.close()
        self._open()
        self._remove_others()

    def _place(self, kind: str, name: str) -> int:
        if not name:
            return 0
        places = self._names[kind]
        if name not in places:
            places[name] = len(places) + 1
            self._write("names", json.dumps([kind, name]).encode() + b"\n")
        return places[name]

    def _write(self, name: str, data: bytes) -> None:
        """Append to a part."""
        self._files[name].write(data)
        self._sizes[name] += len(data)
        if name != NUMBERS:
            self._checksums[name] = zlib.crc32(data, self._checksums.get(name, 0))

    def _remove_others(self) -> None:
        """Remove files of past and of unfinished generations."""
        for path in self.folder.iterdir():
            generation, _, name = path.name.partition(".")
            if name in PARTS and generation != str(self.state.generation):
                path.unlink()
