"""The vectors of an index: one `.npz` beside the engine, which is replaced whole.

    header    JSON: VectorsHeader            digests, counts    of each paper
    numbers   int8 [passages, width]         scales, sections   of each passage, paper by paper

A unit vector x is stored as round(x / s) with the scale s = max|x| / 127. Whoever has a file open keeps it while
another takes its place.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import IO

import msgspec
import numpy as np

from anagnosis.array_types import Bools, Floats, Floats32, Int8s, Longs
from anagnosis.errors import DamagedError
from anagnosis.io.decoding import decoding_faults
from anagnosis.io.paths import open_file
from anagnosis.searching.passages import SECTIONS

REMEDY = (
    "drop the vectors with `anagnosis index --out INDEX --no-encoder`, and make them with"
    " `anagnosis index --out INDEX --encoder NAME`"
)
DIGITS = 6  # of scores. Scores that differ by less are ties, which the id breaks later.
_BLOCK = 2_048  # rows of one product
_FAULTS = (zipfile.BadZipFile, KeyError, NotImplementedError, EOFError, OverflowError)
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
        with decoding_faults(path, REMEDY, "vectors cannot be read", error=DamagedError, also=_FAULTS):
            stream = open_file(path)
            there = np.load(stream)
            self.header = msgspec.json.decode(there["header"].tobytes(), type=VectorsHeader)
            self.digests, self.counts = there["digests"], there["counts"]
            self.scales, self.sections = there["scales"], there["sections"]
            self.numbers = _mapped(stream, there.zip.getinfo("numbers.npy"))
            rows, papers = int(self.counts.sum()), len(self.header.papers)
            shapes = [len(self.digests), len(self.counts), len(self.scales), len(self.sections)]
            if [*shapes, *self.numbers.shape] != [papers, papers, rows, rows, rows, self.header.width]:
                raise ValueError("its parts do not fit each other")
        self.first = np.cumsum(self.counts, dtype=np.int64) - self.counts
        self.paper_of = np.repeat(np.arange(papers, dtype=np.uint32), self.counts)
        self.number = {name: number for number, name in enumerate(self.header.papers)}

    def row(self, name: str, number: int) -> int | None:
        """The row of a paper's passage; None where it has none."""
        paper = self.number.get(name)
        if paper is None or not 0 <= number < int(self.counts[paper]):
            return None
        return int(self.first[paper]) + number

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


def _mapped(stream: IO[bytes], member: zipfile.ZipInfo) -> Int8s:
    """An array, which is not compressed, as it lies in the file."""
    stream.seek(member.header_offset + _LENGTHS)
    of_name, of_more = (int.from_bytes(stream.read(2), "little") for _ in range(2))
    stream.seek(of_name + of_more, 1)
    np.lib.format.read_magic(stream)
    shape, _, kind = np.lib.format.read_array_header_1_0(stream)
    return np.memmap(stream, kind, "r", stream.tell(), shape)


def verify(path: Path) -> None:
    """DamagedError: a checksum differs."""
    with decoding_faults(path, REMEDY, error=DamagedError, also=_FAULTS), open_file(path) as stream:
        if zipfile.ZipFile(stream).testzip() is not None:
            raise ValueError("its checksum differs")
