"""The files of vectors beside an engine, and the one that says how much of them counts.

    vectors.json       STATE: encoder, generation, rows and bytes that count, no more than that
    N.numbers          int8 [rows, width]
    N.signs            uint64 [rows, words]
    N.rows             ROW [rows]: of which passage, and what filters ask of it
    N.documents        DOCUMENT: which rows are whose
    N.ids              bytes: ids of documents
    N.names            JSON lines: the names of sections, journals and types, each known by its place from 1
    N.dead             uint32: documents whose rows count no more
    N.sums             uint32 [rows]: the CRC-32 of each row of numbers
    lock               held by the process that writes

N is the generation. Files only grow; vectors.json is replaced when all else is safe, so that a commit is one atomic
step, and a generation's files never change under a reader's eyes. A new generation leaves out what is dead.

vectors.json has the CRC-32 of what counts of each file, which a reader verifies when it opens them. The numbers are
most of all bytes, and a question reads a few rows of them: so each row is verified when it is read. Vectors of format 1
have no checksums, and get none when they grow.
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
WITHOUT_CHECKSUMS = 1  # an earlier format, which is read and written as it is
REMEDY = "make the vectors again: `anagnosis index --out … --no-encoder`, then with --encoder"

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


class State(msgspec.Struct, frozen=True):
    """What vectors.json says. longest: pieces read of a text. dead, dead_rows: documents and their rows.

    ids, names: bytes. version: of the engine's commit that the vectors agree with. checksums: by part.
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
        """Rows that count."""
        return self.rows - self.dead_rows

    @property
    def has_checksums(self) -> bool:
        """Whether there are any: those of format 1 have none."""
        return self.format != WITHOUT_CHECKSUMS


def key_of(text: str) -> int:
    """By which an id, and a mark, is known."""
    return int.from_bytes(
        hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little"
    )


def part(folder: Path, generation: int, name: str) -> Path:
    """A file of a generation."""
    return folder / f"{generation}.{name}"


def sizes(state: State, words: int) -> dict[str, int]:
    """Bytes that count of each part that there is."""
    found = {
        NUMBERS: state.rows * state.width,
        "signs": state.rows * words * 8,
        "rows": state.rows * ROW.itemsize,
        "documents": state.documents * DOCUMENT.itemsize,
        "ids": state.ids,
        "names": state.names,
        "dead": state.dead * DEAD.itemsize,
    }
    return {**found, SUMS: state.rows * SUM.itemsize} if state.has_checksums else found


def checksums_of(rows: bytes | memoryview, width: int) -> list[int]:
    """The CRC-32 of each row. rows: int8 [rows, width] as bytes."""
    return [zlib.crc32(rows[begin : begin + width]) for begin in range(0, len(rows), width)]
