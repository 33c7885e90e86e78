"""A frozen encoder's vectors of single texts, computed once and kept: float16, one for each word piece.

    KEPT/texts-3f0c…/what.json      encoder, weights, precision
                    index.bin       an ENTRY for each text: its key, and the rows of its vectors
                    vectors.bin     float16 [vectors, width], one for each piece except special ones
                    sums.bin        uint32, a CRC-32 for each text, of its entry and its vectors

The key of a text is its hash, independent of dataset, split and fold; the encoder reads each text alone, and one over
its limit in consecutive windows of similar length. The files only grow, the index last; a process cuts off what another
left incomplete. We verify the checksum of vectors at every read.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import torch
from isal import isal_zlib

from anagnosis.array_types import Floats16
from anagnosis.encoders import run
from anagnosis.encoders.kept_folder import demand_room, exclusive, short_name, size_in_words, writing
from anagnosis.encoders.load import Encoder
from anagnosis.errors import DamagedError, InputError
from anagnosis.io.files import write_text
from anagnosis.progress import Progress, tell

BLOCK = 512  # texts between two writes
KEY = 16  # bytes
ENTRY = np.dtype([("key", f"V{KEY}"), ("first", "<i8"), ("count", "<i8")])
WHAT, INDEX, VECTORS, SUMS = "what.json", "index.bin", "vectors.bin", "sums.bin"


def key_of(text: str) -> bytes:
    """The key of a text, its hash."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=KEY).digest()


def _entry(key: bytes, first: int, count: int) -> bytes:
    return np.array((key, first, count), ENTRY).tobytes()


def _sum(entry: bytes, vectors: Floats16) -> int:
    return isal_zlib.crc32(np.ascontiguousarray(vectors).view(np.uint8).data, isal_zlib.crc32(entry))


