"""Masked-encoder readers: SciBERT-SUM-Reader and SciBERT-MAX-Reader of BIOMRC, over any BERT-like encoder.

Sources: BIOMRC, section 3.1 ("BERT-based model") and figure 2; the thesis, 3.4.

1. Each sentence with a mention is read together with the question, [MASK] in place of XXXX (encoders/pairs.py).
2. A mention's vector e is that of its first sub-token, m is that of the [MASK] beside it, at the encoder's top.
3. Each mention is scored from e and m by an MLP with one hidden layer (mention_scoring.py).
4. A candidate's score is the largest of its mentions' scores (max), or their sum (sum).
5. Softmax over the candidates that are mentioned; loss: -log of the answer's probability.

With a frozen encoder, steps 1 and 2 run once and their vectors are kept on disk (encoders/kept_vectors.py); training
changes only the MLP.

Shapes as in mention_scoring.py: n instances, k candidates, v vectors of width h.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

import torch
from torch import Tensor, nn

from anagnosis.encoders import load
from anagnosis.encoders.kept_vectors import KeptInstance, KeptVectors
from anagnosis.encoders.load import Encoder
from anagnosis.encoders.pairs import Pairing
from anagnosis.encoders.trained import Trained, trained_parameters
from anagnosis.errors import InputError
from anagnosis.readers.learning import ClozeSettings, Learner, MentionView, Output, Phase, ViewedSplit
from anagnosis.readers.mention_scoring import (
    MentionBatch,
    MentionPairs,
    Mlp,
    candidate_scores,
    chunk_vectors,
    log_probabilities,
    losses,
    of_kept,
    of_pairs,
)
from anagnosis.recipes.load import Count, Depth, Width

TOKENIZER = "encoder"
# The rate of BIOMRC's program for the unfrozen top layer.
UNFROZEN_RATE = 0.0001
SAVES = ("encoder.json", "encoder")


class Config(ClozeSettings, frozen=True, kw_only=True):
    """A masked-encoder reader.

    encoder: a name on the Hugging Face hub, or a folder. sentences: the splitter. aggregation: of mentions.
    hidden: units of the MLP that scores mentions. trained: nothing of the encoder, its top `layers`, or all.

    BIOMRC's program, unlike its paper, has: unfreeze_top_after 5 (after 5 epochs without a better one it trains the
    top layer too, at a rate of 0.0001, until 5 more have passed without a better one),
    sigmoid_of_sum (the loss is that of the sigmoid of the sum), attention_mask off (padding is read),
    closing_separator off, unmentioned_answer "first" (the first mentioned candidate counts as the answer).
    """

    view: MentionView = "local"
    encoder: str
    sentences: str = "nupunkt"
    aggregation: Literal["max", "sum"] = "max"
    hidden: Width = 100
    trained: Trained = "none"
    layers: Depth = 1
    unfreeze_top_after: Count = 0
    sigmoid_of_sum: bool = False
    attention_mask: bool = True
    closing_separator: bool = True
    unmentioned_answer: Literal["no-loss", "first"] = "no-loss"
    precision: Literal["auto", "float32", "bfloat16"] = "auto"

    @property
    def frozen(self) -> bool:
        """Whether the encoder never changes."""
        return self.trained == "none" and not self.unfreeze_top_after


class MaskedEncoder(nn.Module):
    """The head, and the encoder if it is trained at any time."""

    def __init__(self, config: Config, width: int, encoder: nn.Module | None) -> None:
        super().__init__()
        self.config = config
        self.head = Mlp(width, config.hidden)
        self.encoder = encoder

    def forward(self, batch: MentionBatch) -> Output:
        """log_probabilities: from the plain scores, by which BIOMRC's program also chooses its answer."""
        scores = self.scores(batch)
        logits = torch.sigmoid(scores).where(scores > -torch.inf, scores)
        loss = losses(
            logits if self.config.sigmoid_of_sum else scores,
            batch.target,
            first_for_unmentioned=self.config.unmentioned_answer == "first",
        )
        return Output(log_probabilities(scores).masked_fill(~batch.real, -torch.inf), {"answer": loss})

    def scores(self, batch: MentionBatch) -> Tensor:
        """The candidates' scores, float [n, k], -inf without a mention."""
        vectors = chunk_vectors(self.encoder, batch.chunks) if batch.vectors is None else batch.vectors
        of_mentions = self.head(vectors, batch.mention, batch.mask)
        rows, _, most = batch.members.shape
        flat = of_mentions.new_zeros(rows * most).scatter(0, batch.slot, of_mentions)
        return candidate_scores(flat.view(rows, most), batch.members, self.config.aggregation)


