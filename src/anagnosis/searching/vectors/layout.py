"""The files of vectors beside an engine, and vectors.json, which records the valid length of each.

    vectors.json       STATE: encoder, generation, valid bytes of each file
    N.numbers          int8 [rows, width]
    N.rows             row_type [rows]: section, signs, and CRC-32 of the numbers of each passage
    N.documents        DOCUMENT: number of passages, and values for filters, of each document in the order of its rows
    N.ids              bytes: ids of documents
    N.names            JSON lines: sections, and the facts of NAME_FILTERS in lower case, each kind numbered from 1
    lock               the writing process locks this file

N is the generation. Files only grow; a commit replaces vectors.json after all other files are on disk. So a commit is
one atomic step, and the files of a generation never change while somebody reads them. A new generation leaves out
documents.

vectors.json has the CRC-32 of the valid part of each file, which a reader verifies on opening. The numbers are most of
the bytes, and a question reads a few rows of them, so each row is verified when it is read.
"""

from __future__ import annotations

import hashlib
import zlib
from pathlib import Path

import msgspec
import numpy as np

from anagnosis.searching.filters import NAME_FILTERS
from anagnosis.searching.vectors.compact import words

STATE = "vectors.json"
LOCK = "lock"
FORMAT = 5
REMEDY = (
    "drop the vectors with `anagnosis index --out INDEX --no-encoder`, and make them with"
    " `anagnosis index --out INDEX --encoder NAME`"
)

# key, mark: hashes of the id and of the engine's mark. size: bytes of the id. passages: rows.
DOCUMENT = np.dtype(
    [
        ("key", "<u8"),
        ("mark", "<u8"),
        *((name, "<u4") for name in ("size", "passages", "date", "added")),
        *((one.fact, "<u4") for one in NAME_FILTERS),
    ]
)
NUMBERS = "numbers"
PARTS = (NUMBERS, "rows", "documents", "ids", "names")


class VectorsState(msgspec.Struct, frozen=True):
    """The contents of vectors.json.

    longest: word pieces of a text. sizes, checksums: of the valid bytes, by part. version: of the engine's commit that
    the vectors agree with.
    """

    encoder: str
    digest: str
    width: int
    longest: int
    generation: int = 1
    sizes: dict[str, int] = msgspec.field(default_factory=lambda: dict.fromkeys(PARTS, 0))
    checksums: dict[str, int] = {}
    version: str = ""
    format: int = FORMAT

    @property
    def rows(self) -> int:
        """The number of vectors."""
        return self.sizes[NUMBERS] // self.width

    @property
    def is_possible(self) -> bool:
        """Whether its numbers agree with each other and with this version."""
        if self.format != FORMAT or min(self.width, self.longest - 2, self.generation) < 1:
            return False
        if self.sizes.keys() != {*PARTS} or min(self.sizes.values()) < 0:
            return False
        size = self.rows * self.width, self.rows * row_type(self.width).itemsize
        return (
            size == (self.sizes[NUMBERS], self.sizes["rows"])
            and not self.sizes["documents"] % DOCUMENT.itemsize
        )


def key_of(text: str) -> int:
    """A 64-bit hash of an id or a mark."""
    return int.from_bytes(
        hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little"
    )


def part(folder: Path, generation: int, name: str) -> Path:
    """The path of a file of a generation."""
    return folder / f"{generation}.{name}"


def row_type(width: int) -> np.dtype[np.void]:
    """The type of a row. width: numbers of a vector."""
    return np.dtype([("section", "<u4"), ("scale", "<f4"), ("sum", "<u4"), ("signs", "<u8", (words(width),))])


def checksums_of(numbers: bytes, width: int) -> list[int]:
    """The CRC-32 of each row. numbers: int8 [rows, width] as bytes."""
    return [zlib.crc32(numbers[begin : begin + width]) for begin in range(0, len(numbers), width)]
