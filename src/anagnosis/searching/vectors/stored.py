"""The vectors of an index: one file beside the engine, which a commit replaces whole.

    8 bytes      uint64: length of the header
    header       JSON: VectorsHeader
    documents    DOCUMENT: number of passages, and values for filters, of each document
    rows         row_type: section and vector of each passage, document by document
    4 bytes      uint32: CRC-32 of all before

A unit vector x is stored as round(x / s) with the scale s = max|x| / 127: 8 bits a number. Whoever has a file open
keeps it while another takes its place.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

import msgspec
import numpy as np

from anagnosis.array_types import AnyArray, Bools, Floats, Floats32, Longs
from anagnosis.errors import DamagedError
from anagnosis.io.decoding import decoding_faults
from anagnosis.io.paths import open_file
from anagnosis.searching.filters import NAME_FILTERS, Filters, NameFilter
from anagnosis.searching.queries.names import folded

REMEDY = (
    "drop the vectors with `anagnosis index --out INDEX --no-encoder`, and make them with"
    " `anagnosis index --out INDEX --encoder NAME`"
)
# mark: a hash of the engine's mark (key_of). passages: rows. Dates as filters.date_number, names by number.
DOCUMENT = np.dtype(
    [
        ("mark", "<u8"),
        *((name, "<u4") for name in ("passages", "date", "added")),
        *((one.fact, "<u4") for one in NAME_FILTERS),
    ]
)
NAMED = ("section", *(one.fact for one in NAME_FILTERS))
LENGTH, CHECKSUM = np.dtype("<u8"), np.dtype("<u4")
DIGITS = 6  # of scores. Scores that differ by less are ties, which the id breaks later.
_BLOCK = 2_048  # rows of one product


class VectorsHeader(msgspec.Struct, frozen=True):
    """What a file of vectors says of itself.

    longest: word pieces of a text. version: of the engine's commit that the vectors agree with, "" for none. names: of
    each of NAMED its names in lower case, numbered from 1. ids: of the documents.
    """

    encoder: str
    digest: str
    width: int
    longest: int
    version: str
    names: dict[str, list[str]]
    ids: list[str]


def key_of(mark: str) -> int:
    """A 64-bit hash of a mark."""
    digest = hashlib.blake2b(mark.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little")


def row_type(width: int) -> np.dtype[np.void]:
    """The type of a row. width: numbers of a vector."""
    return np.dtype([("section", "<u4"), ("scale", "<f4"), ("numbers", "i1", (width,))])


class Vectors:
    """The vectors of one commit, memory-mapped. first: the first row of each document. document_of: row → its document.

    DamagedError: no such file, or its checksum differs.
    """

    def __init__(self, path: Path) -> None:
        with decoding_faults(path, REMEDY, "vectors cannot be read", error=DamagedError):
            with open_file(path) as stream:
                data = np.memmap(stream, np.uint8, "r")
            end = len(data) - CHECKSUM.itemsize
            if zlib.crc32(data[:end].data) != int(data[end:].view(CHECKSUM)[0]):
                raise DamagedError("is damaged: its checksum differs", str(path), REMEDY)
            begin = LENGTH.itemsize + int(data[: LENGTH.itemsize].view(LENGTH)[0])
            self.header = msgspec.json.decode(data[LENGTH.itemsize : begin].tobytes(), type=VectorsHeader)
        rows = begin + len(self.header.ids) * DOCUMENT.itemsize
        self.documents: AnyArray = data[begin:rows].view(DOCUMENT)
        self.rows: AnyArray = data[rows:end].view(row_type(self.header.width))
        passages = self.documents["passages"]
        self.first = np.cumsum(passages, dtype=np.int64) - passages
        self.document_of = np.repeat(np.arange(len(passages), dtype=np.uint32), passages)

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {ident: number for number, ident in enumerate(self.header.ids)}

    def row(self, ident: str, number: int) -> int | None:
        """The row of a passage, by the id of its document and its number in it; None where it has none."""
        document = self.number(ident)
        if document is None or not 0 <= number < int(self.documents["passages"][document]):
            return None
        return int(self.first[document]) + number

    def number(self, ident: str) -> int | None:
        """The number of a document; None where it has no vectors."""
        return self._numbers.get(ident)

    def vectors(self, rows: Longs) -> Floats32:
        """float32 [rows, width]."""
        some = self.rows[rows]
        return some["numbers"].astype(np.float32) * some["scale"][:, None]

    def scores(self, question: Floats32, rows: Longs | None = None) -> Floats:
        """float64 [rows]: products with the question's vector, float32 [width]. rows: None for all."""
        found = np.empty(len(self.rows) if rows is None else len(rows), np.float64)
        for begin in range(0, len(found), _BLOCK):
            block = slice(begin, begin + _BLOCK)
            some = self.rows[block if rows is None else rows[block]]
            found[block] = some["numbers"].astype(np.float32) @ question * some["scale"]
        return np.round(found, DIGITS)

    def nearest(
        self, question: Floats32, limit: int, allowed: Bools | None = None
    ) -> list[tuple[int, float]]:
        """The best `limit` rows and all ties with the last one, and their scores, falling.

        allowed: bool [rows], None for all rows.
        """
        rows = None if allowed is None else np.flatnonzero(allowed)
        found = self.scores(question, rows)
        best = np.arange(len(found))
        if limit < len(found):
            best = np.flatnonzero(found >= np.partition(found, -limit)[-limit])
        best = best[np.argsort(-found[best], kind="stable")]
        places = best if rows is None else rows[best]
        return list(zip(places.tolist(), found[best].tolist(), strict=True))

    def allowed(self, filters: Filters) -> Bools | None:
        """bool [rows]: rows that match the filters, as an engine would; None if all do."""
        masks = [
            np.isin(self.documents[one.fact], self._places(one, names))
            for one in NAME_FILTERS
            if (names := getattr(filters, one.names))
        ]
        if filters.documents:
            there = np.zeros(len(self.documents), np.bool_)
            there[[n for one in filters.documents if (n := self.number(one)) is not None]] = True
            masks.append(there)
        for field, spans in filters.dated:
            dates = self.documents[field]
            masks.append(np.logical_or.reduce([(dates >= low) & (dates <= high) for low, high in spans]))
        rows = [np.logical_and.reduce(masks)[self.document_of]] if masks else []
        if filters.sections:
            names = self.header.names["section"]
            sections = [place for place, name in enumerate(names, 1) if name in filters.sections]
            rows.append(np.isin(self.rows["section"], sections))
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
            for place, value in enumerate(self.header.names[one.fact], 1):
                for name in one.printed({one.fact: value}):
                    there.setdefault(folded(name), []).append(place)
        return places
