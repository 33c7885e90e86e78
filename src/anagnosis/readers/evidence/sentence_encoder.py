"""A BERT-like encoder that reads question and sentence as a pair, a sentence at a time; the model is ours.

The input is [CLS] question [SEP] sentence [SEP], with token types if the encoder has them; the vector of [CLS] gives
one logit. A sentence is cut at the encoder's limit, a question at three fourths of it; messages give the numbers.

Sentences of similar length are batched together, also from different instances.

The run folder also has the trained model as a BertForSequenceClassification of transformers, which `--cross-encoder`
reads. That model puts a dense layer and tanh between [CLS] and the logit. Where numbers are small, tanh changes none of
their digits, so that a unit of the dense layer has our logit times _SMALL, and the last layer divides it by _SMALL.

Shapes: n instances, s sentences of all of them, g of a group, l word pieces of its longest.
"""

from __future__ import annotations

import copy
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import msgspec
import torch
from torch import Tensor, nn
from transformers import BertForSequenceClassification

from anagnosis.datasets.kinds.evidence import EvidenceInstance
from anagnosis.encoders import load, run
from anagnosis.encoders.pairs import QUESTIONS_CUT, SENTENCE_SHARE
from anagnosis.progress import TextCounts
from anagnosis.readers.evidence.sentence_loss import Rows, labels, rows, sentence_output
from anagnosis.readers.learning import LOSS, EvidenceSettings, Output, TensorBatch, ViewedSplit
from anagnosis.readers.trained_encoder import EncoderLearner, EncoderSettings, OverEncoder, kept_encoder
from anagnosis.recipes.load import Positive, Rate

CROSS_ENCODER = "cross-encoder"
SAVES = ("encoder", CROSS_ENCODER)
_SMALL = 2.0**-16
CUT = "sentences over the encoder's limit were cut there"


class Config(EncoderSettings, EvidenceSettings, frozen=True, kw_only=True):
    """Settings of the sentence encoder; it stops by the loss, since its probabilities matter."""

    view: Literal["sentences"] = "sentences"
    batch: Positive = 8
    rate: Rate = 5e-5
    epochs: Positive = 3
    stop: str = LOSS


