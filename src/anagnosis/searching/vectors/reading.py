"""Committed vectors, memory-mapped: their passages, and the rows that match filters."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Annotated

import msgspec
import numpy as np

from anagnosis.array_types import AnyArray, Bools, Longs, UInt8s, UInt64s
from anagnosis.errors import DamagedError
from anagnosis.io.checksums import read_checked_json
from anagnosis.io.decoding import decoding_faults
from anagnosis.io.paths import open_file
from anagnosis.searching.filters import NAME_FILTERS, Filters, NameFilter
from anagnosis.searching.queries.names import folded
from anagnosis.searching.vectors.layout import (
    DOCUMENT,
    NUMBERS,
    REMEDY,
    STATE,
    VectorsState,
    key_of,
    part,
    row_type,
)

# Attempts to open the last commit: a writer may replace its generation while we open it.
_TRIES = 3
# Numbers of a vector for which 16 bits hold twice the highest sum of a scan, 2 · 15 a number.
_SHORT = 1_024
_KINDS = "|".join(("section", *(one.fact for one in NAME_FILTERS)))
# A line of names.
_NAMES = msgspec.json.Decoder(tuple[Annotated[str, msgspec.Meta(pattern=f"^(?:{_KINDS})$")], str])


def state_of(folder: Path) -> VectorsState:
    """The last committed state. DamagedError: its numbers are impossible, or it is of another version."""
    path = folder / STATE
    state = read_checked_json(path, VectorsState, REMEDY)
    if not state.is_possible:
        raise DamagedError("is of another version, or damaged", str(path), REMEDY)
    return state


class Vectors:
    """The vectors of one commit. They stay readable while others write.

    documents: in the order of their rows. first: the first row of each. document_of: row → number of its document.
    """

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
        state = self.state
        data_of: dict[str, UInt8s] = {}
        for name, size in state.sizes.items():
            path = part(self.folder, state.generation, name)
            if path.stat().st_size < size:
                raise DamagedError("is shorter than was committed", str(path), REMEDY)
            with open_file(path) as stream:
                data = np.memmap(stream, np.uint8, "r", shape=size) if size else np.empty(0, np.uint8)
            if name != NUMBERS and zlib.crc32(data.data) != state.checksums.get(name, 0):
                raise DamagedError("is damaged: its checksum differs", str(path), REMEDY)
            data_of[name] = data
        self.numbers = data_of[NUMBERS].view(np.int8).reshape(state.rows, state.width)
        self._verified = np.zeros(state.rows, np.bool_)
        self.rows: AnyArray = data_of["rows"].view(row_type(state.width))
        self.signs: UInt64s = self.rows["signs"]
        self.documents: AnyArray = data_of["documents"].view(DOCUMENT)
        self.ids, self._names = data_of["ids"], data_of["names"].tobytes()
        passages, sizes = self.documents["passages"], self.documents["size"]
        self.first = np.cumsum(passages, dtype=np.int64) - passages
        self._ends_of_ids = np.cumsum(sizes, dtype=np.int64)
        if int(passages.sum()) != state.rows or int(sizes.sum()) != state.sizes["ids"]:
            raise DamagedError("contradicts the other files", str(self.folder / STATE), REMEDY)
        self.document_of = np.repeat(np.arange(len(passages), dtype=np.uint32), passages)

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
    def columns(self) -> tuple[UInt64s, AnyArray]:
        """Signs as uint64 [words, rows], one row for each word of a question, and the number of 1 bits [rows]."""
        columns = np.ascontiguousarray(self.signs.T)
        ones = np.zeros(columns.shape[1], np.int16 if self.state.width <= _SHORT else np.int32)
        for column in columns:
            ones += np.bitwise_count(column)
        return columns, ones

    @cached_property
    def names(self) -> dict[str, dict[str, int]]:
        """ "section", or a fact → name → its number, from 1."""
        places: dict[str, dict[str, int]] = {"section": {}, **{one.fact: {} for one in NAME_FILTERS}}
        with decoding_faults(self.folder, REMEDY, "names of vectors are damaged", error=DamagedError):
            for kind, name in _NAMES.decode_lines(self._names):
                places[kind][name] = len(places[kind]) + 1
        return places

    def ident(self, document: int) -> str:
        """The id of a document. document: its number."""
        end = int(self._ends_of_ids[document])
        try:
            return self.ids[end - int(self.documents["size"][document]) : end].tobytes().decode()
        except ValueError as fault:
            raise DamagedError(f"ids of vectors are damaged ({fault})", str(self.folder), REMEDY) from fault

    @cached_property
    def _by_key(self) -> tuple[UInt64s, Longs]:
        """Keys of documents, sorted, and their numbers."""
        order = np.argsort(self.documents["key"], kind="stable")
        return self.documents["key"][order], order

    def numbers_of(self, idents: Sequence[str]) -> dict[str, int]:
        """id → number, for those of the documents that have vectors."""
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

    def row(self, document: int, number: int) -> int | None:
        """The row of a passage, by the numbers of its document and in it; None where it has none."""
        is_there = 0 <= number < int(self.documents["passages"][document])
        return int(self.first[document]) + number if is_there else None

    def allowed(self, filters: Filters) -> Bools | None:
        """bool [rows]: rows that match the filters, as an engine would; None if all do."""
        masks = [
            _among(self.documents[one.fact], self._places(one, names))
            for one in NAME_FILTERS
            if (names := getattr(filters, one.names))
        ]
        if filters.documents:
            there = np.zeros(len(self.documents), np.bool_)
            there[list(self.numbers_of(filters.documents).values())] = True
            masks.append(there)
        for field, spans in filters.dated:
            dates = self.documents[field]
            masks.append(np.logical_or.reduce([(dates >= low) & (dates <= high) for low, high in spans]))
        rows = [np.logical_and.reduce(masks)[self.document_of]] if masks else []
        if filters.sections:
            sections = [self.names["section"].get(one, 0) for one in filters.sections]
            rows.append(_among(self.rows["section"], sections))
        return np.logical_and.reduce(rows) if rows else None

    def _places(self, kind: NameFilter, names: Sequence[str]) -> list[int]:
        """The numbers of the facts that have one of these names."""
        there = self._by_name[kind]
        return [place for name in names for place in there.get(folded(kind.unify(name)), ())]

    @cached_property
    def _by_name(self) -> dict[NameFilter, dict[str, list[int]]]:
        """kind → name as an engine folds it → the numbers of the facts that have it."""
        places: dict[NameFilter, dict[str, list[int]]] = {one: {} for one in NAME_FILTERS}
        for one, there in places.items():
            for value, place in self.names[one.fact].items():
                for name in one.printed({one.fact: value}):
                    there.setdefault(folded(name), []).append(place)
        return places


def _among(values: AnyArray, places: list[int]) -> Bools:
    """Which of the values are among these numbers of names; 0 is no name."""
    return np.isin(values, np.array([place for place in places if place], np.uint32))
