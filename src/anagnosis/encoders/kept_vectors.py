"""A frozen encoder's vectors of mentions and [MASK], computed once and kept: float16, memory-mapped.

    KEPT/train-3f0c…/what.json      data, view, encoder, splitter, options
                    examples.bin    for every instance its id, answer and the rows of its vectors
                    features.npy    float16 [vectors, width]: of each pair [MASK]'s, then one for each mention

The first pass has two steps. The plan splits all texts into word pieces, so that a message can give the size before the
computation; it has each distinct pair once. Then the encoder reads the pairs in blocks, each batched by length. An
interrupted pass continues with the first incomplete block. If a dataset or an encoder has changed, its old vectors are
removed, with a message.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import numpy as np
import torch

from anagnosis.array_types import AnyArray, Floats16, Floats32
from anagnosis.encoders import run
from anagnosis.encoders.batch_plan import (
    EXAMPLES,
    PAIR,
    PAIRS,
    PIECES,
    PLACES,
    Plan,
    Rows,
    examples,
    make_plan,
    read_pairs,
    read_plan,
    write_plan,
)
from anagnosis.encoders.features import header
from anagnosis.encoders.kept_folder import LOCK, demand_room, exclusive, short_name, size_in_words, writing
from anagnosis.encoders.load import Encoder
from anagnosis.encoders.pairs import Pair, Pairing
from anagnosis.errors import InputError
from anagnosis.io.checksums import verify_all
from anagnosis.io.decoding import json_or_none
from anagnosis.io.files import locked, sha256, write_json
from anagnosis.progress import Progress, tell

if TYPE_CHECKING:
    from anagnosis.datasets.kinds.cloze_views import Viewed

# Pairs → (their numbers in the order of computation, float32 [vectors, width]), batch by batch.
Encode = Callable[[Sequence[Pair]], Iterator[tuple[list[int], Floats32]]]

FORMAT = 1
BLOCK = 4_096  # pairs between two writes

WHAT, FEATURES, PART = "what.json", "features.npy", "features.part"


@dataclass(frozen=True, slots=True)
class What:
    """The inputs of features.

    data: a digest of the texts in the reader's view. options: other settings. dataset: the source of the data, "" if
    unknown; it does not affect the features.
    """

    split: str
    data: str
    view: str
    encoder: str
    weights: str
    options: str
    dataset: str = ""

    @property
    def name(self) -> str:
        values = {name: value for name, value in asdict(self).items() if name != "dataset"}
        identity = json.dumps([FORMAT, *values.values()]).encode()
        return f"{self.split}-{hashlib.sha256(identity).hexdigest()[:16]}"

    def replaces(self, other: What) -> bool:
        """Whether the other's dataset and encoder are earlier states of these."""
        ours = (self.dataset, self.split, self.view, self.encoder, self.options)
        same = ours == (other.dataset, other.split, other.view, other.encoder, other.options)
        return bool(self.dataset) and same and self.name != other.name


def kept(
    folder: Path,
    *,
    split: str,
    data: str,
    view: str,
    viewed: Iterable[Viewed],
    rows: int,
    encoder: Encoder,
    pairing: Pairing,
    precision: str = "float32",
    device: torch.device | None = None,
    block: int = BLOCK,
    dataset: str = "",
    quiet: bool = False,
) -> tuple[Path, Iterator[Rows]]:
    """The file of a split's features, and the rows of its instances in order.

    Computes them if `folder` lacks them. data: a digest of the `rows` instances of `viewed`. dataset: their source;
    features of its earlier states are removed. quiet: print no size. InputError: the disk is full.
    """
    device = device or torch.device("cpu")
    precision = run.precision(precision, device)
    options = f"{pairing.sentences} {pairing.closing:d}{pairing.typed:d}{pairing.masked:d} {precision}"
    what = What(split, data, view, encoder.name, encoder.digest, options, dataset)
    place = folder / what.name
    with writing(place), exclusive(place):
        if _finished(place):
            _verify(place)
        else:
            _drop_outdated(folder, what)
            write_json(place / WHAT, what, indent=1)
            plan = read_plan(place) if (place / PAIRS).is_file() else None
            plan = plan or make_plan(place, viewed, rows, pairing, encoder.pieces.width)
            _tell_size(place, plan, what, quiet)
            encode = partial(
                run.chosen_vectors, encoder, typed=pairing.typed, device=device, wanted=precision
            )
            encoder.model.to(device)
            try:
                _encode(place, plan, encode, encoder.name, block)
            finally:
                encoder.model.to("cpu")
            for name in (PIECES, PLACES, PAIRS):
                (place / name).unlink(missing_ok=True)
    return place / FEATURES, examples(place, place / FEATURES)


