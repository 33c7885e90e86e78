"""What a frozen encoder says, computed once and kept: float16 vectors, memory-mapped.

    KEPT/train-3f0c…/what.json      of what: data, view, encoder, splitter, options
                    examples.bin    for every instance its id, answer and where its vectors lie
                    features.npy    float16 [vectors, width]: of each pair [MASK]'s, then one for each mention

The first pass has two steps. The plan splits all texts into pieces, so that the size is known and told before
anything is computed; each distinct pair stands in it once. Then the encoder reads the pairs, block by block, each
block batched by length. A pass that was interrupted goes on with the first block that is not whole. When a
dataset or an encoder has changed, what was kept of it as it was is dropped, and this is said.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import numpy as np
import torch

from anagnosis.checksums import verify_all
from anagnosis.decoding import json_or_none
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
from anagnosis.encoders.kept_folder import LOCK, alone, demand_room, said_size, short_name, writing
from anagnosis.encoders.load import Encoder
from anagnosis.encoders.pairs import Pairing
from anagnosis.errors import InputError
from anagnosis.files import sha256, write_json
from anagnosis.locks import locked
from anagnosis.progress import Progress, tell

if TYPE_CHECKING:
    from anagnosis.datasets.kinds.cloze_views import Viewed

FORMAT = 1
BLOCK = 4_096  # pairs between two writes

WHAT, FEATURES, PART = "what.json", "features.npy", "features.part"


@dataclass(frozen=True, slots=True)
class What:
    """What features are of.

    data: a digest of the texts as the reader sees them. options: all else that matters. dataset: where the data came
    from, empty where that is not known; it makes no difference to the features.
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
        told = json.dumps([FORMAT, *values.values()]).encode()
        return f"{self.split}-{hashlib.sha256(told).hexdigest()[:16]}"

    def replaces(self, other: What) -> bool:
        """Whether the other is of the same dataset and encoder as they were before a change."""
        mine = (self.dataset, self.split, self.view, self.encoder, self.options)
        same = mine == (other.dataset, other.split, other.view, other.encoder, other.options)
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
    """The features of a split, and its instances by their vectors, in order.

    Computed now where they are not kept in `folder`. data: a digest of what `viewed` gives, which has `rows`
    instances. dataset: where they come from; what is kept of the same one as it was before is dropped.
    quiet: the size is not told. Refused (InputError): a disk without room for them.
    """
    device = device or torch.device("cpu")
    precision = run.precision(precision, device)
    options = f"{pairing.sentences} {pairing.closing:d}{pairing.typed:d}{pairing.masked:d} {precision}"
    what = What(split, data, view, encoder.name, encoder.digest, options, dataset)
    place = folder / what.name
    with writing(place), alone(place):
        if _finished(place):
            _verify(place)
        else:
            _drop_outdated(folder, what)
            write_json(place / WHAT, what, indent=1)
            plan = read_plan(place) if (place / PAIRS).is_file() else None
            plan = plan or make_plan(place, viewed, rows, pairing, encoder.pieces.width)
            _tell_size(place, plan, what, quiet)
            _encode(place, plan, encoder, pairing, precision, device, block)
            for name in (PIECES, PLACES, PAIRS):
                (place / name).unlink(missing_ok=True)
    return place / FEATURES, examples(place, place / FEATURES)


def split_of(place: Path) -> str:
    """The split whose features a folder holds, by its name."""
    return place.name.rpartition("-")[0]


def _finished(place: Path) -> bool:
    plan = read_plan(place)
    features = place / FEATURES
    return plan is not None and features.is_file() and features.stat().st_size == plan.bytes


def _verify(place: Path) -> None:
    """Refuse (DamagedError) features or examples that are not as they were written."""
    plan = read_plan(place)
    assert plan is not None
    if plan.digests is None:
        tell(f"{place}: kept before features had checksums; they are not verified")
    verify_all(place, plan.digests or {}, "remove that folder; the same command computes it anew")


def _drop_outdated(folder: Path, what: What) -> None:
    for file in sorted(folder.glob(f"*/{WHAT}")):
        other = json_or_none(file, What)
        if other and what.replaces(other) and _dropped(file.parent):
            changed = "the data" if other.data != what.data else "the encoder"
            tell(f"features of {what.split} by {short_name(what.encoder)} dropped: {changed} changed")


def _dropped(place: Path) -> bool:
    """Remove the folder, unless another process computes in it or has removed it."""
    try:
        with (place / LOCK).open("ab") as lock:
            if not locked(lock, wait=False):
                return False
            shutil.rmtree(place, ignore_errors=True)
    except FileNotFoundError:
        return False
    return True


def _encode(
    place: Path,
    plan: Plan,
    encoder: Encoder,
    pairing: Pairing,
    precision: str,
    device: torch.device,
    block: int,
) -> None:
    """Block by block to the end of the file, which is cut back to whole blocks first."""
    table = np.fromfile(place / PAIRS, PAIR)
    ends = np.append(table["row"], plan.vectors)
    bytes_a_row = 2 * plan.width
    head = header(plan.vectors, plan.width)
    part = place / PART
    part.touch()
    with part.open("r+b") as stream, Progress("features", len(table), "pairs") as bar:
        whole = max(0, os.fstat(stream.fileno()).st_size - len(head)) // bytes_a_row
        # The last block that looks whole is read anew: a machine that stopped may not have written it.
        done = max(0, int(np.searchsorted(ends, whole, "right") - 1) // block - 1) * block
        bar.advance(done, 0.0)
        demand_room(place, plan.bytes - int(ends[done]) * bytes_a_row)
        stream.seek(0)
        stream.write(head)
        stream.truncate(len(head) + int(ends[done]) * bytes_a_row)
        stream.seek(0, os.SEEK_END)
        encoder.model.to(device)
        try:
            for begin in range(done, len(table), block):
                some = table[begin : begin + block]
                first = int(ends[begin])
                found = np.empty((int(ends[begin + len(some)]) - first, plan.width), np.float16)
                pairs = read_pairs(place, some, int(first - begin))
                for numbers, vectors in run.chosen_vectors(
                    encoder,
                    pairs,
                    typed=pairing.typed,
                    device=device,
                    wanted=precision,
                ):
                    at = 0
                    for number in numbers:
                        row, size = int(some["row"][number]) - first, 1 + int(some["mentions"][number])
                        with np.errstate(over="ignore"):  # looked for below
                            found[row : row + size] = vectors[at : at + size]
                        at += size
                    bar.advance(len(numbers))
                if not np.isfinite(found).all():
                    raise InputError(
                        f"{encoder.name} gives numbers that half precision cannot hold",
                        "encoder",
                        "take another encoder, or let it be trained (trained = top)",
                    )
                stream.write(found.tobytes())
                stream.flush()
                os.fsync(stream.fileno())
        finally:
            encoder.model.to("cpu")
    found = {FEATURES: sha256(part), EXAMPLES: sha256(place / EXAMPLES)}
    write_plan(place, msgspec.structs.replace(plan, digests=found))
    part.replace(place / FEATURES)


def _tell_size(place: Path, plan: Plan, what: What, quiet: bool) -> None:
    if not quiet:
        tell(
            f"features of {what.split} by {short_name(what.encoder)}: {plan.pairs:,} pairs, {plan.vectors:,} vectors, "
            f"{said_size(plan.bytes)} in {place}"
        )
    if plan.told:
        tell(f"{what.split}: {plan.told}")
