"""The whole-passage reader, our own: question and passage in one pass, every candidate over all its mentions.

1. One sequence: [CLS] question [SEP] passage [SEP]. A marker replaces each mention, the same for all mentions of a
   candidate and another for each candidate; the placeholder has a marker too. In the views that name entities the
   mention's words follow its marker.
2. In training, an instance gets new random markers each time, so that their numbers carry no information.
3. The encoder reads the sequence; h_i is its vector of mention i, q that of the placeholder, c the mean of the
   vectors of a candidate's mentions.
4. A mention's score: the cosine of h_i and q after learned maps, both less the mean of all mentions, and an MLP of
   [h_i; c; q; h_i * q].
5. A candidate's probability is the sum of its mentions' shares in a softmax over all mentions of the passage.
   Loss: -log of the answer's.

A passage over the encoder's limit is read in windows (marked_sequences.py), every mention in one of them.
design/training.md has the experiments. Shapes: n instances, s sequences, l word pieces of the longest, v mentions
in all, p mentions of the instance with most, k candidates, w width.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

import torch
from torch import Tensor, nn
from torch.nn.functional import normalize

from anagnosis.encoders import load
from anagnosis.progress import TextCounts
from anagnosis.readers.learning import ClozeSettings, Embeddings, MentionView, Output, ViewedSplit
from anagnosis.readers.marked_sequences import (
    CUT,
    MARKERS,
    WINDOWED,
    MarkedBatch,
    MarkedSequences,
    collate,
    encode,
)
from anagnosis.readers.mention_scoring import candidate_scores, log_probabilities, losses
from anagnosis.readers.trained_encoder import EncoderLearner, EncoderSettings, OverEncoder, kept_encoder
from anagnosis.recipes.load import Positive, Rate

# A marker's initial vector: that of this word, plus noise.
WORD = "entity"
APART = 0.5
SHARPNESS = 8.0  # initial factor of the cosines: a ratio of e^8 between a perfect and an unrelated mention
SAVES = ("encoder",)
NAMED = ("names", "marked", "marked-title-last")  # views in which a mention's words follow its marker


class Config(EncoderSettings, ClozeSettings, frozen=True, kw_only=True):
    """The whole-passage reader.

    Differences to the masked-encoder reader, each of which can be turned off: trained (all of the encoder, its top
    `layers`, or nothing), placeholder (a marker like an entity's, or [MASK]), renumbered (new random markers in
    training), joint (score a mention with the mean of its candidate's mentions), aggregation (of a candidate's
    mentions, in the softmax over all).
    """

    view: MentionView = "local"
    placeholder: Literal["entity", "mask"] = "entity"
    renumbered: bool = True
    joint: bool = True
    aggregation: Literal["sum", "max"] = "sum"
    batch: Positive = 16
    rate: Rate = 1e-4
    epochs: Positive = 4


class WholePassage(OverEncoder):
    """The encoder, the markers' vectors, and the scorer of mentions."""

    def __init__(self, config: Config, encoder: Any, word: int) -> None:
        super().__init__(config, encoder)
        self.config = config
        pieces: Tensor = encoder.get_input_embeddings().weight
        width = pieces.shape[1]
        self.markers = nn.Embedding(MARKERS + 1, width)
        with torch.no_grad():
            noise = torch.randn(MARKERS + 1, width) * (APART * pieces.std())
            self.markers.weight.copy_(pieces[word] + noise)
        # "asked" and "said" are the names in the weights of saved runs.
        self.asked = nn.Linear(width, width, bias=False)
        self.said = nn.Linear(width, width, bias=False)
        nn.init.eye_(self.asked.weight)
        nn.init.eye_(self.said.weight)
        self.sharpness = nn.Parameter(torch.tensor(math.log(SHARPNESS)))
        self.inner = nn.Linear((4 if config.joint else 3) * width, width)
        self.outer = nn.Linear(width, 1)
        nn.init.zeros_(self.outer.weight)
        nn.init.zeros_(self.outer.bias)

    def forward(self, batch: MarkedBatch) -> Output:
        scores = self.scores(batch)
        of_candidates = log_probabilities(scores)
        loss = losses(scores, batch.target, first_for_unmentioned=False)
        return Output(of_candidates.masked_fill(~batch.real, -torch.inf), {"answer": loss})

    def scores(self, batch: MarkedBatch) -> Tensor:
        """The candidates' scores, float [n, k], -inf without a mention.

        Only the encoder uses half precision, since scores rounded to three digits would tie.
        """
        top = self.read(batch)
        with torch.autocast(top.device.type, enabled=False):
            return self.scored(top.to(self.outer.weight.dtype), batch)

    def scored(self, top: Tensor, batch: MarkedBatch) -> Tensor:
        """The candidates' scores from the encoder's vectors, float [s, l, w]."""
        n, k, p = batch.members.shape
        width = top.shape[-1]
        h = (
            top.new_zeros(n * p, width)
            .index_copy(0, batch.slot, top[batch.row, batch.place])
            .view(n, p, width)
        )
        members = batch.members.to(h.dtype)
        holes = top[torch.arange(len(top), device=top.device), batch.hole]  # [s, w]
        q = _mean_by(batch.instance, holes, n)[:, None]  # [n, 1, w]
        mentioned = members.amax(1)[..., None]  # [n, p, 1]
        middle = (h * mentioned).sum(1, keepdim=True) / mentioned.sum(1, keepdim=True).clamp(min=1)
        cosines = normalize(self.said(h - middle), dim=-1) * normalize(self.asked(q - middle), dim=-1)
        beside = [h, q.expand_as(h), h * q]
        if self.config.joint:
            mean = (members @ h) / members.sum(-1, keepdim=True).clamp(min=1)  # [n, k, w]
            beside.append(members.transpose(1, 2) @ mean)
        seen = self.outer(nn.functional.gelu(self.inner(torch.cat(beside, -1)))).squeeze(-1)
        of_mentions = cosines.sum(-1) * self.sharpness.exp() + seen  # [n, p]
        if self.config.aggregation == "max":
            return candidate_scores(of_mentions, batch.members, "max")
        spread = of_mentions[:, None, :].expand(n, k, p).masked_fill(~batch.members, -torch.inf)
        some = batch.members.any(-1)
        return spread.masked_fill(~some[..., None], 0).logsumexp(-1).masked_fill(~some, -torch.inf)

    def read(self, batch: MarkedBatch) -> Tensor:
        """The top-level vectors, float [s, l, w]."""
        marked = batch.marks > 0
        number = (batch.marks - 1).clamp(min=0)
        if self.training and self.config.renumbered:
            draw = torch.rand(len(batch.target), MARKERS, device=number.device).argsort(-1)
            drawn = draw[batch.instance].gather(1, number.clamp(max=MARKERS - 1))
            number = torch.where(number < MARKERS, drawn, number)
        if self.config.placeholder == "mask":
            marked = marked & (batch.marks <= MARKERS)
        vectors = self.encoder.get_input_embeddings()(batch.pieces)
        vectors = torch.where(marked[..., None], self.markers(number).to(vectors.dtype), vectors)
        return self.encoder(inputs_embeds=vectors, attention_mask=batch.inside.long()).last_hidden_state