class KeptTexts:
    """An encoder's vectors of texts. folder: of all kept vectors. precision: of the encoder's products."""

    def __init__(
        self, folder: Path, encoder: Encoder, device: torch.device, precision: str = "float32"
    ) -> None:
        self._encoder, self._device = encoder, device
        self._precision = run.precision(precision, device)
        what = {"encoder": encoder.name, "weights": encoder.digest, "precision": self._precision}
        # Without the encoder's name, since its path does not affect its vectors.
        identity = json.dumps([encoder.digest, self._precision]).encode()
        self.place = folder / f"texts-{hashlib.sha256(identity).hexdigest()[:16]}"
        self._what = json.dumps(what, indent=1) + "\n"
        self._rows: dict[bytes, tuple[int, int, int]] = {}  # first, count, sum
        self._width = encoder.pieces.width
        self._size = 0  # vectors

    @property
    def limit(self) -> int:
        """Word pieces of the longest text that fits into one window."""
        return self._encoder.pieces.limit - 2

    def count(self, key: bytes) -> int:
        """The number of a text's vectors."""
        return self._rows[key][1]

    def vectors(self, key: bytes) -> Floats16:
        """float16 [pieces, width] of an added text."""
        first, count, expected = self._rows[key]
        begin = 2 * first * self._width
        numbers = np.fromfile(self.place / VECTORS, np.float16, count * self._width, offset=begin)
        if len(numbers) != count * self._width or _sum(_entry(key, first, count), numbers) != expected:
            raise DamagedError(
                "vectors are not as they were written (their checksum differs)",
                str(self.place / VECTORS),
                "remove that folder; the same command computes it anew",
            )
        return numbers.reshape(count, self._width)

    def add(self, texts: Iterable[str], name: str, total: int | None = None) -> None:
        """Compute the missing vectors of texts. name: of the texts, for messages. total: their number, if known.

        InputError: a number overflows half precision, or the disk is full.
        """
        with writing(self.place), exclusive(self.place):
            if not (self.place / WHAT).is_file():
                write_text(self.place / WHAT, self._what)
            self._cut()
            before = self._size
            missing: dict[bytes, str] = {}
            self._encoder.model.to(self._device)
            try:
                with Progress(f"vectors of {name}", total, "texts") as bar:
                    for text in texts:
                        key = key_of(text)
                        if key not in self._rows:
                            missing[key] = text
                        if len(missing) == BLOCK:
                            self._append(missing)
                            missing = {}
                        bar.advance()
                    self._append(missing)
            finally:
                self._encoder.model.to("cpu")
            self.open()
        if new := self._size - before:
            size = size_in_words(new * self._width * 2)
            tell(f"{name}: {new:,} vectors by {short_name(self._encoder.name)} kept, {size} in {self.place}")

    def open(self) -> None:
        """Read the complete entries: those in sequence, with their vectors and sums."""
        entries, sums = np.fromfile(self.place / INDEX, ENTRY), np.fromfile(self.place / SUMS, "<u4")
        entries = entries[: len(sums)]
        ends = np.cumsum(entries["count"])
        complete = (entries["first"] == ends - entries["count"]) & (entries["count"] >= 0)
        complete &= ends <= (self.place / VECTORS).stat().st_size // (2 * self._width)
        entries = entries[: len(complete) if complete.all() else int(np.argmin(complete))]
        self._size = int(ends[len(entries) - 1]) if len(entries) else 0
        columns = (entries[name].tolist() for name in ("key", "first", "count"))
        self._rows = {key: (*row, checksum) for key, *row, checksum in zip(*columns, sums.tolist())}

    def _cut(self) -> None:
        """Cut off incomplete entries; make missing files."""
        for name in (INDEX, VECTORS, SUMS):
            (self.place / name).touch()
        self.open()
        os.truncate(self.place / INDEX, len(self._rows) * ENTRY.itemsize)
        os.truncate(self.place / SUMS, len(self._rows) * 4)
        os.truncate(self.place / VECTORS, 2 * self._size * self._width)

    def _append(self, texts: dict[bytes, str]) -> None:
        if not texts:
            return
        of_texts = self._read(list(texts.values()))
        counts = np.array([len(vectors) for vectors in of_texts], np.int64)
        with (self.place / VECTORS).open("ab") as stream:
            begin = stream.tell() // (2 * self._width)
            demand_room(self.place, int(counts.sum()) * 2 * self._width)
            for vectors in of_texts:
                stream.write(vectors.tobytes())
            stream.flush()
            os.fsync(stream.fileno())
        entries = np.empty(len(of_texts), ENTRY)
        entries["key"] = np.frombuffer(b"".join(texts), f"V{KEY}")
        entries["first"] = begin + np.cumsum(counts) - counts
        entries["count"] = counts
        sums = [_sum(entry.tobytes(), vectors) for entry, vectors in zip(entries, of_texts, strict=True)]
        for name, data in ((SUMS, np.array(sums, "<u4")), (INDEX, entries)):
            with (self.place / name).open("ab") as stream:
                stream.write(data.tobytes())
                stream.flush()
                os.fsync(stream.fileno())
        firsts = entries["first"].tolist()
        self._rows |= zip(texts, zip(firsts, counts.tolist(), sums, strict=True), strict=True)

    def _read(self, texts: list[str]) -> list[Floats16]:
        """Compute float16 [pieces, width] of each text."""
        pieces = self._encoder.pieces
        ids = [list(encoding.ids) for encoding in pieces.split(texts)]
        windows: list[list[int]] = []
        owners: list[int] = []
        for number, text_ids in enumerate(ids):
            parts = -(-len(text_ids) // self.limit)
            for part in range(parts):
                window = text_ids[part * len(text_ids) // parts : (part + 1) * len(text_ids) // parts]
                windows.append([pieces.start, *window, pieces.separator])
                owners.append(number)
        read = [np.empty((0, pieces.width), np.float16)] * len(windows)
        lengths = [len(window) for window in windows]
        with torch.inference_mode(), run.mixed(self._precision, self._device):
            for numbers, length in run.groups(lengths, pieces.limit, self._device):
                padded, inside = run.padded([windows[number] for number in numbers], pieces.padding, length)
                top = run.hidden(self._encoder.model, padded.to(self._device), inside.to(self._device))
                with np.errstate(over="ignore"):  # checked below
                    half = top.float().cpu().numpy().astype(np.float16)
                for row, number in enumerate(numbers):
                    read[number] = half[row, 1 : lengths[number] - 1].copy()
        if not all(np.isfinite(vectors).all() for vectors in read):
            raise InputError(
                f"{self._encoder.name} gives numbers that half precision cannot hold",
                "encoder",
                "take another encoder",
            )
        of_texts: list[list[Floats16]] = [[] for _ in texts]
        for owner, vectors in zip(owners, read, strict=True):
            of_texts[owner].append(vectors)
        nothing = np.empty((0, pieces.width), np.float16)
        return [np.concatenate(parts) if parts else nothing for parts in of_texts]
