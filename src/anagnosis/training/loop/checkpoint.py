"""The checkpoint of a training: its weights, the optimizer's moments, the best weights, and the position in the loop.

    checkpoint/state.json                  Position, and the names of the other files
    checkpoint/weights-7.safetensors  optimizer-7.safetensors  best-5.safetensors

The state is replaced last, in one rename. If writing fails earlier, the previous checkpoint stays complete. The
checkpoint holds no state of random generators, since each step seeds its own (loop.py).
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor, nn

from anagnosis.errors import InputError
from anagnosis.io.checksums import digests, read_checked_json, verify_all, write_checked_json
from anagnosis.io.decoding import json_or_none
from anagnosis.io.paths import reason_of
from anagnosis.training.loop.history import Evaluation
from anagnosis.training.run_files import CHECKPOINT

_STATE = "state.json"
FULL = "free some space and give the same command again"
_AGAIN = "train again, with --replace"
WHOLE = "the checkpoint before this one is whole"


@dataclass(frozen=True, slots=True)
class Saving:
    """How often the loop writes a checkpoint between evaluations. seconds, steps: since the last one (None: never)."""

    seconds: float = 60.0
    steps: int | None = None

    def is_due(self, *, seconds: float, steps: int) -> bool:
        """Whether a checkpoint is due. seconds, steps: since the last one."""
        return seconds >= self.seconds or (self.steps is not None and steps >= self.steps)


EVERY_MINUTE = Saving()


class Position(msgspec.Struct):
    """The position of a training in its loop.

    phase, epoch: from 0. step: steps done in the epoch. total: steps done in all. judged: whether the loop has made the
    evaluation that is due after this step, if any. loss, right, seen: sums since the last evaluation. seconds: spent
    in steps. evaluations: all so far.
    """

    phase: int = 0
    epoch: int = 0
    step: int = 0
    total: int = 0
    judged: bool = True
    loss: float = 0.0
    right: int = 0
    seen: int = 0
    seconds: float = 0.0
    evaluations: list[Evaluation] = msgspec.field(default_factory=list)


class _State(msgspec.Struct):
    """digests: SHA-256 of the other files."""

    number: int
    position: Position
    weights: str
    optimizer: str
    best: str | None
    digests: dict[str, str]


class Checkpoints:
    """The checkpoint of one run folder; only the newest is kept."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / CHECKPOINT
        self._number = 0
        self._best: str | None = None
        self._state: _State | None = None

    def load(self) -> Position | None:
        """The stored position; None without a checkpoint."""
        path = self.folder / _STATE
        if not path.exists():
            return None
        self._state = read_checked_json(path, _State, _AGAIN)
        verify_all(self.folder, self._state.digests, _AGAIN)
        self._number, self._best = self._state.number, self._state.best
        return self._state.position

    def weights(self) -> dict[str, Tensor]:
        assert self._state is not None
        return read_tensors(self.folder / self._state.weights)

    def best(self) -> dict[str, Tensor] | None:
        assert self._state is not None
        return None if self._state.best is None else read_tensors(self.folder / self._state.best)

    def into(self, optimizer: torch.optim.Optimizer) -> None:
        """Restore the moments of an optimizer."""
        assert self._state is not None
        moments: dict[int, dict[str, Tensor]] = {}
        for name, tensor in read_tensors(self.folder / self._state.optimizer).items():
            index, _, key = name.partition(".")
            moments.setdefault(int(index), {})[key] = tensor
        groups: list[dict[str, Any]] = optimizer.state_dict()["param_groups"]
        optimizer.load_state_dict({"state": moments, "param_groups": groups})

    def save(
        self,
        position: Position,
        weights: Mapping[str, Tensor],
        optimizer: torch.optim.Optimizer | None,
        best: Mapping[str, Tensor] | None,
        *,
        new_best: bool,
    ) -> None:
        """Replace the checkpoint. new_best: whether `best` differs from that of the previous checkpoint."""
        number = self._number + 1
        states = optimizer.state_dict()["state"] if optimizer is not None else {}
        moments = {
            f"{index}.{key}": tensor
            for index, parameter_state in states.items()
            for key, tensor in parameter_state.items()
        }
        names = f"weights-{number}.safetensors", f"optimizer-{number}.safetensors"
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            write_tensors(self.folder / names[0], weights)
            write_tensors(self.folder / names[1], moments)
            kept = self._best
            if best is not None and (new_best or kept is None):
                kept = f"best-{number}.safetensors"
                write_tensors(self.folder / kept, best)
            # The best weights of an earlier checkpoint are not read again.
            before = self._state.digests if self._state is not None else {}
            checksums = {name: digest for name, digest in before.items() if name == kept}
            checksums |= digests(
                self.folder, [name for name in (*names, kept) if name and name not in checksums]
            )
            written = _State(number, position, *names, kept, checksums)
            write_checked_json(self.folder / _STATE, written)
        except (OSError, InputError) as fault:
            self._sweep(self._kept())
            what = fault.what if isinstance(fault, InputError) else reason_of(fault)
            remedy = f"{FULL}; {WHOLE}" if (self.folder / _STATE).exists() else FULL
            raise InputError(f"no checkpoint could be written: {what}", str(self.folder), remedy) from fault
        self._number, self._best, self._state = number, kept, written
        self._sweep({*names, kept, _STATE})

    def _kept(self) -> set[str | None]:
        state = json_or_none(self.folder / _STATE, _State)
        if state is None:
            return {_STATE}
        return {state.weights, state.optimizer, state.best, _STATE}

    def _sweep(self, kept: set[str | None]) -> None:
        if self.folder.is_dir():
            for file in self.folder.iterdir():
                if file.name not in kept:
                    file.unlink(missing_ok=True)


