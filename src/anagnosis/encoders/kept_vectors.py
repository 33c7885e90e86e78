"""A frozen encoder's vectors of texts, or of pairs of sentence and question, computed once and kept in half precision.

    KEPT/pairs-3f0c…/what.json     encoder, weights, options, precision
                    index.bin      an ENTRY for each text or pair: its key, its vectors' rows and their checksum
                    vectors.bin    float16 [vectors, width]
                    81ab….rows     the pairs of every instance of a split; 81ab….sha256: its checksum

The key of a text or pair is a hash of what the encoder reads, so splits, folds, copies and seeds share vectors.
The files only grow, the index last: an interrupted pass continues where it stopped, and a process cuts off what another
left incomplete. One process at a time computes in a folder. We verify the checksum of vectors at every read.

A text has a vector for each word piece except special ones; one over the encoder's limit is read in consecutive windows
of similar length. A pair has that of [MASK], then one for each mention.
"""

from __future__ import annotations

import hashlib
import json
import mmap
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import msgspec
import numpy as np
import torch
from isal import isal_zlib

from anagnosis.array_types import AnyArray, Floats16, Longs
from anagnosis.encoders import run
from anagnosis.encoders.kept_folder import demand_room, exclusive, short_name, size_in_words, writing
from anagnosis.encoders.load import Encoder
from anagnosis.encoders.pairs import Pair, Pairing
from anagnosis.errors import DamagedError, InputError
from anagnosis.io.files import sha256, write_text
from anagnosis.io.paths import open_file
from anagnosis.progress import Progress, print_note

if TYPE_CHECKING:
    from anagnosis.datasets.kinds.cloze_views import Viewed

T = TypeVar("T")

TEXTS, PAIRS = "texts", "pairs"
BLOCK = {TEXTS: 512, PAIRS: 4_096}  # texts or pairs between two writes
KEY = 16  # bytes
ENTRY = np.dtype([("key", f"S{KEY}"), ("first", "<i8"), ("count", "<i4"), ("sum", "<u4")])
WHAT, INDEX, VECTORS, ROWS = "what.json", "index.bin", "vectors.bin", ".rows"
AGAIN = "remove that folder; the same command computes it anew"
# After reading so many bytes we release their pages, which stay in the system's file cache.
GIVE_BACK = 1 << 28
_LENGTH = 4  # bytes before each instance of a split


