"""The files of vectors beside an engine, and vectors.json, which records the valid length of each.

    vectors.json       STATE: encoder, generation, valid rows and bytes
    N.numbers          int8 [rows, width]
    N.signs            uint64 [rows, words]
    N.rows             ROW [rows]: the passage of each row, and its values for filters
    N.documents        DOCUMENT: the rows of each document
    N.ids              bytes: ids of documents
    N.names            JSON lines: the names of sections, journals and types, numbered from 1
    N.dead             uint32: documents whose rows are no longer valid
    N.sums             uint32 [rows]: the CRC-32 of each row of numbers
    lock               the writing process locks this file

N is the generation. Files only grow; a commit replaces vectors.json after all other files are on disk. So a commit is
one atomic step, and the files of a generation never change while somebody reads them. A new generation leaves out dead
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

STATE = "vectors.json"
LOCK = "lock"
FORMAT = 2
REMEDY = (
    "drop the vectors with `anagnosis index --out INDEX --no-encoder`, and make them with"
    " `anagnosis index --out INDEX --encoder NAME`"
)

ROW = np.dtype(
    [
        ("document", "<u4"),
        ("number", "<u4"),
        ("date", "<u4"),
        ("section", "<u4"),
        ("journal", "<u4"),
        ("types", "<u4"),
        ("scale", "<f4"),
    ]
)
# key, mark: hashes of the id and of the engine's mark. at, size: bytes of the id.
DOCUMENT = np.dtype(
    [("key", "<u8"), ("mark", "<u8"), ("at", "<u8"), ("size", "<u4"), ("first", "<u4"), ("count", "<u4")]
)
DEAD = np.dtype("<u4")
SUM = np.dtype("<u4")
NUMBERS, SUMS = "numbers", "sums"
PARTS = (NUMBERS, "signs", "rows", "documents", "ids", "names", "dead", SUMS)


class VectorsState(msgspec.Struct, frozen=True):
    """The contents of vectors.json.

    longest: word pieces of a text. dead, dead_rows: documents and rows no longer valid. ids, names: bytes. version: of
    the engine's commit that the vectors agree with. checksums: by part.
    """

    encoder: str
    digest: str
    width: int
    longest: int
    generation: int = 1
    rows: int = 0
    documents: int = 0
    ids: int = 0
    names: int = 0
    dead: int = 0
    dead_rows: int = 0
    version: str = ""
    format: int = FORMAT
    checksums: dict[str, int] = {}

    @property
    def live(self) -> int:
        """The number of valid rows."""
        return self.rows - self.dead_rows


def key_of(text: str) -> int:
    """A 64-bit hash of an id or a mark."""
    return int.from_bytes(
        hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little"
    )


def part(folder: Path, generation: int, name: str) -> Path:
    """The path of a file of a generation."""
    return folder / f"{generation}.{name}"


def sizes(state: VectorsState, words: int) -> dict[str, int]:
    """part → its valid bytes. words: 64-bit words of a vector's signs."""
    return {
        NUMBERS: state.rows * state.width,
        "signs": state.rows * words * 8,
        "rows": state.rows * ROW.itemsize,
        "documents": state.documents * DOCUMENT.itemsize,
        "ids": state.ids,
        "names": state.names,
        "dead": state.dead * DEAD.itemsize,
        SUMS: state.rows * SUM.itemsize,
    }


def checksums_of(rows: bytes | memoryview, width: int) -> list[int]:
    """The CRC-32 of each row. rows: int8 [rows, width] as bytes."""
    return [zlib.crc32(rows[begin : begin + width]) for begin in range(0, len(rows), width)]
