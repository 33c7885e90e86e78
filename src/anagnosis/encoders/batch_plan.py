"""The plan of a first pass: every distinct pair once, in word pieces, and the rows of each instance's vectors.

    PLACE/examples.bin    for every instance its id, answer and the rows of its vectors
          pieces.bin      int32, the word pieces of all pairs; places.bin: int32, the places of their mentions
          pairs.bin       a PAIR for each, in the order of their vectors
          plan.json       written last

We recognise repeated pairs by a hash of their pieces and the places of [MASK] and mentions, 24 bytes of memory each.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import msgspec
import numpy as np

from anagnosis.array_types import AnyArray
from anagnosis.encoders.features import header
from anagnosis.encoders.pairs import Pair, Pairing
from anagnosis.errors import DamagedError
from anagnosis.io.checksums import read_checked_json, write_checked_json
from anagnosis.progress import Progress

if TYPE_CHECKING:
    from anagnosis.datasets.kinds.cloze_views import Viewed

CHUNK = 512  # instances between two searches of the pairs seen before
PLAN, EXAMPLES = "plan.json", "examples.bin"
PIECES, PLACES, PAIRS = "pieces.bin", "places.bin", "pairs.bin"
PAIR = np.dtype(
    [
        ("at", "<i8"),
        ("length", "<i4"),
        ("mask", "<i4"),
        ("second", "<i4"),
        ("mentions", "<i4"),
        ("row", "<i8"),
    ]
)
_LENGTH = 4  # bytes before each example


class Rows(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The rows of an instance's vectors.

    first, mentions: for each of its pairs the row of [MASK]'s vector, and the number of mentions' vectors behind it.
    owners: the candidate of each mention, pair by pair. features: the file of the vectors.
    """

    id: str
    target: int
    candidates: int
    first: tuple[int, ...]
    mentions: tuple[int, ...]
    owners: tuple[int, ...]
    features: str = ""

    @property
    def size(self) -> int:
        """The number of vectors."""
        return len(self.first) + len(self.owners)


class Plan(msgspec.Struct, frozen=True):
    """The size of a plan. vectors: rows of the features. notes: messages on unusual input.

    digests: SHA-256 of the finished files by name, none until the vectors are computed.
    """

    instances: int
    pairs: int
    vectors: int
    width: int
    notes: str
    digests: dict[str, str] = {}

    @property
    def bytes(self) -> int:
        return len(header(self.vectors, self.width)) + 2 * self.vectors * self.width


def read_plan(place: Path) -> Plan | None:
    """The plan, None if it is missing or incomplete."""
    try:
        return read_checked_json(place / PLAN, Plan, "")
    except DamagedError:
        return None


def write_plan(place: Path, plan: Plan) -> None:
    """Write a plan, after the other files, to mark them complete."""
    write_checked_json(place / PLAN, plan)


def make_plan(place: Path, viewed: Iterable[Viewed], rows: int, pairing: Pairing, width: int) -> Plan:
    """Write every distinct pair once, and the examples with the rows of its vectors."""
    seen = _Seen()
    instances = pairs = vectors = pieces_at = 0
    with (
        (place / PIECES).open("wb") as pieces,
        (place / PLACES).open("wb") as places,
        (place / PAIRS).open("wb") as table,
        (place / EXAMPLES).open("wb") as stored,
        Progress(f"pieces of {place.name.rpartition('-')[0]}", rows, "instances") as bar,
    ):
        stream = iter(viewed)
        while chunk := list(islice(stream, CHUNK)):
            of_instances = [pairing(instance) for instance in chunk]
            flat = [pair for instance_pairs in of_instances for pair in instance_pairs]
            keys = [_key(pair) for pair in flat]
            known = seen.rows(keys)
            news: dict[bytes, int] = {}
            first: list[int] = []
            for pair, key, row in zip(flat, keys, known, strict=True):
                row = news.get(key, row)
                if row < 0:
                    news[key] = row = vectors
                    vectors += 1 + len(pair.places)
                    written = (pieces_at, len(pair.pieces), pair.mask, pair.second, len(pair.places), row)
                    table.write(np.array([written], PAIR).tobytes())
                    pieces.write(np.array(pair.pieces, "<i4").tobytes())
                    places.write(np.array(pair.places, "<i4").tobytes())
                    pieces_at += len(pair.pieces)
                    pairs += 1
                first.append(row)
            seen.add(news)
            rest = iter(first)
            for instance, instance_pairs in zip(chunk, of_instances, strict=True):
                _write_example(stored, instance, instance_pairs, [next(rest) for _ in instance_pairs])
            instances += len(chunk)
            bar.advance(len(chunk))
    plan = Plan(instances, pairs, vectors, width, pairing.counts.summary())
    write_plan(place, plan)
    return plan