class WholePassageLearner(EncoderLearner):
    """See learning.Learner."""

    example = MarkedSequences

    def encode(self, split: ViewedSplit) -> Iterator[MarkedSequences]:
        named = self.config.view in NAMED
        counts = TextCounts(WINDOWED, CUT)
        for viewed in split.viewed():
            yield encode(viewed, self.encoder.pieces, counts, named=named)
        counts.report(split.name)

    def collate(self, examples: Sequence[MarkedSequences]) -> MarkedBatch:
        return collate(examples, self.encoder.pieces.padding)

    def model(self) -> nn.Module:
        word = self.encoder.pieces.tokenizer.convert_tokens_to_ids(WORD)
        return WholePassage(
            self.config, self.encoder.model, self.encoder.pieces.mask if word is None else word
        )

    def embeddings(self) -> Embeddings:
        """Counts of the trained parameters; markers count as entities."""
        markers = (MARKERS + 1) * self.encoder.pieces.width
        return Embeddings(super().embeddings().words + markers, markers)


def prepare(config: Config, training: ViewedSplit) -> WholePassageLearner:
    """Load the encoder; needs no counts of the training part."""
    return WholePassageLearner(config, load.load(config.encoder))


def restore(config: Config, folder: Path) -> WholePassageLearner:
    """Restore the learner from a run folder, which contains everything."""
    return WholePassageLearner(config, kept_encoder(config, folder))


def _mean_by(group: Tensor, vectors: Tensor, groups: int) -> Tensor:
    """float [groups, w]: the mean of the vectors [s, w] of each group [s]."""
    member = nn.functional.one_hot(group, groups).to(vectors.dtype)  # [s, groups]
    return (member.T @ vectors) / member.sum(0)[:, None]
