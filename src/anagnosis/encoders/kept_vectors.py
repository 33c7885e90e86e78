"""A frozen encoder's vectors of a split's texts, or of its pairs of sentence and question, computed once.

    KEPT/pairs-3f0c…-81ab….npy    float16 [vectors, width], those of an instance one after the other
    KEPT/pairs-3f0c…-81ab….jsonl  a KeptInstance a line

The name is a digest of the encoder's weights, options and precision, and one of the split, so heads and seeds share
vectors. Both files get their names when they are complete, the lines last.

A text has a vector for each word piece except special ones; one over the encoder's limit is read in consecutive windows
of similar length. A pair has that of [MASK], then one for each mention.
"""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import islice, pairwise
from pathlib import Path
from tokenize import TokenError
from typing import Any

import msgspec
import numpy as np
import torch

from anagnosis.array_types import Floats16
from anagnosis.encoders import cpu, run
from anagnosis.encoders.load import Encoder
from anagnosis.encoders.pairs import Pair, Pairing
from anagnosis.errors import DamagedError, InputError
from anagnosis.io.decoding import decoding_faults
from anagnosis.io.files import atomic_write
from anagnosis.io.paths import open_file
from anagnosis.progress import Progress

BLOCK = 256  # instances that are computed together
AGAIN = "remove that file; the same command computes it anew"


