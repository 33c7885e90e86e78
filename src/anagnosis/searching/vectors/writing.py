"""Write vectors beside an engine: add and drop documents, commit, and compact the files if many rows are dead."""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Generator, Sequence
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
from anagnosis.searching.filters import date_number
from anagnosis.searching.records.passage import Passage
from anagnosis.searching.vectors import compact
from anagnosis.searching.vectors.layout import (
    DEAD,
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
    sizes,
)
from anagnosis.searching.vectors.reading import Vectors, state_of

# The share of dead rows above which we write a new generation.
_DEAD_SHARE = 0.25
_BLOCK = 16_384  # rows copied at once


def create(folder: Path, state: VectorsState) -> None:
    """Create an empty store in a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in sizes(state):
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
    """An open store. there: id of a valid document → (number, key of its mark)."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        before = Vectors(folder)
        self.state = self._committed = before.state
        self._names = {kind: dict(places) for kind, places in before.names.items()}
        dead = set(before.dead.tolist())
        marks: list[int] = before.documents["mark"].tolist()
        self.there = {
            before.ident(number): (number, mark) for number, mark in enumerate(marks) if number not in dead
        }
        self._counts: list[int] = before.documents["count"].tolist()
        self._checksums = dict(before.state.checksums)
        self._remove_others()
        self._files = self._opened()

    def add(self, mark: str, passages: Sequence[Passage], vectors: Floats32) -> None:
        """Add the vectors of a complete document that is not there. vectors: float32 [passages, width]."""
        first, state = passages[0], self.state
        ident = first.document
        kept = compact.small(vectors)
        rows = np.zeros(len(passages), row_type(state.width))
        rows["document"], rows["scale"] = state.documents, kept.scales
        rows["date"] = date_number(first.date)
        rows["journal"] = self._place("journal", first.journal.casefold())
        rows["types"] = self._place("types", first.facts.get("types", "").casefold())
        rows["section"] = [self._place("section", passage.section) for passage in passages]
        rows["number"] = [passage.number for passage in passages]
        name, key = ident.encode(), key_of(mark)
        entry = np.array([(key_of(ident), key, state.ids, len(name), state.rows, len(passages))], DOCUMENT)
        numbers = kept.numbers.tobytes()
        rows["signs"], rows["sum"] = kept.signs, checksums_of(numbers, state.width)
        for part_of, data in (
            (NUMBERS, numbers),
            ("rows", rows.tobytes()),
            ("ids", name),
            ("documents", entry.tobytes()),
        ):
            self._write(part_of, data)
        self.there[ident] = state.documents, key
        self._counts.append(len(passages))
        self._changed(
            rows=self.state.rows + len(passages),
            documents=self.state.documents + 1,
            ids=self.state.ids + len(name),
        )

    def drop(self, ident: str) -> None:
        """Drop a document that is there."""
        number, _ = self.there.pop(ident)
        self._write("dead", np.array([number], DEAD).tobytes())
        self._changed(dead=self.state.dead + 1, dead_rows=self.state.dead_rows + self._counts[number])

    def commit(self, version: str = "") -> None:
        """Write everything to disk and make it visible. version: of the engine's commit, once it is complete here."""
        self._changed(version=version, checksums=dict(self._checksums))
        if self.state == self._committed:
            return
        for stream in self._files.values():
            stream.flush()
            os.fsync(stream.fileno())
        write_checked_json(self.folder / STATE, self.state)
        self._committed = self.state

    def tidy(self) -> None:
        """Write a new generation without dead rows, if they are many. Everything must have been committed."""
        if self.state.dead_rows > _DEAD_SHARE * self.state.rows:
            self._leave_out()

    def close(self) -> None:
        for stream in self._files.values():
            stream.close()

    def _leave_out(self) -> None:
        """Copy the valid rows into a new generation."""
        before = Vectors(self.folder)
        self.close()
        old = before.state
        self.state = VectorsState(old.encoder, old.digest, old.width, old.longest, old.generation + 1)
        self._checksums = {}
        for name in sizes(self.state):
            part(self.folder, self.state.generation, name).write_bytes(b"")
        live = np.ones(old.rows, np.bool_) if before.live is None else before.live
        kept = np.setdiff1d(np.arange(old.documents), before.dead)
        numbers = np.zeros(max(1, old.documents), np.uint32)
        numbers[kept] = np.arange(len(kept))
        self._files = self._opened()
        self._write("names", part(self.folder, old.generation, "names").read_bytes()[: old.names])
        for begin in range(0, old.rows, _BLOCK):
            chosen = live[begin : begin + _BLOCK]
            rows = before.rows[begin : begin + _BLOCK][chosen].copy()
            rows["document"] = numbers[rows["document"]]
            self._write(NUMBERS, before.numbers[begin : begin + _BLOCK][chosen].tobytes())
            self._write("rows", rows.tobytes())
        documents = before.documents[kept].copy()
        documents["first"] = np.cumsum(documents["count"]) - documents["count"]
        documents["at"] = np.cumsum(documents["size"], dtype=np.uint64) - documents["size"]
        idents = [before.ident(number) for number in kept.tolist()]
        ids = "".join(idents).encode()
        self._write("documents", documents.tobytes())
        self._write("ids", ids)
        self.there = dict(zip(idents, enumerate(documents["mark"].tolist()), strict=True))
        self._counts = documents["count"].tolist()
        self._changed(rows=int(live.sum()), documents=len(kept), ids=len(ids), names=old.names)
        self.commit(old.version)
        self._remove_others()

    def _place(self, kind: str, name: str) -> int:
        if not name:
            return 0
        places = self._names[kind]
        if name not in places:
            places[name] = len(places) + 1
            line = json.dumps([kind, name]).encode() + b"\n"
            self._write("names", line)
            self._changed(names=self.state.names + len(line))
        return places[name]

    def _write(self, name: str, data: bytes) -> None:
        """Append to a part."""
        self._files[name].write(data)
        if name != NUMBERS:
            self._checksums[name] = zlib.crc32(data, self._checksums.get(name, 0))

    def _opened(self) -> dict[str, IO[bytes]]:
        """Open the files of this generation, cut to their committed length."""
        streams: dict[str, IO[bytes]] = {}
        for name, size in sizes(self.state).items():
            stream = part(self.folder, self.state.generation, name).open("ab")
            stream.truncate(size)
            streams[name] = stream
        return streams

    def _remove_others(self) -> None:
        """Remove files of past and of unfinished generations."""
        now = str(state_of(self.folder).generation)
        for path in self.folder.iterdir():
            generation, _, name = path.name.partition(".")
            if name in PARTS and generation != now:
                path.unlink()

    def _changed(self, **values: object) -> None:
        self.state = msgspec.structs.replace(self.state, **values)
