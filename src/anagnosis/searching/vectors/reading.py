"""Committed vectors, memory-mapped: their passages, and the rows that match filters."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Literal

import msgspec
import numpy as np

from anagnosis.array_types import AnyArray, Bools, Longs, UInt8s, UInt64s
from anagnosis.documents.bibliography import split_values
from anagnosis.errors import DamagedError
from anagnosis.io.checksums import read_checked_json
from anagnosis.io.decoding import decoding_faults
from anagnosis.searching.filters import Filters, date_number
from anagnosis.searching.queries.names import folded
from anagnosis.searching.vectors.layout import (
    DEAD,
    DOCUMENT,
    FORMAT,
    NUMBERS,
    REMEDY,
    STATE,
    VectorsState,
    key_of,
    part,
    row_type,
    sizes,
)

# Attempts to open the last commit: a writer may replace its generation while we open it.
_TRIES = 3
_NAMES = msgspec.json.Decoder(tuple[Literal["section", "journal", "types"], str])  # a line of names


def state_of(folder: Path) -> VectorsState:
    """The last committed state. DamagedError: its numbers are impossible, or it is of another version."""
    path = folder / STATE
    state = read_checked_json(path, VectorsState, REMEDY)
    least = min(state.width, state.longest - 2, state.generation, state.rows + 1, state.live + 1)
    if state.format != FORMAT or least < 1 or min(sizes(state).values()) < 0:
        raise DamagedError("is of another version, or damaged", str(path), REMEDY)
    return state


class Vectors:
    """The vectors of one commit. They stay readable while others write."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for left in range(_TRIES - 1, -1, -1):
            self.state = state_of(folder)
            try:
                self._open()
                return
            except FileNotFoundError as fault:  # a generation that has gone
                if not left:
                    raise DamagedError("vectors are missing", str(fault.filename), REMEDY) from fault

    def _open(self) -> None:
        state, size = self.state, sizes(self.state)
        data_of: dict[str, UInt8s] = {}
        for name in size:
            path = part(self.folder, state.generation, name)
            if path.stat().st_size < size[name]:
                raise DamagedError("is shorter than was committed", str(path), REMEDY)
            data = np.memmap(path, np.uint8, "r", shape=size[name]) if size[name] else np.empty(0, np.uint8)
            if name != NUMBERS and zlib.crc32(data.data) != state.checksums.get(name, 0):
                raise DamagedError("is damaged: its checksum differs", str(path), REMEDY)
            data_of[name] = data
        self.numbers = data_of[NUMBERS].view(np.int8).reshape(state.rows, state.width)
        self._verified = np.zeros(state.rows, np.bool_)
        self.rows: AnyArray = data_of["rows"].view(row_type(state.width))
        self.signs: UInt64s = self.rows["signs"]
        self.documents: AnyArray = data_of["documents"].view(DOCUMENT)
        self._ids, self._names = data_of["ids"], data_of["names"].tobytes()
        self.dead = np.array(data_of["dead"].view(DEAD))
        if len(self.dead) and int(self.dead.max()) >= state.documents:
            raise DamagedError("are damaged", str(self.folder), REMEDY)

    def verify(self, rows: Longs | None = None) -> None:
        """DamagedError: the checksum of a row's numbers differs. rows: None for all. Rows are verified once."""
        new = np.flatnonzero(~self._verified) if rows is None else rows[~self._verified[rows]]
        width, data = self.state.width, self.numbers.reshape(-1).data.cast("B")
        for row, expected in zip(new.tolist(), self.rows["sum"][new].tolist(), strict=True):
            if zlib.crc32(data[row * width : (row + 1) * width]) != expected:
                path = part(self.folder, self.state.generation, NUMBERS)
                raise DamagedError(f"is damaged: the checksum of row {row} differs", str(path), REMEDY)
        self._verified[new] = True

    @cached_property
    def live(self) -> Bools | None:
        """bool [rows]: the valid rows; None if all are valid."""
        if not len(self.dead):
            return None
        counts = np.ones(self.state.rows, np.bool_)
        for first, count in self.documents[["first", "count"]][self.dead].tolist():
            counts[first : first + count] = False
        return counts

    @cached_property
    def names(self) -> dict[str, dict[str, int]]:
        """kind → name → its number, from 1."""
        places: dict[str, dict[str, int]] = {"section": {}, "journal": {}, "types": {}}
        with decoding_faults(self.folder, REMEDY, "names of vectors are damaged", error=DamagedError):
            for kind, name in _NAMES.decode_lines(self._names):
                places[kind][name] = len(places[kind]) + 1
        return places

    def ident(self, document: int) -> str:
        """The id of a document. document: its number."""
        entry = self.documents[document]
        begin, end = int(entry["at"]), int(entry["at"]) + int(entry["size"])
        try:
            if end > self.state.ids:
                raise ValueError("a place beyond the end")
            return self._ids[begin:end].tobytes().decode()
        except ValueError as fault:
            raise DamagedError(f"ids of vectors are damaged ({fault})", str(self.folder), REMEDY) from fault

    @cached_property
    def _by_key(self) -> tuple[UInt64s, Longs]:
        """Keys of valid documents, sorted, and their numbers."""
        counts = np.ones(self.state.documents, np.bool_)
        counts[self.dead] = False
        numbers = np.flatnonzero(counts)
        keys = self.documents["key"][numbers]
        order = np.argsort(keys, kind="stable")
        return keys[order], numbers[order]

    def numbers_of(self, idents: Sequence[str]) -> dict[str, int]:
        """id → number, for those of the documents that are valid."""
        sorted_keys, numbers = self._by_key
        unique = list(dict.fromkeys(idents))
        keys = np.array([key_of(ident) for ident in unique], np.uint64)
        begins, ends = (np.searchsorted(sorted_keys, keys, side).tolist() for side in ("left", "right"))
        return {
            ident: number
            for ident, begin, end in zip(unique, begins, ends, strict=True)
            for number in numbers[begin:end].tolist()
            if self.ident(number) == ident
        }

    def rows_of(self, document: int) -> dict[int, int]:
        """number of a passage → its row, for all passages of a document."""
        first, count = int(self.documents["first"][document]), int(self.documents["count"][document])
        numbers: list[int] = self.rows["number"][first : first + count].tolist()
        return {number: first + place for place, number in enumerate(numbers)}

    def allowed(self, filters: Filters) -> Bools | None:
        """bool [rows]: valid rows that match the filters, as an engine would; None if all do."""
        masks = [] if self.live is None else [self.live]
        if filters.sections:
            masks.append(
                self._among("section", [self.names["section"].get(one, 0) for one in filters.sections])
            )
        if filters.journals:
            masks.append(self._among("journal", self._places("journal", filters.journals)))
        if filters.types:
            masks.append(self._among("types", self._places("types", filters.types)))
        if filters.documents:
            masks.append(self._among("document", list(self.numbers_of(filters.documents).values()), least=0))
        if filters.since or filters.until:
            dates = self.rows["date"]
            low = date_number(filters.since) or 1
            masks.append((dates >= low) & (dates <= (date_number(filters.until, last=True) or 99_999_999)))
        return np.logical_and.reduce(masks) if masks else None

    def _places(self, kind: str, names: Sequence[str]) -> list[int]:
        """The numbers of the values of a kind that have one of these names."""
        return [place for name in names for place in self._by_name[kind].get(folded(name), ())]

    @cached_property
    def _by_name(self) -> dict[str, dict[str, list[int]]]:
        """kind → name as an engine folds it → the numbers of the values that have it."""
        places: dict[str, dict[str, list[int]]] = {"journal": {}, "types": {}}
        for value, place in self.names["journal"].items():
            places["journal"].setdefault(folded(value), []).append(place)
        for value, place in self.names["types"].items():
            for name in split_values(value):
                places["types"].setdefault(folded(name), []).append(place)
        return places

    def _among(self, column: str, places: list[int], least: int = 1) -> Bools:
        wanted = np.array([place for place in places if place >= least], np.uint32)
        return np.isin(self.rows[column], wanted)