class KeptInstance(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """An instance with kept vectors. sizes: the number of vectors of each of its pairs, or of its texts.

    id, target, candidates, owners: of pairs alone, as in MentionSequences. Known when it is read: first: row of its
    first vector; split: digest of its split.
    """

    sizes: tuple[int, ...]
    id: str = ""
    target: int = -1
    candidates: int = 0
    owners: tuple[int, ...] = ()
    first: int = 0
    split: str = ""

    @property
    def size(self) -> int:
        """The number of vectors."""
        return sum(self.sizes)


class KeptVectors:
    """An encoder's vectors of splits. precision: of its products. pairing: None for texts."""

    def __init__(
        self,
        encoder: Encoder,
        device: torch.device,
        precision: str = "float32",
        pairing: Pairing | None = None,
    ) -> None:
        self.encoder, self.device, self.pairing = encoder, device, pairing
        self.precision = cpu.precision(precision, device)
        options = ""
        if pairing is not None:
            options = f"{pairing.sentences} {pairing.closing:d}{pairing.masked:d}"
        # Without the encoder's name, since its path does not affect its vectors.
        identity = json.dumps([encoder.digest, options, self.precision]).encode()
        self._name = f"{'pairs' if pairing else 'texts'}-{hashlib.sha256(identity).hexdigest()[:16]}"
        self._open: dict[str, Floats16] = {}  # split → its vectors

    @property
    def limit(self) -> int:
        """Word pieces of the longest text that fits into one window."""
        return self.encoder.pieces.limit - 2

    @cached_property
    def _temporary(self) -> tempfile.TemporaryDirectory[str]:
        return tempfile.TemporaryDirectory(prefix="anagnosis-kept-")

    def keep(
        self,
        folder: Path | None,
        split: str,
        instances: Callable[[], Iterable[Any]],
        name: str,
        total: int,
    ) -> Iterator[KeptInstance]:
        """Every instance of a split, in order, for `vectors`. Computes them first where they are not kept.

        folder: of all kept vectors; None: a temporary one, which disappears with this object. split: a digest of the
        `total` instances: `Viewed` for pairs, else lists of texts. name: of the split.
        InputError: a number overflows half precision, or the disk is full.
        """
        folder = folder or Path(self._temporary.name)
        path = folder / f"{self._name}-{hashlib.sha256(split.encode()).hexdigest()[:16]}.npy"
        lines = path.with_suffix(".jsonl")
        if not (path.is_file() and lines.is_file()):
            self.encoder.model.to(self.device)
            try:
                self._write(path, iter(instances()), name, total)
            finally:
                self.encoder.model.to("cpu")
        broken = (EOFError, TokenError)  # an empty file, a damaged header
        with decoding_faults(path, AGAIN, "no readable vectors", error=DamagedError, also=broken):
            vectors = np.load(path, mmap_mode="r").reshape(-1, self.encoder.pieces.width)
        if vectors.dtype != np.float16:
            raise DamagedError(f"holds {vectors.dtype}, not float16", str(path), AGAIN)
        self._open[split] = vectors
        return self._kept(lines, split, total)

    def vectors(self, instances: Iterable[KeptInstance]) -> list[Floats16]:
        """float16 [vectors, width] of each instance."""
        return [self._open[each.split][each.first : each.first + each.size] for each in instances]

    def _kept(self, path: Path, split: str, total: int) -> Iterator[KeptInstance]:
        first, rows = 0, len(self._open[split])
        decode = msgspec.json.Decoder(KeptInstance).decode
        with decoding_faults(path, AGAIN, error=DamagedError), open_file(path) as lines:
            for _, line in zip(range(total), lines, strict=True):
                instance = msgspec.structs.replace(decode(line), first=first, split=split)
                first += instance.size
                if first > rows:
                    break
                yield instance
        if first != rows:
            raise DamagedError(f"names other vectors than the {rows:,} of {path.stem}.npy", str(path), AGAIN)

    def _write(self, path: Path, instances: Iterator[Any], name: str, total: int) -> None:
        rows = 0
        width = self.encoder.pieces.width
        with (
            atomic_write(path.with_suffix(".jsonl")) as lines,
            atomic_write(path) as stream,
            Progress(f"vectors of {name}", total, "instances") as bar,
        ):
            _write_header(stream, (0, width))
            while block := list(islice(instances, BLOCK)):
                for kept, vectors in self._computed(block):
                    lines.write(msgspec.json.encode(kept) + b"\n")
                    stream.write(vectors.tobytes())
                    rows += len(vectors)
                bar.advance(len(block))
            stream.seek(0)
            _write_header(stream, (rows, width))
        if self.pairing is not None:
            self.pairing.counts.report(name)
            self.pairing.counts.clear()

    def _computed(self, instances: Sequence[Any]) -> Iterator[tuple[KeptInstance, Floats16]]:
        """Each instance and its vectors."""
        parts = [self._parts(instance) for instance in instances]
        pairs = [pair for each in parts for part in each for pair in part]
        found = [np.empty((0, self.encoder.pieces.width), np.float16)] * (len(pairs) + 1)
        for numbers, chunk in run.chunks(pairs, self.encoder.pieces, self.device):
            moved: Any = tuple([each.to(self.device) for each in chunk])
            with torch.inference_mode(), run.mixed(self.precision, self.device):
                batch = run.chosen_vectors(self.encoder.model, moved).float().cpu().numpy()
            with np.errstate(over="ignore"):
                half = batch.astype(np.float16)
            if not np.isfinite(half).all():
                what = f"{self.encoder.name} gives numbers that half precision cannot hold"
                raise InputError(
                    what, "encoder", "take another encoder, or let it be trained (trained = top)"
                )
            ends = np.cumsum([1 + len(pairs[number].places) for number in numbers])
            for number, vectors in zip(numbers, np.split(half, ends[:-1]), strict=True):
                found[number] = vectors
        at = 0
        for instance, each in zip(instances, parts, strict=True):
            count = sum(map(len, each))
            kept = KeptInstance(tuple([sum(1 + len(pair.places) for pair in part) for part in each]))
            if self.pairing is not None:
                answer = -1 if instance.answer is None else instance.answer
                owners = tuple([owner for (pair,) in each for owner in pair.owners])
                kept = KeptInstance(kept.sizes, instance.id, answer, len(instance.candidates), owners)
            yield kept, np.concatenate([found[-1], *found[at : at + count]])
            at += count

    def _parts(self, instance: Any) -> list[list[Pair]]:
        """Each pair of an instance, or the windows of each of its texts, whose pieces all count as mentions."""
        if self.pairing is not None:
            return [[pair] for pair in self.pairing(instance)]
        pieces = self.encoder.pieces
        parts: list[list[Pair]] = []
        for encoding in pieces.split(instance):
            ids = list(encoding.ids)
            count = -(-len(ids) // self.limit)
            ends = [number * len(ids) // count for number in range(count + 1)] if count else []
            windows = [(pieces.start, *ids[start:end], pieces.separator) for start, end in pairwise(ends)]
            parts.append([Pair(ids, 1, tuple(range(2, len(ids) - 1)), ()) for ids in windows])
        return parts


def _write_header(stream: Any, shape: tuple[int, int]) -> None:
    """The header of an .npy file; numpy leaves room in it for any number of rows."""
    header = {"descr": "<f2", "fortran_order": False, "shape": shape}
    np.lib.format.write_array_header_1_0(stream, header)
