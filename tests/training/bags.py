"""A reader that learns in milliseconds, for the loop's tests: the words around a candidate, weighed and added up.

score(candidate) = w · dropout(mean over its mentions of the words within two of it) + its prior's weight
"""

from __future__ import annotations

import dataclasses
import time
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import msgspec
import torch
from torch import Tensor, nn

from anagnosis.io.files import sha256
from anagnosis.readers.learning import (
    ALL_AT_ONCE,
    ClozeSettings,
    Learner,
    Output,
    Phase,
    TensorBatch,
    ViewedSplit,
)
from anagnosis.training.loop.history import Evaluation
from anagnosis.training.run_files import WEIGHTS

PADDING = float("-inf")
SAVES = ("counted.json",)


def evaluations(folder: Path) -> list[Evaluation]:
    """The history that a training wrote."""
    return msgspec.json.Decoder(Evaluation).decode_lines((folder / "history.jsonl").read_bytes())


def facts(folder: Path) -> tuple[str, list[tuple[str, int, float, float | None]]]:
    """The sum of the weights that it left, and its history but for the seconds."""
    lines = [(one.phase, one.step, one.loss, one.dev_loss) for one in evaluations(folder)]
    return sha256(folder / WEIGHTS), lines


class Config(ClozeSettings, frozen=True, kw_only=True):
    """phased: bias first, then all. stop_from: of the one phase. wreck: the loss is no number from that step on.

    slow: seconds a step.
    """

    words: Annotated[int, msgspec.Meta(gt=0)] = 64
    width: Annotated[int, msgspec.Meta(gt=0)] = 8
    dropout: Annotated[float, msgspec.Meta(ge=0, lt=1)] = 0.1
    phased: bool = False
    stop_from: int = 1
    wreck: float | None = None
    slow: float = 0.0

    def __post_init__(self) -> None:
        if self.phased and self.stop_from > 1:
            raise ValueError("stop_from is of the one phase")


class Example(msgspec.Struct, frozen=True):
    id: str
    size: int
    target: int
    bags: list[list[int]]


@dataclasses.dataclass
class Batch(TensorBatch):
    """words: int64 [batch, candidates, longest], 0 for padding. real: bool [batch, candidates]."""

    words: Tensor
    real: Tensor
    target: Tensor


class Bags(nn.Module):
    def __init__(self, config: Config) -> None:
        super().__init__()
        self.config = config
        self.table = nn.Embedding(config.words + 1, config.width, padding_idx=0)
        self.inner = nn.Linear(config.width, config.width)
        self.outer = nn.Linear(config.width, 1)
        self.dropout = nn.Dropout(config.dropout)

    def forward(self, batch: Batch) -> Output:
        time.sleep(self.config.slow)
        known = (batch.words > 0).unsqueeze(3)
        mean = (self.table(batch.words) * known).sum(2) / known.sum(2).clamp(min=1)
        scores = self.outer(torch.tanh(self.inner(self.dropout(mean)))).squeeze(2)
        logs = scores.masked_fill(~batch.real, PADDING).log_softmax(1)
        target = batch.target
        losses = -logs.gather(1, target.clamp(min=0)[:, None]).squeeze(1) * (target >= 0)
        if self.config.wreck is not None and self.training:
            losses = losses * self.config.wreck
        return Output(logs, {"answer": losses})


class Reader(Learner):
    device = torch.device("cpu")
    example = Example

    def __init__(self, config: Config, counted: int) -> None:
        self.config, self.counted = config, counted

    def encode(self, split: ViewedSplit) -> Iterator[Example]:
        for viewed in split.viewed():
            bags: list[list[int]] = [[] for _ in viewed.candidates]
            for start, end, candidate in viewed.mentions:
                around = viewed.passage[:start].split()[-2:] + viewed.passage[end:].split()[:2]
                bags[candidate] += [zlib.crc32(word.encode()) % self.config.words + 1 for word in around]
            target = -1 if viewed.answer is None else viewed.answer
            yield Example(viewed.id, max(1, sum(map(len, bags))), target, bags)

    def collate(self, examples: Sequence[Example]) -> Batch:
        most = max(len(example.bags) for example in examples)
        longest = max((len(bag) for example in examples for bag in example.bags), default=1) or 1
        words = torch.zeros(len(examples), most, longest, dtype=torch.int64)
        real = torch.zeros(len(examples), most, dtype=torch.bool)
        for row, example in enumerate(examples):
            real[row, : len(example.bags)] = True
            for place, bag in enumerate(example.bags):
                words[row, place, : len(bag)] = torch.tensor(bag, dtype=torch.int64)
        return Batch(words, real, torch.tensor([example.target for example in examples]))

    def model(self) -> nn.Module:
        return Bags(self.config)

    def phases(self) -> Sequence[Phase]:
        if not self.config.phased:
            return (dataclasses.replace(ALL_AT_ONCE[0], stop_from=self.config.stop_from),)
        return (
            Phase("outer", lambda name: name.startswith("outer"), rate=0.01),
            Phase("rest", lambda name: True),
        )

    def save(self, folder: Path) -> None:
        (folder / "counted.json").write_bytes(msgspec.json.encode(self.counted))


def prepare(config: Config, training: ViewedSplit) -> Learner:
    return Reader(config, sum(1 for _ in training.viewed()))


def restore(config: Config, folder: Path) -> Learner:
    return Reader(config, msgspec.json.decode((folder / "counted.json").read_bytes()))
