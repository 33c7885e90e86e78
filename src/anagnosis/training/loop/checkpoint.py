"""The checkpoint of a training: one file with its weights, moments and evaluations, after each evaluation.

    checkpoint/3f0c….pt   torch.save of a tuple; the name is its SHA-256

It gets its name when it is complete; the one before it is removed then. It holds no state of random generators, since
each step seeds its own, and no place in the loop, which follows from the evaluations (loop.py). Weights are written as
safetensors, which other programs read.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save
from torch import Tensor, nn

from anagnosis.errors import InputError
from anagnosis.io.checksums import verified
from anagnosis.io.decoding import decoding_faults
from anagnosis.io.files import atomic_write, sha256, write_bytes
from anagnosis.training.loop.history import Evaluation

_AGAIN = "train again, with --replace"


class Checkpoint(NamedTuple):
    """A training at its last evaluation.

    weights, best: tensors by name; best None where the last weights are kept. moments: the optimizer's `state`.
    """

    evaluations: list[Evaluation]
    weights: dict[str, Tensor]
    moments: dict[int, Any]
    best: dict[str, Tensor] | None


def write(folder: Path, checkpoint: Checkpoint) -> None:
    """Replace the checkpoint in a folder. InputError: the disk is full; the one before stays."""
    evaluations, *tensors = checkpoint
    new = folder / "new"
    with atomic_write(new) as stream:
        try:
            torch.save((msgspec.json.encode(evaluations).decode(), *tensors), stream)
        except RuntimeError as fault:  # torch closes its archive then, which hides Ctrl-C or the full disk
            raise (fault.__context__ or fault) from None
    whole = new.replace(new.with_name(f"{sha256(new)}.pt"))
    for file in {*folder.glob("*.pt")} - {whole}:
        file.unlink(missing_ok=True)


def read(folder: Path) -> Checkpoint | None:
    """The newest checkpoint in a folder, on the CPU; None without one. DamagedError: it changed."""
    newest = max(folder.glob("*.pt"), key=lambda file: file.stat().st_mtime_ns, default=None)
    if newest is None:
        return None
    path = verified(newest, newest.stem, _AGAIN)
    with decoding_faults(path, _AGAIN):
        evaluations, *tensors = torch.load(path, map_location="cpu", weights_only=True)
        return Checkpoint(msgspec.json.decode(evaluations, type=list[Evaluation]), *tensors)


def weights_of(model: nn.Module) -> dict[str, Tensor]:
    """The model's tensors by name. A tensor with several names comes once, under the first."""
    seen: set[tuple[int, tuple[int, ...]]] = set()
    tensors: dict[str, Tensor] = {}
    for name, tensor in model.state_dict().items():
        place = (tensor.data_ptr(), tuple(tensor.shape))
        if not tensor.numel() or place not in seen:
            seen.add(place)
            tensors[name] = tensor
    return tensors


def load_weights(model: nn.Module, given: Mapping[str, Tensor], where: Path) -> None:
    """Copy tensors into a model. InputError: names or shapes differ from the model's. where: the file, for errors."""
    expected = weights_of(model)
    here, there = ({name: [*own.shape] for name, own in tensors.items()} for tensors in (expected, given))
    for name in sorted({*here, *there}):
        if here.get(name) != there.get(name):
            what = f"the weights {name!r} have the shape {there.get(name)}, the recipe makes {here.get(name)}"
            raise InputError(what, str(where), "take the recipe and reader that they were trained with")
    with torch.no_grad():
        for name, tensor in expected.items():
            tensor.copy_(given[name])


def write_tensors(path: Path, tensors: Mapping[str, Tensor]) -> None:
    """Write a safetensors file, atomically. The same tensors give the same bytes."""
    write_bytes(path, save({name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}))


def read_tensors(path: Path) -> dict[str, Tensor]:
    """The tensors of a safetensors file, on the CPU."""
    with decoding_faults(path, _AGAIN, also=(SafetensorError,)):
        return load_file(path)