class Pairs(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """An instance. pieces: of question and each sentence. sentence_start: the place behind the first [SEP].

    gold: from sentence_loss.labels. cut: sentences that were cut; question_cut: whether the question was.
    """

    id: str
    target: int
    pieces: tuple[tuple[int, ...], ...]
    sentence_start: int
    gold: tuple[int, ...]
    cut: int = 0
    question_cut: bool = False

    @property
    def size(self) -> int:
        """The number of word pieces."""
        return sum(map(len, self.pieces))


@dataclass(frozen=True, slots=True)
class SentenceGroup(TensorBatch):
    """pieces, segments: int64 [g, l]; inside: bool [g, l]; numbers: int64 [g], the sentences of the group."""

    pieces: Tensor
    inside: Tensor
    segments: Tensor
    numbers: Tensor


@dataclass(frozen=True, slots=True)
class PairBatch(TensorBatch):
    """groups: batches of sentences; each sentence is in one of them."""

    target: Tensor
    groups: tuple[SentenceGroup, ...]
    rows: Rows


class SentencePairModel(OverEncoder):
    """The encoder and one logit from its [CLS]."""

    def __init__(self, config: Config, encoder: Any, *, typed: bool) -> None:
        super().__init__(config, encoder, typed=typed)
        self.dropout = nn.Dropout(config.dropout)
        self.outer = nn.Linear(encoder.get_input_embeddings().weight.shape[1], 1)

    def forward(self, batch: PairBatch) -> Output:
        numbers = torch.cat([group.numbers for group in batch.groups])
        logits = torch.cat([self._logits(group) for group in batch.groups])
        return sentence_output(torch.zeros_like(logits).index_copy(0, numbers, logits), batch.rows)

    def _logits(self, group: SentenceGroup) -> Tensor:
        top = self.top(group.pieces, group.inside, group.segments)
        with torch.autocast(top.device.type, enabled=False):
            first = self.dropout(top[:, 0].to(self.outer.weight.dtype))
            return self.outer(first).squeeze(1)


class SentenceEncoderLearner(EncoderLearner):
    """See learning.Learner."""

    example = Pairs

    def encode(self, split: ViewedSplit) -> Iterator[Pairs]:
        counts = TextCounts(CUT, QUESTIONS_CUT)
        for instance in split.viewed():
            example = self._pairs(instance)
            counts[CUT] += example.cut
            counts[QUESTIONS_CUT] += example.question_cut
            yield example
        counts.report(split.name)

    def _pairs(self, instance: EvidenceInstance) -> Pairs:
        pieces = self.encoder.pieces
        read = pieces.split([instance.question, *(sentence.text for sentence in instance.sentences)])
        question, *sentences = (list(encoding.ids) for encoding in read)
        most = pieces.limit - pieces.limit // SENTENCE_SHARE - 3
        prefix = (pieces.start, *question[:most], pieces.separator)
        room = pieces.limit - 1 - len(prefix)
        return Pairs(
            instance.id,
            instance.target,
            tuple((*prefix, *sentence[:room], pieces.separator) for sentence in sentences),
            len(prefix),
            labels(instance),
            sum(len(sentence) > room for sentence in sentences),
            len(question) > most,
        )

    def collate(self, examples: Sequence[Pairs]) -> PairBatch:
        sequences = [pieces for example in examples for pieces in example.pieces]
        starts = [example.sentence_start for example in examples for _ in example.pieces]
        batch_rows = rows([example.gold for example in examples], [example.target for example in examples])
        limit = self.encoder.pieces.limit
        groups = run.groups([len(pieces) for pieces in sequences], limit, self.device)
        return PairBatch(
            batch_rows.target,
            tuple(self._group(sequences, starts, numbers, length) for numbers, length in groups),
            batch_rows,
        )

    def _group(
        self, sequences: Sequence[Sequence[int]], starts: Sequence[int], numbers: list[int], length: int
    ) -> SentenceGroup:
        pieces, inside = run.padded(
            [sequences[number] for number in numbers], self.encoder.pieces.padding, length
        )
        second = torch.tensor([starts[number] for number in numbers])
        segments = (inside & (torch.arange(length) >= second[:, None])).long()
        return SentenceGroup(pieces, inside, segments, torch.tensor(numbers))

    def export(self, folder: Path, weights: Mapping[str, Tensor]) -> None:
        """Write the cross-encoder of a BERT with token types; see learning.Learner."""
        if self.encoder.model.config.model_type != "bert" or self.encoder.pieces.types < 2:
            return
        config = copy.deepcopy(self.encoder.model.config)
        config.id2label = {0: "answers"}
        width = config.hidden_size
        tensors = {
            name.replace("encoder.", "bert.", 1): tensor
            for name, tensor in weights.items()
            if name.startswith("encoder.")
        }
        for name, of in (("weight", (width, width)), ("bias", (width,))):
            dense = tensors[f"bert.pooler.dense.{name}"] = torch.zeros(of)
            dense[0] = _SMALL * weights[f"outer.{name}"].squeeze()
        tensors["classifier.weight"] = torch.zeros(1, width)
        tensors["classifier.weight"][0, 0] = 1 / _SMALL
        tensors["classifier.bias"] = torch.zeros(1)
        with load.silence():
            model = BertForSequenceClassification(config)
            model.load_state_dict(tensors)
            model.save_pretrained(folder / CROSS_ENCODER)
            self.encoder.pieces.tokenizer.save_pretrained(folder / CROSS_ENCODER)
        # safetensors lets nobody else read its file.
        shutil.copymode(folder / CROSS_ENCODER / "config.json", folder / CROSS_ENCODER / "model.safetensors")

    def model(self) -> nn.Module:
        return SentencePairModel(self.config, self.encoder.model, typed=self.encoder.pieces.types > 1)


def prepare(config: Config, training: ViewedSplit) -> SentenceEncoderLearner:
    """Load the encoder."""
    return SentenceEncoderLearner(config, load.load(config.encoder))


def restore(config: Config, folder: Path) -> SentenceEncoderLearner:
    """Restore the learner from a run folder, which contains everything."""
    return SentenceEncoderLearner(config, kept_encoder(config, folder))
