"""The vectors of an index: one `.npz` beside the engine, which is replaced whole.

    header    JSON: VectorsHeader            digests, counts    of each paper
    numbers   int8 [passages, width]         scales, sections   of each passage, paper by paper

A unit vector x is stored as round(x / s) with the scale s = max|x| / 127. Whoever has a file open keeps it while
another takes its place.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import msgspec
import numpy as np

from anagnosis.array_types import AnyArray, Bools, Floats, Floats32, Int8s, Longs
from anagnosis.errors import DamagedError
from anagnosis.io.decoding import decoding_faults
from anagnosis.io.files import atomic_write
from anagnosis.io.paths import open_file
from anagnosis.searching.section_names import SECTIONS

REMEDY = (
    "drop the vectors with `anagnosis index --out INDEX --no-encoder`, and make them with"
    " `anagnosis index --out INDEX --encoder NAME`"
)
DIGITS = 6  # of scores. Scores that differ by less are ties, which the id breaks later.
TYPES = {"digests": "<u8", "counts": "<u4", "scales": "<f4", "sections": "|u1", "numbers": "|i1"}
_BLOCK = 2_048  # rows of one product
_LENGTHS = 26  # bytes of a member of a zip file before those of its name


class VectorsHeader(msgspec.Struct, frozen=True):
    """What a file of vectors says of itself.

    longest: word pieces of a text. version: of the engine's commit that the vectors agree with, "" for none. papers:
    names. sections: of passages, by number.
    """

    encoder: str
    digest: str
    width: int
    longest: int
    version: str
    papers: list[str]
    sections: tuple[str, ...] = SECTIONS


class Vectors:
    """The vectors of a file, memory-mapped. DamagedError: no such file, or it is not as it was written.

    first: the first row of each paper. paper_of: row → the number of its paper.
    """

    def __init__(self, path: Path) -> None:
        faults = (zipfile.BadZipFile, KeyError, NotImplementedError, EOFError)
        with decoding_faults(path, REMEDY, "vectors cannot be read", error=DamagedError, also=faults):
            self._file = zipfile.ZipFile(open_file(path))
            self.header = msgspec.json.decode(self._member("header").tobytes(), type=VectorsHeader)
            self.digests, self.counts, self.scales, self.sections = map(
                self._member, ("digests", "counts", "scales", "sections")
            )
            self.numbers: Int8s = self._mapped("numbers")
            rows, papers = int(self.counts.sum()), len(self.header.papers)
            shapes = [len(self.digests), len(self.counts), *map(len, (self.scales, self.sections))]
            if [*shapes, *self.numbers.shape] != [papers, papers, rows, rows, rows, self.header.width]:
                raise ValueError("its parts do not fit each other")
        self.first = np.cumsum(self.counts, dtype=np.int64) - self.counts
        self.paper_of = np.repeat(np.arange(papers, dtype=np.uint32), self.counts)
        self.number = {name: number for number, name in enumerate(self.header.papers)}
        self._path = path

    def _member(self, name: str) -> AnyArray:
        with self._file.open(f"{name}.npy") as member:
            read: AnyArray = np.lib.format.read_array(member, allow_pickle=False)
            member.read()  # to its end, where the checksum is compared
            return read

    def _mapped(self, name: str) -> AnyArray:
        """A member, which is not compressed, as it lies in the file."""
        assert self._file.fp is not None
        stream, info = self._file.fp, self._file.getinfo(f"{name}.npy")
        stream.seek(info.header_offset + _LENGTHS)
        of_name, of_more = (int.from_bytes(stream.read(2), "little") for _ in range(2))
        stream.seek(of_name + of_more, 1)
        np.lib.format.read_magic(stream)
        shape, _, kind = np.lib.format.read_array_header_2_0(stream)
        return np.memmap(stream, kind, "r", stream.tell(), shape)

    def verify(self) -> None:
        """DamagedError: a checksum differs."""
        with decoding_faults(self._path, REMEDY, error=DamagedError, also=(zipfile.BadZipFile,)):
            if self._file.testzip() is not None:
                raise ValueError("its checksum differs")

    def row(self, name: str, number: int) -> int | None:
        """The row of a paper's passage; None where it has none."""
        paper = self.number.get(name)
        if paper is None or not 0 <= number < int(self.counts[paper]):
            return None
        return int(self.first[paper]) + number

    def vectors(self, rows: Longs) -> Floats32:
        """float32 [rows, width]."""
        return self.numbers[rows].astype(np.float32) * self.scales[rows, None]

    def scores(self, question: Floats32, rows: Longs | None = None) -> Floats:
        """float64 [rows]: products with the question's vector, float32 [width]. rows: None for all."""
        found = np.empty(len(self.numbers) if rows is None else len(rows), np.float64)
        for begin in range(0, len(found), _BLOCK):
            block = slice(begin, begin + _BLOCK)
            some = block if rows is None else rows[block]
            found[block] = self.numbers[some].astype(np.float32) @ question * self.scales[some]
        return np.round(found, DIGITS)

    def within(self, sections: Iterable[str]) -> Bools:
        """bool [rows]: rows of these sections."""
        wanted = [number for number, name in enumerate(self.header.sections) if name in {*sections}]
        return np.isin(self.sections, wanted)


def quantised(vectors: Floats32) -> tuple[Int8s, Floats32]:
    """Whole numbers and scales of vectors, float32 [passages, width]."""
    scales = np.abs(vectors).max(axis=1, initial=0) / 127
    numbers = np.rint(vectors / np.where(scales, scales, 1)[:, None])
    return numbers.astype(np.int8), scales.astype(np.float32)


def write_vectors(path: Path, header: VectorsHeader, parts: Mapping[str, Sequence[AnyArray]]) -> None:
    """Replace the file. parts: of each member but the header, one behind the other."""
    as_text = np.frombuffer(msgspec.json.encode(header), np.uint8)
    with atomic_write(path) as stream, zipfile.ZipFile(stream, "w") as file:
        for name, kind in {"header": "|u1", **TYPES}.items():
            arrays = parts.get(name, ()) if name in TYPES else [as_text]
            shape = (sum(map(len, arrays)), *([header.width] if name == "numbers" else []))
            with file.open(f"{name}.npy", "w", force_zip64=True) as member:
                of = {"descr": kind, "fortran_order": False, "shape": shape}
                np.lib.format.write_array_header_2_0(member, of)
                for array in arrays:
                    member.write(np.ascontiguousarray(array, kind).view(np.uint8).data)