class KeptPairs(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The pairs of an instance. keys: one after the other. mentions: of each pair, their number.

    owners: the candidate of each mention, pair by pair. kept: the folder of all kept vectors.
    """

    id: str
    target: int
    candidates: int
    keys: bytes
    mentions: tuple[int, ...]
    owners: tuple[int, ...]
    kept: str = ""

    @property
    def size(self) -> int:
        """The number of vectors."""
        return len(self.mentions) + len(self.owners)


class KeptVectors:
    """An encoder's vectors. folder: of all kept vectors. precision: of its products. pairing: None for texts."""

    def __init__(
        self,
        folder: Path,
        encoder: Encoder,
        device: torch.device,
        precision: str = "float32",
        pairing: Pairing | None = None,
    ) -> None:
        self.encoder, self.device, self.pairing = encoder, device, pairing
        self.precision = run.precision(precision, device)
        self.width = encoder.pieces.width
        self._kind = TEXTS if pairing is None else PAIRS
        options = ""
        if pairing is not None:
            options = f"{pairing.sentences} {pairing.closing:d}{pairing.typed:d}{pairing.masked:d}"
        # Without the encoder's name, since its path does not affect its vectors.
        identity = json.dumps([encoder.digest, options, self.precision]).encode()
        self.place = folder / f"{self._kind}-{hashlib.sha256(identity).hexdigest()[:16]}"
        what = {"encoder": encoder.name, "weights": encoder.digest, "options": options}
        self._what = json.dumps({**what, "precision": self.precision}, indent=1) + "\n"
        self._forget()

    def _forget(self) -> None:
        self._entries: AnyArray = np.empty(0, ENTRY)
        self._sorted: AnyArray = np.empty(0, f"S{KEY}")  # keys
        self._numbers: Longs = np.empty(0, np.int64)  # the entry of each of these keys
        self._map: mmap.mmap | None = None
        self._read = 0  # bytes

    @property
    def limit(self) -> int:
        """Word pieces of the longest text that fits into one window."""
        return self.encoder.pieces.limit - 2

    @property
    def size(self) -> int:
        """The number of vectors."""
        return int(self._entries["first"][-1] + self._entries["count"][-1]) if len(self._entries) else 0

    def count(self, key: bytes) -> int:
        """The number of a text's vectors."""
        return int(self._found([key])["count"][0])

    def vectors(self, keys: Sequence[bytes]) -> Floats16:
        """float16 [vectors, width] of texts or pairs, one after the other."""
        entries = self._found(keys)
        counts, ends = entries["count"].astype(np.int64), np.cumsum(entries["count"], dtype=np.int64)
        rows = np.repeat(entries["first"] - (ends - counts), counts) + np.arange(counts.sum())
        if self._map is None or not len(entries):
            return np.empty((0, self.width), np.float16)
        vectors = np.frombuffer(self._map, np.float16).reshape(-1, self.width)[rows]
        for entry, each in zip(entries, np.split(vectors, ends[:-1]), strict=True):
            if _sum(entry, each) != entry["sum"]:
                what = "vectors are not as they were written (their checksum differs)"
                raise DamagedError(what, str(self.place / VECTORS), AGAIN)
        self._read += vectors.nbytes
        if self._read > GIVE_BACK and hasattr(mmap, "MADV_DONTNEED"):
            self._map.madvise(mmap.MADV_DONTNEED)
            self._read = 0
        return vectors

    def open(self) -> None:
        """Read the complete entries: those in sequence, whose vectors are there. InputError: there are no files."""
        self._forget()
        try:
            entries = np.fromfile(self.place / INDEX, ENTRY)
            with open_file(self.place / VECTORS) as stream:
                size = os.fstat(stream.fileno()).st_size // (2 * self.width)
                whole = 2 * size * self.width
                self._map = mmap.mmap(stream.fileno(), whole, access=mmap.ACCESS_READ) if whole else None
        except OSError as fault:
            what = f"its kept vectors cannot be read ({fault.strerror})"
            remedy = "were they moved or removed? give the same command again: they are computed anew"
            raise InputError(what, str(self.place), remedy) from fault
        ends = np.cumsum(entries["count"], dtype=np.int64)
        complete = (entries["first"] == ends - entries["count"]) & (entries["count"] >= 0) & (ends <= size)
        self._insert(entries[: len(complete) if complete.all() else int(np.argmin(complete))])

    def keep(
        self,
        groups: Iterable[Sequence[tuple[bytes, T]]],
        compute: Callable[[list[T]], list[Floats16]],
        name: str,
        total: int | None = None,
        *,
        quiet: bool = False,
    ) -> None:
        """Compute the missing vectors. The caller holds the lock.

        groups: (key, text or pair) of each instance. total: their number, if known. quiet: report no size.
        InputError: a number overflows half precision, or the disk is full.
        """
        before, done = self.size, 0
        missing: dict[bytes, T] = {}
        told = quiet or total is None
        self.encoder.model.to(self.device)
        try:
            with Progress(f"vectors of {name}", total, "instances") as bar:
                for done, group in enumerate(groups, 1):
                    for key, item in group:
                        if key not in missing and not self._has(key):
                            missing[key] = item
                        if len(missing) == BLOCK[self._kind]:
                            self._append(missing, compute)
                            missing = {}
                    if not told and self.size > before:
                        self._tell_size(name, (self.size - before) * (total or 0) // done)
                        told = True
                    bar.advance()
                self._append(missing, compute)
        finally:
            self.encoder.model.to("cpu")
        self.open()
        if (new := self.size - before) and not quiet:
            size = size_in_words(new * self.width * 2)
            print_note(
                f"{name}: {new:,} vectors by {short_name(self.encoder.name)} kept, {size} in {self.place}"
            )

    def prepare(self) -> None:
        """Open the files to append to them: make missing ones, and cut off incomplete entries."""
        if not (self.place / WHAT).is_file():
            write_text(self.place / WHAT, self._what)
        for name in (INDEX, VECTORS):
            (self.place / name).touch()
        self.open()
        sizes = {INDEX: len(self._entries) * ENTRY.itemsize, VECTORS: 2 * self.size * self.width}
        for name, size in sizes.items():
            if (self.place / name).stat().st_size != size:
                self._map = None
                os.truncate(self.place / name, size)
                for rows in self.place.glob(f"*{ROWS}"):  # whose vectors may be cut off
                    rows.unlink()

    def _tell_size(self, name: str, vectors: int) -> None:
        """Report how large the vectors will be, about. InputError: there is too little room for them."""
        needed = 2 * vectors * self.width
        print_note(f"{name}: about {size_in_words(needed)} of vectors in {self.place}")
        demand_room(self.place, needed)

    def _append(self, missing: dict[bytes, T], compute: Callable[[list[T]], list[Floats16]]) -> None:
        if not missing:
            return
        found = compute([*missing.values()])
        if not all(np.isfinite(vectors).all() for vectors in found):
            what = f"{self.encoder.name} gives numbers that half precision cannot hold"
            raise InputError(what, "encoder", "take another encoder, or let it be trained (trained = top)")
        entries = np.zeros(len(found), ENTRY)
        entries["key"] = np.frombuffer(b"".join(missing), f"S{KEY}")
        entries["count"] = [len(vectors) for vectors in found]
        entries["first"] = self.size + np.cumsum(entries["count"], dtype=np.int64) - entries["count"]
        entries["sum"] = [_sum(entry, vectors) for entry, vectors in zip(entries, found, strict=True)]
        vectors = np.concatenate(found)
        demand_room(self.place, vectors.nbytes)
        for name, data in ((VECTORS, vectors), (INDEX, entries)):
            with (self.place / name).open("ab") as stream:
                stream.write(data.tobytes())
                stream.flush()
                os.fsync(stream.fileno())
        self._insert(entries)

    def _insert(self, entries: AnyArray) -> None:
        numbers = np.arange(len(self._entries), len(self._entries) + len(entries))
        order = np.argsort(entries["key"], kind="stable")
        at = np.searchsorted(self._sorted, entries["key"][order])
        self._sorted = np.insert(self._sorted, at, entries["key"][order])
        self._numbers = np.insert(self._numbers, at, numbers[order])
        self._entries = np.concatenate([self._entries, entries])

    def _has(self, key: bytes) -> bool:
        at = int(np.searchsorted(self._sorted, np.array(key, f"S{KEY}")))
        return at < len(self._sorted) and self._sorted[at] == np.array(key, f"S{KEY}")

    def _found(self, keys: Sequence[bytes]) -> AnyArray:
        """The entries of keys. InputError: one is missing."""
        wanted = np.array(keys, f"S{KEY}")
        at = np.minimum(np.searchsorted(self._sorted, wanted), max(0, len(self._sorted) - 1))
        if len(wanted) and (not len(self._sorted) or (self._sorted[at] != wanted).any()):
            raise InputError("vectors are missing", str(self.place), AGAIN)
        return self._entries[self._numbers[at]] if len(wanted) else self._entries[:0]


def keep_texts(store: KeptVectors, texts: Iterable[str], name: str) -> None:
    """Compute the missing vectors of texts. name: of the texts, for messages."""
    with writing(store.place), exclusive(store.place):
        store.prepare()
        store.keep(([(key_of(text), text)] for text in texts), lambda some: _of_texts(store, some), name)


def keep_pairs(
    store: KeptVectors, viewed: Iterable[Viewed], name: str, total: int, data: str, *, quiet: bool = False
) -> Iterator[KeptPairs]:
    """The pairs of every instance of a split, in order. Computes their missing vectors first.

    data: a digest of the `total` instances of `viewed`, in the reader's view. quiet: report no size.
    """
    pairing = store.pairing
    assert pairing is not None
    rows = store.place / f"{hashlib.sha256(data.encode()).hexdigest()[:16]}{ROWS}"
    checksum, part = rows.with_suffix(".sha256"), rows.with_suffix(".part")

    def groups() -> Iterator[list[tuple[bytes, Pair]]]:
        with part.open("wb") as stream:
            for instance in viewed:
                pairs = pairing(instance)
                keys = [key_of_pair(pair) for pair in pairs]
                example = msgspec.msgpack.encode(_kept_pairs(instance, pairs, keys))
                stream.write(len(example).to_bytes(_LENGTH, "little") + example)
                yield [*zip(keys, pairs, strict=True)]

    with writing(store.place), exclusive(store.place):
        store.prepare()
        # The vectors have checksums of their own: damaged rows are made anew from them.
        if not (
            rows.is_file() and checksum.is_file() and sha256(rows) == checksum.read_text(errors="replace")
        ):
            store.keep(groups(), lambda some: _of_pairs(store, some), name, total, quiet=quiet)
            write_text(checksum, sha256(part))
            part.replace(rows)
            pairing.counts.report(name)
    return _stored(rows, str(store.place.parent.resolve()))


def _kept_pairs(instance: Viewed, pairs: list[Pair], keys: list[bytes]) -> KeptPairs:
    return KeptPairs(
        instance.id,
        -1 if instance.answer is None else instance.answer,
        len(instance.candidates),
        b"".join(keys),
        tuple([len(pair.places) for pair in pairs]),
        tuple([owner for pair in pairs for owner in pair.owners]),
    )


def _stored(rows: Path, kept: str) -> Iterator[KeptPairs]:
    decode = msgspec.msgpack.Decoder(KeptPairs).decode
    with open_file(rows) as stream:
        while length := stream.read(_LENGTH):
            example = decode(stream.read(int.from_bytes(length, "little")))
            yield msgspec.structs.replace(example, kept=kept)


def key_of(text: str) -> bytes:
    """The key of a text."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=KEY).digest()


def key_of_pair(pair: Pair) -> bytes:
    """The key of a pair: of its word pieces and the places of [MASK] and mentions."""
    data = np.array((*pair.pieces, -1, pair.mask, pair.second, *pair.places), "<i4")
    return hashlib.blake2b(data.tobytes(), digest_size=KEY).digest()


def _sum(entry: np.void, vectors: Floats16) -> int:
    """The checksum of an entry's other fields and of its vectors."""
    beginning = isal_zlib.crc32(entry.tobytes()[:-4])
    return isal_zlib.crc32(np.ascontiguousarray(vectors).view(np.uint8).data, beginning)


def _half(vectors: AnyArray) -> Floats16:
    with np.errstate(over="ignore"):  # `_append` refuses infinities
        return vectors.astype(np.float16)


def _of_pairs(store: KeptVectors, pairs: list[Pair]) -> list[Floats16]:
    """float16 [vectors, width] of each pair."""
    assert store.pairing is not None
    found = [np.empty((0, store.width), np.float16)] * len(pairs)
    sizes = np.array([1 + len(pair.places) for pair in pairs])
    for numbers, batch in run.chosen_vectors(
        store.encoder, pairs, typed=store.pairing.typed, device=store.device, wanted=store.precision
    ):
        for number, vectors in zip(numbers, np.split(batch, np.cumsum(sizes[numbers])[:-1]), strict=True):
            found[number] = _half(vectors)
    return found


def _of_texts(store: KeptVectors, texts: list[str]) -> list[Floats16]:
    """float16 [pieces, width] of each text."""
    pieces, device = store.encoder.pieces, store.device
    windows: list[list[int]] = []
    owners: list[int] = []
    for number, encoding in enumerate(pieces.split(texts)):
        ids = list(encoding.ids)
        parts = -(-len(ids) // store.limit)
        for part in range(parts):
            window = ids[part * len(ids) // parts : (part + 1) * len(ids) // parts]
            windows.append([pieces.start, *window, pieces.separator])
            owners.append(number)
    of_texts: list[list[Floats16]] = [[np.empty((0, store.width), np.float16)] for _ in texts]
    read = [np.empty(0, np.float16)] * len(windows)
    lengths = [len(window) for window in windows]
    with torch.inference_mode(), run.mixed(store.precision, device):
        for numbers, length in run.groups(lengths, pieces.limit, device):
            padded, inside = run.padded([windows[number] for number in numbers], pieces.padding, length)
            top = run.hidden(store.encoder.model, padded.to(device), inside.to(device))
            half = _half(top.float().cpu().numpy())
            for row, number in enumerate(numbers):
                read[number] = half[row, 1 : lengths[number] - 1].copy()
    for owner, vectors in zip(owners, read, strict=True):
        of_texts[owner].append(vectors)
    return [np.concatenate(parts) for parts in of_texts]
