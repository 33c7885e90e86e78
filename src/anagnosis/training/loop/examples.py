"""Encoded examples on disk, so that memory does not grow with the dataset.

    FOLDER/NAME-DIGEST/records.msgpack   the examples, one after the other
    FOLDER/NAME-DIGEST/index.npy         int64 [3, n + 1]: where each begins (and the last ends), size, target

The folder gets its name when it is complete, so nobody mistakes an interrupted encoding for a complete one. Records
are read, not memory-mapped: mapped pages count as this process's memory.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

import msgspec
import numpy as np

from anagnosis.array_types import Ints, Longs
from anagnosis.errors import InputError
from anagnosis.io.paths import naming_faults
from anagnosis.progress import Progress
from anagnosis.readers.learning import DrawingLearner

_RECORDS = "records.msgpack"
_INDEX = "index.npy"
_BEGIN, _SIZE, _TARGET = range(3)


class Examples:
    """An open store. sizes: int32 [n], tokens of each. targets: int64 [n], -1 where there is none."""

    def __init__(self, folder: Path, example: type[msgspec.Struct]) -> None:
        try:
            index: Longs = np.load(folder / _INDEX)
            self._records: BinaryIO = (folder / _RECORDS).open("rb", buffering=0)
        except (OSError, ValueError) as fault:
            raise InputError(
                f"the encoded examples cannot be read ({fault})", str(folder), "remove that folder"
            ) from fault
        self._begins = index[_BEGIN].copy()  # else the whole index stays
        self.sizes = index[_SIZE, :-1].astype(np.int32)
        self.targets = index[_TARGET, :-1].copy()
        self._decode = msgspec.msgpack.Decoder(example).decode

    def __len__(self) -> int:
        return len(self.sizes)

    def __enter__(self) -> Examples:
        return self

    def __exit__(self, *fault: object) -> None:
        self._records.close()

    @property
    def answered(self) -> Longs:
        """The instances that have an answer."""
        return np.flatnonzero(self.targets >= 0)

    def take(self, indices: Iterable[int]) -> list[Any]:
        """The examples of these instances."""
        return [self._decode(self._bytes(int(index))) for index in indices]

    def _bytes(self, index: int) -> bytes:
        begin = int(self._begins[index])
        self._records.seek(begin)
        size = int(self._begins[index + 1]) - begin
        data = self._records.read(size)
        if len(data) != size:
            raise InputError("the encoded examples end too early", self._records.name, "remove that file")
        return data


def encoded(folder: Path, name: str, digest: str, rows: int, examples: Iterator[Any]) -> Path:
    """The store of a split. If it is missing, write it; else `examples` is not used. rows: number of examples."""
    store = folder / f"{name}-{digest[:16]}"
    if store.exists():
        return store
    part = folder / f".{store.name}.part"
    try:
        with naming_faults(folder, "free some space or choose another place", "writing the encoded examples"):
            shutil.rmtree(part, ignore_errors=True)
            part.mkdir(parents=True)
            _write(part, name, rows, examples)
            part.rename(store)
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return store


def _write(folder: Path, name: str, rows: int, examples: Iterator[Any]) -> None:
    index = np.zeros((3, rows + 1), np.int64)
    encode = msgspec.msgpack.Encoder().encode
    place = 0
    with (folder / _RECORDS).open("wb") as stream, Progress(f"encode {name}", rows, "instances") as bar:
        # A reader that gives an example too few or too many would be trained on wrong answers.
        for row, example in zip(range(rows), examples, strict=True):
            data = encode(example)
            stream.write(data)
            index[:, row] = place, example.size, example.target
            place += len(data)
            bar.advance()
        stream.flush()
        os.fsync(stream.fileno())
    index[_BEGIN, rows] = place
    np.save(folder / _INDEX, index)


class DrawnExamples:
    """Examples of which each epoch draws parts anew, such as a relevant document beside a random other one.

    The draws of an epoch, n from all examples with an answer. sizes: int32 [n], tokens of each at most.

    A draw depends on seed, phase, epoch and its place alone, so batches and a kill change nothing.
    """

    def __init__(self, examples: Examples, learner: DrawingLearner) -> None:
        self._examples, self._learner = examples, learner
        self._numbers: tuple[int, ...] = ()
        each = [(int(at), learner.draws(*examples.take([at]))) for at in examples.answered]
        self._of = [(at, number) for at, sizes in each for number in range(len(sizes))]
        self.sizes: Ints = np.array([size for _, sizes in each for size in sizes], np.int32)

    @property
    def answered(self) -> Longs:
        """All draws."""
        return np.arange(len(self._of))

    def begin(self, *numbers: int) -> None:
        """Draw anew. numbers: seed, phase, epoch."""
        self._numbers = numbers

    def take(self, indices: Iterable[int]) -> list[Any]:
        """The draws at these places, examples themselves."""
        found: list[Any] = []
        for index in indices:
            at, number = self._of[int(index)]
            (example,) = self._examples.take([at])
            found.append(
                self._learner.drawn(example, number, np.random.default_rng((*self._numbers, int(index))))
            )
        return found
