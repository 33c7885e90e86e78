"""Surface features of question and sentence, and a small feed-forward network; the model is ours.

surface_features.py computes the features: words shared with the question, weighted by their rarity in the train part,
the sentence's position in its document, and words typical of findings, aims and methods. Each feature is standardised
by mean and deviation over the train part; a hidden layer gives one logit.

Shapes: n instances, s sentences of all of them, f features.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import msgspec
import numpy as np
import torch
from torch import Tensor, nn

from anagnosis.datasets.kinds.evidence import EvidenceInstance
from anagnosis.io.decoding import read_json
from anagnosis.io.files import write_bytes
from anagnosis.readers.evidence.sentence_loss import Rows, labels, rows, sentence_output
from anagnosis.readers.evidence.surface_features import NAMES, WordRarity, count, surface_features
from anagnosis.readers.learning import (
    LOSS,
    EvidenceSettings,
    Learner,
    Output,
    TensorBatch,
    ViewedSplit,
)
from anagnosis.recipes.load import Positive, Rate, Share, Weight, Width

FILE = "features.json"
SAVES = (FILE,)


class Config(EvidenceSettings, frozen=True, kw_only=True):
    """hidden: units of the network's one layer."""

    hidden: Width = 32
    dropout: Share = 0.1
    optimizer: Literal["adam", "adamw", "sgd"] = "adamw"
    decay: Weight = 0.001
    rate: Rate = 0.003
    epochs: Positive = 30
    stop: str = LOSS
    patience: Positive = 5


class Scales(msgspec.Struct, frozen=True):
    """Counts over the train part. means, deviations: of NAMES."""

    weights: WordRarity
    names: tuple[str, ...]
    means: tuple[float, ...]
    deviations: tuple[float, ...]


class ScaledFeatures(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """An instance. features: of each sentence, scaled. gold: from sentence_loss.labels."""

    id: str
    target: int
    features: tuple[tuple[float, ...], ...]
    gold: tuple[int, ...]

    @property
    def size(self) -> int:
        """The number of sentences."""
        return len(self.features)


@dataclass(frozen=True, slots=True)
class FeatureBatch(TensorBatch):
    """features: float [s, f]."""

    target: Tensor
    features: Tensor
    rows: Rows


class SentenceFeatures(nn.Module):
    """The network."""

    def __init__(self, config: Config) -> None:
        super().__init__()
        self.inner = nn.Linear(len(NAMES), config.hidden)
        self.dropout = nn.Dropout(config.dropout)
        self.outer = nn.Linear(config.hidden, 1)

    def forward(self, batch: FeatureBatch) -> Output:
        hidden = self.dropout(torch.relu(self.inner(batch.features.to(self.inner.weight.dtype))))
        return sentence_output(self.outer(hidden).squeeze(1), batch.rows)


class SentenceFeaturesLearner(Learner):
    """See learning.Learner."""

    example = ScaledFeatures

    def __init__(self, config: Config, scales: Scales) -> None:
        self.config, self.scales = config, scales

    def encode(self, split: ViewedSplit) -> Iterator[ScaledFeatures]:
        return map(self._features, split.viewed())

    def _features(self, instance: EvidenceInstance) -> ScaledFeatures:
        scales = self.scales
        scaled = tuple(
            tuple(
                round((value - mean) / deviation, 6)
                for value, mean, deviation in zip(row, scales.means, scales.deviations, strict=True)
            )
            for row in surface_features(instance, scales.weights)
        )
        return ScaledFeatures(instance.id, instance.target, scaled, labels(instance))

    def collate(self, examples: Sequence[ScaledFeatures]) -> FeatureBatch:
        values = np.array([row for example in examples for row in example.features], np.float32)
        batch_rows = rows([example.gold for example in examples], [example.target for example in examples])
        return FeatureBatch(batch_rows.target, torch.from_numpy(values.reshape(-1, len(NAMES))), batch_rows)

    def model(self) -> nn.Module:
        return SentenceFeatures(self.config)

    def save(self, folder: Path) -> None:
        write_bytes(folder / FILE, msgspec.json.encode(self.scales))


def prepare(config: Config, training: ViewedSplit) -> SentenceFeaturesLearner:
    """Count words, means and deviations over the train part."""
    return SentenceFeaturesLearner(config, scales(training))


def scales(training: ViewedSplit) -> Scales:
    """Weights of words, means and deviations of features; a constant feature has a deviation of 1."""
    weights = count(training.viewed())
    number, sums, squares = 0, np.zeros(len(NAMES)), np.zeros(len(NAMES))
    for instance in training.viewed():
        values = np.array(surface_features(instance, weights)).reshape(-1, len(NAMES))
        number += len(values)
        sums += values.sum(0)
        squares += (values**2).sum(0)
    means = sums / max(1, number)
    deviations = np.sqrt(np.maximum(squares / max(1, number) - means**2, 0))
    deviations[deviations < 1e-6] = 1.0
    return Scales(
        weights,
        NAMES,
        tuple(round(float(mean), 9) for mean in means),
        tuple(round(float(deviation), 9) for deviation in deviations),
    )


def restore(config: Config, folder: Path) -> SentenceFeaturesLearner:
    """Restore the learner from a run folder."""
    return SentenceFeaturesLearner(config, read_json(folder / FILE, Scales))