class MaskedEncoderLearner(Learner):
    """See learning.Learner. encoder: without weights for a restored learner that trains it."""

    device = torch.device("cpu")

    def __init__(self, config: Config, encoder: Encoder) -> None:
        if config.unfreeze_top_after and config.trained != "none":
            what = "unfreeze_top_after is for an encoder that is frozen first"
            raise InputError(what, "unfreeze_top_after", 'set trained = "none", or leave it out')
        if config.sigmoid_of_sum and config.aggregation != "sum":
            remedy = 'set aggregation = "sum", or leave it out'
            raise InputError("sigmoid_of_sum is for sums", "sigmoid_of_sum", remedy)
        self.config = config
        self.encoder = encoder
        self.example = KeptInstance if config.frozen else MentionPairs
        self._pairing()  # refuses an unknown splitter
        trained: Trained = "top" if config.unfreeze_top_after else config.trained
        self._trained = ("head.", *trained_parameters(encoder.model, trained, config.layers, "encoder."))
        self._kept: KeptVectors | None = None

    def encode(self, split: ViewedSplit) -> Iterator[KeptInstance | MentionPairs]:
        """An example for every instance.

        With a frozen encoder, this computes missing vectors first, also for examples that a training stored before.
        """
        if not self.config.frozen:
            return self._pairs(split)
        if self._kept is None:
            device = torch.device(self.device)
            self._kept = KeptVectors(self.encoder, device, self.config.precision, self._pairing())
        return self._kept.keep(split.kept, split.digest, split.viewed, split.name, split.rows)

    def _pairs(self, split: ViewedSplit) -> Iterator[MentionPairs]:
        pairing = self._pairing()
        for instance in split.viewed():
            answer = -1 if instance.answer is None else instance.answer
            yield MentionPairs(instance.id, answer, len(instance.candidates), tuple(pairing(instance)))
        pairing.counts.report(split.name)

    def collate(self, examples: Sequence[Any]) -> MentionBatch:
        if self._kept is not None:
            return of_kept(examples, self._kept)
        return of_pairs(examples, self.encoder.pieces, self.device)

    def model(self) -> nn.Module:
        encoder = None if self.config.frozen else copy.deepcopy(self.encoder.model)
        return MaskedEncoder(self.config, self.encoder.pieces.width, encoder)

    def phases(self) -> Sequence[Phase]:
        trained, flat = self._trained, self.config.unfreeze_top_after
        if not flat:
            return (Phase("all", lambda name: name.startswith(trained)),)
        return (
            Phase("head", lambda name: name.startswith("head."), patience=flat),
            Phase("top", lambda name: name.startswith(trained), rate=UNFROZEN_RATE, patience=flat),
        )

    def save(self, folder: Path) -> None:
        load.record_frozen(self.encoder, folder)
        if not self.config.frozen:
            load.keep(self.encoder.model, self.encoder.pieces.tokenizer, folder / TOKENIZER)

    def _pairing(self) -> Pairing:
        config = self.config
        return Pairing(
            self.encoder.pieces,
            config.sentences,
            closing=config.closing_separator,
            masked=config.attention_mask,
        )


def prepare(config: Config, training: ViewedSplit) -> MaskedEncoderLearner:
    """Load the encoder; needs no counts of the training part."""
    return MaskedEncoderLearner(config, load.load(config.encoder))


def restore(config: Config, folder: Path) -> MaskedEncoderLearner:
    """Restore the learner from a run folder; a frozen encoder must be unchanged at its recorded place."""
    if config.frozen:
        return MaskedEncoderLearner(config, load.restore_frozen(config.encoder, folder))
    before = load.recorded(folder)
    pieces, model = load.skeleton(folder / TOKENIZER)
    return MaskedEncoderLearner(config, Encoder(before.name, pieces, model, before.digest))