def _write_example(stream: BinaryIO, instance: Viewed, pairs: list[Pair], first: list[int]) -> None:
    example = Rows(
        instance.id,
        -1 if instance.answer is None else instance.answer,
        len(instance.candidates),
        tuple(first),
        tuple([len(pair.places) for pair in pairs]),
        tuple([owner for pair in pairs for owner in pair.owners]),
    )
    data = msgspec.msgpack.encode(example)
    stream.write(len(data).to_bytes(_LENGTH, "little") + data)


def examples(place: Path, features: Path) -> Iterator[Rows]:
    """The instances in order, with the file of their vectors."""
    decode = msgspec.msgpack.Decoder(Rows).decode
    with (place / EXAMPLES).open("rb") as stream:
        while length := stream.read(_LENGTH):
            example = decode(stream.read(int.from_bytes(length, "little")))
            yield msgspec.structs.replace(example, features=str(features.resolve()))


def read_pairs(place: Path, entries: AnyArray, places_at: int) -> list[Pair]:
    """The pairs of some entries of the plan, without owners. places_at: number of mentions before them."""
    start = int(entries["at"][0])
    size = int(entries["at"][-1]) + int(entries["length"][-1]) - start
    pieces = np.fromfile(place / PIECES, "<i4", size, offset=4 * start)
    places = np.fromfile(place / PLACES, "<i4", int(entries["mentions"].sum()), offset=4 * places_at).tolist()
    pairs: list[Pair] = []
    at = 0
    for begin, length, mask, second, mentions, _ in entries.tolist():
        ids = pieces[begin - start : begin - start + length]
        pairs.append(Pair(tuple(ids.tolist()), mask, second, tuple(places[at : at + mentions]), ()))
        at += mentions
    return pairs


def _key(pair: Pair) -> bytes:
    data = np.array((*pair.pieces, -1, pair.mask, pair.second, *pair.places), "<i4")
    return hashlib.blake2b(data.tobytes(), digest_size=16).digest()


class _Seen:
    """Rows of the pairs seen so far, 24 bytes each: sorted by the first half of the key, compared by the second."""

    def __init__(self) -> None:
        self._first = np.empty(0, np.uint64)
        self._second = np.empty(0, np.uint64)
        self._rows = np.empty(0, np.int64)

    def rows(self, keys: list[bytes]) -> list[int]:
        """The row of each pair, -1 for a new one."""
        if not len(self._rows) or not keys:
            return [-1] * len(keys)
        halves = np.frombuffer(b"".join(keys), np.uint64).reshape(-1, 2)
        at = np.minimum(np.searchsorted(self._first, halves[:, 0]), len(self._first) - 1)
        same = (self._first[at] == halves[:, 0]) & (self._second[at] == halves[:, 1])
        return np.where(same, self._rows[at], -1).tolist()

    def add(self, news: dict[bytes, int]) -> None:
        if not news:
            return
        halves = np.frombuffer(b"".join(news), np.uint64).reshape(-1, 2)
        halves, rows = halves[order := np.argsort(halves[:, 0])], np.array([*news.values()])[order]
        at = np.searchsorted(self._first, halves[:, 0])
        self._first = np.insert(self._first, at, halves[:, 0])
        self._second = np.insert(self._second, at, halves[:, 1])
        self._rows = np.insert(self._rows, at, rows)