def weights_of(model: nn.Module) -> dict[str, Tensor]:
    """The model's tensors by name. A tensor with several names comes once, under the first."""
    seen: set[tuple[int, tuple[int, ...]]] = set()
    tensors: dict[str, Tensor] = {}
    for name, tensor in model.state_dict().items():
        place = (tensor.data_ptr(), tuple(tensor.shape))
        if tensor.numel() and place in seen:
            continue
        seen.add(place)
        tensors[name] = tensor
    return tensors


def load_weights(model: nn.Module, given: Mapping[str, Tensor], where: Path) -> None:
    """Copy tensors into a model. InputError: names or shapes differ from the model's. where: the file, for errors."""
    expected = weights_of(model)
    strange = sorted(expected.keys() ^ given.keys())
    if strange:
        raise InputError(
            f"the weights are another reader's: {len(strange)} names differ, {strange[0]!r} first",
            str(where),
            "name the folder that they were trained in",
        )
    for name, tensor in expected.items():
        if given[name].shape != tensor.shape:
            raise InputError(
                f"the weights {name!r} have the shape {list(given[name].shape)}, the recipe makes {list(tensor.shape)}",
                str(where),
                "put the recipe back that they were trained with, or train again",
            )
    with torch.no_grad():
        for name, tensor in expected.items():
            tensor.copy_(given[name])


def write_tensors(path: Path, tensors: Mapping[str, Tensor]) -> None:
    """Write a safetensors file, atomically. The same tensors give the same bytes."""
    part = path.with_name(f".{path.name}.part")
    # safetensors writes a file of such a name and renames it: one that is there was left by a killed call.
    for left in path.parent.glob(".tmp" + 6 * "[A-Za-z0-9]"):
        left.unlink()
    try:
        save_file({name: tensor.detach().contiguous() for name, tensor in tensors.items()}, part)
        with part.open("rb+") as stream:
            os.fsync(stream.fileno())
        part.chmod(0o644)
        part.replace(path)
    except (OSError, SafetensorError) as fault:
        reason = str(fault).rpartition("I/O error: ")[2].lower()
        raise InputError(
            f"writing failed: {reason}", str(path), "free some space or choose another place"
        ) from fault
    finally:
        part.unlink(missing_ok=True)


def read_tensors(path: Path) -> dict[str, Tensor]:
    """The tensors of a safetensors file, on the CPU."""
    try:
        with safe_open(path, framework="pt") as file:
            return {name: file.get_tensor(name).clone() for name in file.keys()}  # noqa: SIM118 it is no dict
    except (OSError, SafetensorError) as fault:
        raise InputError(f"cannot be read ({fault})", str(path), _AGAIN) from fault
