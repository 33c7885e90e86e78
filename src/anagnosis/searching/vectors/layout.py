"""The files of vectors beside an engine, and vectors.json, which records the valid length of each.

    vectors.json       STATE: encoder, generation, valid rows and bytes
    N.numbers          int8 [rows, width]
    N.rows             row_type [rows]: passage, values for filters, signs, and CRC-32 of the numbers of each row
    N.documents        DOCUMENT: the rows of each document
    N.ids              bytes: ids of documents
    N.names            JSON lines: the names of sections, journals and types, numbered from 1
    N.dead             uint32: documents whose rows are no longer valid
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

from anagnosis.searching.vectors.compact import words

STATE = "vectors.json"
LOCK = "lock"
FORMAT = 3
REMEDY = (
    "drop the vectors with `anagnosis index --out INDEX --no-encoder`, and make them with"
    " `anagnosis index --out INDEX --encoder NAME`"
)

# key, mark: hashes of the id and of the engine's mark. at, size: bytes of the id.
DOCUMENT = np.dtype(
    [("key", "<u8"), ("mark", "<u8"), ("at", "<u8"), ("size", "<u4"), ("first", "<u4"), ("count", "<u4")]
)
DEAD = np.dtype("<u4")
NUMBERS = "numbers"
PARTS = (NUMBERS, "rows", "documents", "ids", "names", "dead")


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


def row_type(width: int) -> np.dtype[np.void]:
    """The type of a row. width: numbers of a vector."""
    facts = ("document", "number", "date", "section", "journal", "types")
    rest = [("scale", "<f4"), ("sum", "<u4"), ("signs", "<u8", (words(width),))]
    return np.dtype([*((name, "<u4") for name in facts), *rest])


def sizes(state: VectorsState) -> dict[str, int]:
    """part → its valid bytes."""
    return {
        NUMBERS: state.rows * state.width,
        "rows": state.rows * row_type(state.width).itemsize,
        "documents": state.documents * DOCUMENT.itemsize,
        "ids": state.ids,
        "names": state.names,
        "dead": state.dead * DEAD.itemsize,
    }


def checksums_of(numbers: bytes, width: int) -> list[int]:
    """The CRC-32 of each row. numbers: int8 [rows, width] as bytes."""
    return [zlib.crc32(numbers[begin : begin + width]) for begin in range(0, len(numbers), width)]
