"""The learning rate of each step, and the optimizer that uses it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from torch import nn
from torch.optim import SGD, Adam, AdamW, Optimizer

from anagnosis.readers.learning import Settings

FULL_EPOCHS = 3  # of "halving"
_OPTIMIZERS: dict[str, type[Adam | AdamW | SGD]] = {"adam": Adam, "adamw": AdamW, "sgd": SGD}


@dataclass(frozen=True, slots=True)
class Schedule:
    """kind: "constant", "linear" or "halving". warmup: steps until the full rate. per_epoch: steps of an epoch."""

    kind: str
    rate: float
    warmup: int
    per_epoch: int
    epochs: int

    def at(self, step: int) -> float:
        """The rate of a step of the phase, from 0."""
        if step < self.warmup:
            return self.rate * (step + 1) / self.warmup
        if self.kind == "linear":
            total = self.per_epoch * self.epochs
            return self.rate * (total - step) / max(1, total - self.warmup)
        if self.kind == "halving":
            return self.rate * 0.5 ** max(0, step // self.per_epoch - FULL_EPOCHS + 1)
        return self.rate

    def starts_anew(self, epoch: int) -> bool:
        """Whether the optimizer forgets its moments before this epoch (from 0)."""
        return self.kind == "halving" and epoch >= FULL_EPOCHS


def schedule(config: Settings, rate: float, per_epoch: int, epochs: int) -> Schedule:
    """The schedule of a phase."""
    warmup = math.ceil(config.warmup * per_epoch * epochs)
    return Schedule(config.schedule, rate, warmup, per_epoch, epochs)


def optimizer(config: Settings, trained: Sequence[nn.Parameter]) -> Optimizer:
    """The optimizer of a phase. Weight decay applies to matrices, not to biases and the scales of norms.

    Fused, since every step updates all of the millions of rows of a table of word embeddings.
    """
    groups = [
        {"params": [weights for weights in trained if weights.dim() > 1], "weight_decay": config.decay},
        {"params": [weights for weights in trained if weights.dim() <= 1], "weight_decay": 0.0},
    ]
    fused = all(weights.device.type in ("cpu", "cuda") for weights in trained)
    return _OPTIMIZERS[config.optimizer](groups, lr=config.rate, fused=fused)
