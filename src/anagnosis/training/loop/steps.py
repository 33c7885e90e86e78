"""The steps of a training: their batches, of instances of similar length drawn anew each epoch, and learning rates."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from torch import nn
from torch.optim import SGD, Adam, AdamW, Optimizer

from anagnosis.array_types import Ints, Longs
from anagnosis.readers.learning import Settings

JITTER = 0.05  # largest random change of an instance's size before sorting, as a share of the size
FULL_EPOCHS = 3  # of "halving"
_OPTIMIZERS: dict[str, type[Adam | AdamW | SGD]] = {"adam": Adam, "adamw": AdamW, "sgd": SGD}


def batches(chosen: Longs, sizes: Ints, batch: int, *numbers: int) -> list[Longs]:
    """The batches of an epoch. They depend on the arguments alone, and each of `chosen` is in exactly one.

    chosen: the instances to train on. sizes: of all instances. numbers: seed, phase, epoch. Instances are sorted by
    size, which jitter changes by up to a twentieth, and cut into batches (the last one may be smaller), which are
    shuffled.
    """
    draw = np.random.default_rng(numbers)
    off = draw.uniform(1 - JITTER, 1 + JITTER, len(chosen))
    # Equal sizes are shuffled by the draw that breaks their tie.
    ordered = chosen[np.lexsort((draw.random(len(chosen)), sizes[chosen] * off))]
    cut = [ordered[start : start + batch] for start in range(0, len(ordered), batch)]
    return [cut[place] for place in draw.permutation(len(cut))]


def micro_batches(chosen: Longs, sizes: Ints, tokens: int) -> Iterator[Longs]:
    """Cut instances into micro-batches: number of instances times longest size is at most `tokens`.

    The longest instance comes first, so that too little memory shows at once. One longer than `tokens` is a micro-batch
    of its own.
    """
    ordered = chosen[np.argsort(-sizes[chosen].astype(np.int64), kind="stable")]
    while len(ordered):
        count = max(1, tokens // max(1, int(sizes[ordered[0]])))
        yield ordered[:count]
        ordered = ordered[count:]


@dataclass(frozen=True, slots=True)
class Schedule:
    """The rates and evaluations of a phase, by its steps from 0. rate: the full one. per_epoch: steps of an epoch."""

    config: Settings
    rate: float
    per_epoch: int

    def at(self, step: int) -> float:
        """The rate of a step."""
        total = self.per_epoch * self.config.epochs
        warmup = math.ceil(self.config.warmup * self.per_epoch * self.config.epochs)
        if step < warmup:
            return self.rate * (step + 1) / warmup
        if self.config.schedule == "linear":
            return self.rate * (total - step) / max(1, total - warmup)
        if self.config.schedule == "halving":
            return self.rate * 0.5 ** max(0, step // self.per_epoch - FULL_EPOCHS + 1)
        return self.rate

    def starts_anew(self, epoch: int) -> bool:
        """Whether the optimizer forgets its moments before this epoch (from 0)."""
        return self.config.schedule == "halving" and epoch >= FULL_EPOCHS

    def evaluates_after(self, step: int) -> bool:
        done, every = step + 1, self.config.evaluate_every or self.per_epoch
        return done == self.per_epoch * self.config.epochs or done % every == 0


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