def split_of(place: Path) -> str:
    """The split of a folder of features, from its name."""
    return place.name.rpartition("-")[0]


def _finished(place: Path) -> bool:
    plan = read_plan(place)
    features = place / FEATURES
    return plan is not None and features.is_file() and features.stat().st_size == plan.bytes


def _verify(place: Path) -> None:
    """Refuse (DamagedError) features or examples that changed since they were written."""
    plan = read_plan(place)
    assert plan is not None
    verify_all(place, plan.digests, "remove that folder; the same command computes it anew")


def _drop_outdated(folder: Path, what: What) -> None:
    for file in sorted(folder.glob(f"*/{WHAT}")):
        other = json_or_none(file, What)
        if other and what.replaces(other) and _remove_unless_locked(file.parent):
            changed = "the data" if other.data != what.data else "the encoder"
            tell(f"features of {what.split} by {short_name(what.encoder)} dropped: {changed} changed")


def _remove_unless_locked(place: Path) -> bool:
    """Remove the folder, unless another process computes in it or has removed it."""
    try:
        with (place / LOCK).open("ab") as lock:
            if not locked(lock, wait=False):
                return False
            shutil.rmtree(place, ignore_errors=True)
    except FileNotFoundError:
        return False
    return True


def _encode(place: Path, plan: Plan, encode: Encode, encoder: str, block: int) -> None:
    """Append the vectors of the planned pairs to the file, a block at a time, after the blocks that it holds."""
    pairs = np.fromfile(place / PAIRS, PAIR)
    first_rows = np.append(pairs["row"], plan.vectors)
    head, row_bytes = header(plan.vectors, plan.width), 2 * plan.width
    part = place / PART
    part.touch()
    with part.open("r+b") as stream, Progress("features", len(pairs), "pairs") as bar:
        whole_rows = max(0, os.fstat(stream.fileno()).st_size - len(head)) // row_bytes
        whole_blocks = int(np.searchsorted(first_rows, whole_rows, "right") - 1) // block
        # The last block that looks whole is encoded again: a machine that stopped may not have written it.
        done = max(0, whole_blocks - 1) * block
        done_bytes = int(first_rows[done]) * row_bytes
        bar.advance(done, 0.0)
        demand_room(place, plan.bytes - done_bytes)
        stream.write(head)
        stream.truncate(len(head) + done_bytes)
        stream.seek(0, os.SEEK_END)
        for begin in range(done, len(pairs), block):
            vectors = _block_vectors(place, pairs[begin : begin + block], begin, plan.width, encode, bar)
            if not np.isfinite(vectors).all():
                raise InputError(
                    f"{encoder} gives numbers that half precision cannot hold",
                    "encoder",
                    "take another encoder, or let it be trained (trained = top)",
                )
            stream.write(vectors.tobytes())
            stream.flush()
            os.fsync(stream.fileno())
    digests = {FEATURES: sha256(part), EXAMPLES: sha256(place / EXAMPLES)}
    write_plan(place, msgspec.structs.replace(plan, digests=digests))
    part.replace(place / FEATURES)


def _block_vectors(
    place: Path, pairs: AnyArray, begin: int, width: int, encode: Encode, bar: Progress
) -> Floats16:
    """float16 [vectors, width] of some planned pairs. begin: the pairs before them."""
    first_row = int(pairs["row"][0])
    starts, sizes = (pairs["row"] - first_row).tolist(), 1 + pairs["mentions"]
    vectors = np.empty((int(sizes.sum()), width), np.float16)
    for numbers, batch in encode(read_pairs(place, pairs, first_row - begin)):
        for number, of_pair in zip(numbers, np.split(batch, np.cumsum(sizes[numbers])[:-1]), strict=True):
            with np.errstate(over="ignore"):  # the caller refuses infinities
                vectors[starts[number] : starts[number] + len(of_pair)] = of_pair
        bar.advance(len(numbers))
    return vectors


def _tell_size(place: Path, plan: Plan, what: What, quiet: bool) -> None:
    if not quiet:
        tell(
            f"features of {what.split} by {short_name(what.encoder)}: {plan.pairs:,} pairs, {plan.vectors:,} vectors, "
            f"{size_in_words(plan.bytes)} in {place}"
        )
    if plan.notes:
        tell(f"{what.split}: {plan.notes}")
