"""The whole-passage reader, our own: question and passage in one pass, every candidate over all its mentions.

1. One sequence: [CLS] question [SEP] passage [SEP]. Where an entity stands, one marker does, the same for all
   mentions of a candidate and another for each candidate; the placeholder is a marker like the others. In the
   names view the mention's words follow its marker.
2. Which marker a candidate gets is drawn anew whenever an instance is read in training: a number says nothing.
3. The encoder reads the sequence; h_i is its vector of mention i, q that of the placeholder, c the mean of the
   vectors of a candidate's mentions.
4. A mention's score: how alike h_i and q are after a learned map, both taken from the mean of all mentions, and
   what an MLP sees in [h_i; c; q; h_i * q].
5. A candidate's probability is the sum of its mentions' shares in a softmax over all mentions of the passage.
   Loss: -log of the answer's.

A passage over the encoder's limit is read in windows, each beside the question, every mention in one of them.
design/whole_passage.md tells what each part is worth. Shapes: n instances, s sequences, l pieces of the longest,
v mentions in all, k candidates, w width.
"""

from __future__ import annotations

import copy
import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, Literal

import msgspec
import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import normalize

from anagnosis.datasets.views import Place, Viewed
from anagnosis.encoders import load, run
from anagnosis.encoders.load import Encoder, Pieces
from anagnosis.encoders.pairs import SENTENCE_SHARE, windows
from anagnosis.encoders.trained import Trained, set_dropout, trained_embeddings, trained_parameters
from anagnosis.progress import tell
from anagnosis.readers.learning import (
    Embeddings,
    Material,
    Output,
    Phase,
    Positive,
    Settings,
    Share,
    Weight,
)
from anagnosis.readers.mention_scoring import candidate_scores, log_probabilities, losses

ENCODER = "encoder"
MARKERS = 64  # candidates of an instance that are told apart; further ones share
# The markers' first vectors: that of this word, and a little of their own.
WORD = "entity"
APART = 0.5
SHARPNESS = 8.0  # of the first scores, cosines; e^8 between the best and an indifferent mention


class Config(Settings, frozen=True, kw_only=True):
    """The whole-passage reader.

    encoder: a name of the Hugging Face hub, or a folder. trained: all of it, its top `layers`, or nothing.
    The changes that make it, each of which can be taken back: whole (one pass, not sentence by sentence is the
    masked-encoder reader's way), placeholder (a marker like an entity's, or [MASK]), renumbered (markers drawn
    anew in training), joint (a mention is scored beside the mean of its candidate's), aggregation (of a
    candidate's mentions, in the softmax over all).
    attention_dropout, dropout: of the encoder while it is trained.
    """

    encoder: str
    trained: Trained = "all"
    layers: Positive = 3
    placeholder: Literal["entity", "mask"] = "entity"
    renumbered: bool = True
    joint: bool = True
    aggregation: Literal["sum", "max"] = "sum"
    dropout: Share = 0.1
    attention_dropout: Share = 0.0
    batch: Positive = 16
    optimizer: Literal["adam", "adamw", "sgd"] = "adamw"
    rate: float = 1e-4
    decay: Weight = 0.01
    schedule: Literal["constant", "linear", "halving"] = "linear"
    warmup: Share = 0.1
    clip: Weight = 1.0
    epochs: Positive = 4
    precision: Literal["auto", "float32", "bfloat16"] = "auto"


class Whole(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """An instance as sequences of pieces, one but for a long passage.

    marks: for each sequence (place, marker) of every marker in it, -1 for the placeholder's.
    places: (sequence, place, candidate) of each mention of the passage.
    """

    id: str
    target: int
    candidates: int
    pieces: tuple[tuple[int, ...], ...]
    marks: tuple[tuple[tuple[int, int], ...], ...]
    places: tuple[tuple[int, int, int], ...]

    @property
    def size(self) -> int:
        """Pieces."""
        return sum(map(len, self.pieces))


@dataclass(slots=True)
class Counts:
    """What did not fit into the encoder's limit."""

    windowed: int = 0
    cut: int = 0

    def told(self) -> str:
        """As half a sentence, empty where all fits."""
        passages = (
            f"{self.windowed:,} passages over the encoder's limit were read in windows"
            if self.windowed
            else ""
        )
        questions = f"{self.cut:,} questions over it were cut around XXXX" if self.cut else ""
        return "; ".join(filter(None, (passages, questions)))


@dataclass(frozen=True, slots=True)
class WholeBatch:
    """target: int64 [n]. real: bool [n, k], which are candidates. members: bool [n, k, p], whose mention each is.

    pieces, inside: int64 and bool [s, l]. marks: int64 [s, l], 1 + marker at a marker, 0 elsewhere; that of the
    placeholder is MARKERS + 1. instance: int64 [s]. hole: int64 [s], the placeholder's place.
    row, place: int64 [v], sequence and place of each mention; slot: int64 [v], its place in [n, p] taken flat.
    """

    target: Tensor
    real: Tensor
    members: Tensor
    pieces: Tensor
    inside: Tensor
    marks: Tensor
    instance: Tensor
    hole: Tensor
    row: Tensor
    place: Tensor
    slot: Tensor

    def to(self, device: Any) -> WholeBatch:
        names = [field.name for field in fields(self)]
        return replace(self, **{name: getattr(self, name).to(device, non_blocking=True) for name in names})


class WholePassage(nn.Module):
    """The encoder, the markers' vectors, and what scores a mention."""

    def __init__(self, config: Config, encoder: Any, word: int) -> None:
        super().__init__()
        self.config = config
        self.encoder = encoder
        pieces: Tensor = encoder.get_input_embeddings().weight
        width = pieces.shape[1]
        self.markers = nn.Embedding(MARKERS + 1, width)
        with torch.no_grad():
            own = torch.randn(MARKERS + 1, width) * (APART * pieces.std())
            self.markers.weight.copy_(pieces[word] + own)
        self.asked = nn.Linear(width, width, bias=False)
        self.said = nn.Linear(width, width, bias=False)
        nn.init.eye_(self.asked.weight)
        nn.init.eye_(self.said.weight)
        self.sharpness = nn.Parameter(torch.tensor(math.log(SHARPNESS)))
        self.inner = nn.Linear((4 if config.joint else 3) * width, width)
        self.outer = nn.Linear(width, 1)
        nn.init.zeros_(self.outer.weight)
        nn.init.zeros_(self.outer.bias)

    def train(self, mode: bool = True) -> WholePassage:
        """A frozen encoder drops nothing out."""
        super().train(mode)
        if self.config.trained == "none":
            self.encoder.eval()
        return self

    def forward(self, batch: WholeBatch) -> Output:
        scores = self.scores(batch)
        found = log_probabilities(scores)
        lost = losses(scores, batch.target, first_for_unmentioned=False)
        return Output(found.masked_fill(~batch.real, -torch.inf), {"answer": lost})

    def scores(self, batch: WholeBatch) -> Tensor:
        """Of the candidates, float [n, k], -inf for one that is not mentioned.

        Half precision ends with the encoder: scores rounded to three digits would tie, and be no probabilities.
        """
        top = self.read(batch)
        with torch.autocast(top.device.type, enabled=False):
            return self.scored(top.to(self.outer.weight.dtype), batch)

    def scored(self, top: Tensor, batch: WholeBatch) -> Tensor:
        """The same from the encoder's vectors, float [s, l, w]."""
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
        alike = normalize(self.said(h - middle), dim=-1) * normalize(self.asked(q - middle), dim=-1)
        beside = [h, q.expand_as(h), h * q]
        if self.config.joint:
            mean = (members @ h) / members.sum(-1, keepdim=True).clamp(min=1)  # [n, k, w]
            beside.append(members.transpose(1, 2) @ mean)
        seen = self.outer(nn.functional.gelu(self.inner(torch.cat(beside, -1)))).squeeze(-1)
        found = alike.sum(-1) * self.sharpness.exp() + seen  # [n, p]
        if self.config.aggregation == "max":
            return candidate_scores(found, batch.members, "max")
        spread = found[:, None, :].expand(n, k, p).masked_fill(~batch.members, -torch.inf)
        some = batch.members.any(-1)
        return spread.masked_fill(~some[..., None], 0).logsumexp(-1).masked_fill(~some, -torch.inf)

    def read(self, batch: WholeBatch) -> Tensor:
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


class WholePassageLearner:
    """See learning.Learner."""

    device = torch.device("cpu")

    def __init__(self, config: Config, encoder: Encoder) -> None:
        self.config = config
        self.encoder = encoder
        set_dropout(encoder.model, config.dropout, config.attention_dropout)
        self._trained = trained_parameters(encoder.model, config.trained, config.layers, "encoder.")

    @property
    def example(self) -> type[msgspec.Struct]:
        return Whole

    def encode(self, material: Material) -> Iterator[Whole]:
        named = self.config.view == "names"
        counts = Counts()
        for viewed in material.viewed():
            yield encode(viewed, self.encoder.pieces, counts, named=named)
        if counts.told():
            tell(f"{material.name}: {counts.told()}")

    def collate(self, examples: Sequence[Whole]) -> WholeBatch:
        return collate(examples, self.encoder.pieces.padding)

    def model(self) -> nn.Module:
        encoder = copy.deepcopy(self.encoder.model)
        word = self.encoder.pieces.tokenizer.convert_tokens_to_ids(WORD)
        return WholePassage(self.config, encoder, self.encoder.pieces.mask if word is None else word)

    def phases(self) -> Sequence[Phase]:
        def trained(name: str) -> bool:
            return not name.startswith("encoder.") or name.startswith(self._trained)

        return (Phase("all", trained),)

    def embeddings(self) -> Embeddings:
        """Of the trained parameters; the markers are those of entities."""
        markers = (MARKERS + 1) * self.encoder.pieces.width
        return Embeddings(trained_embeddings(self.encoder.model, self.config.trained) + markers, markers)

    def save(self, folder: Path) -> None:
        load.keep(self.encoder, folder / ENCODER)


def prepare(config: Config, training: Material) -> WholePassageLearner:
    """Load the encoder; nothing is counted in the training part."""
    return WholePassageLearner(config, load.load(config.encoder))


def restore(config: Config, folder: Path) -> WholePassageLearner:
    """From a run folder, which has all that is needed: the encoder's weights are among the reader's."""
    pieces, model = load.skeleton(folder / ENCODER)
    return WholePassageLearner(config, Encoder(config.encoder, pieces, model, ""))


def encode(viewed: Viewed, pieces: Pieces, counts: Counts, *, named: bool) -> Whole:
    """The instance as sequences. counts: gets what did not fit. named: a mention's words follow its marker."""
    hole: Place = (*viewed.placeholder, -1)
    question, asked = _marked(viewed.question, [*viewed.question_mentions, hole], pieces, named=named)
    most = pieces.limit - pieces.limit // SENTENCE_SHARE - 3
    counts.cut += len(question) > most
    question, asked = _cut(question, asked, most)
    passage, mentions = _marked(viewed.passage, viewed.mentions, pieces, named=named)
    room = pieces.limit - 3 - len(question)
    offset = len(question) + 2
    # One window holds all where the passage fits; else each mention is scored in one of them.
    chosen = [(0, list(range(len(mentions))))]
    if len(passage) > room:
        counts.windowed += 1
        chosen = windows([place for place, _ in mentions], len(passage), room) or [(0, [])]
    sequences: list[tuple[int, ...]] = []
    marks: list[tuple[tuple[int, int], ...]] = []
    places: list[tuple[int, int, int]] = []
    for left, numbers in chosen:
        part = passage[left : left + room]
        sequences.append((pieces.start, *question, pieces.separator, *part, pieces.separator))
        here = [(place - left + offset, owner) for place, owner in mentions if 0 <= place - left < len(part)]
        marks.append((*[(place + 1, owner) for place, owner in asked], *here))
        row = len(sequences) - 1
        places += [(row, mentions[number][0] - left + offset, mentions[number][1]) for number in numbers]
    answer = -1 if viewed.answer is None else viewed.answer
    candidates = len(viewed.candidates)
    return Whole(viewed.id, answer, candidates, tuple(sequences), tuple(marks), tuple(places))


def collate(examples: Sequence[Whole], padding: int) -> WholeBatch:
    """A batch of instances; a piece at a marker's place is not read."""
    rows = [sequence for example in examples for sequence in example.pieces]
    pieces, inside = run.padded(rows, padding)
    marks = np.zeros(tuple(pieces.shape), np.int64)
    hole = np.zeros(len(rows), np.int64)
    for row, own in enumerate(own for example in examples for own in example.marks):
        for place, owner in own:
            if owner < 0:
                marks[row, place], hole[row] = MARKERS + 1, place
            else:
                marks[row, place] = 1 + owner % MARKERS
    counts = [len(example.pieces) for example in examples]
    first = np.cumsum([0, *counts])
    most = max(1, *(len(example.places) for example in examples))
    candidates = np.array([example.candidates for example in examples])
    members = np.zeros((len(examples), int(candidates.max()), most), bool)
    found: list[tuple[int, int, int]] = []
    for number, example in enumerate(examples):
        for slot, (sequence, place, owner) in enumerate(example.places):
            members[number, owner, slot] = True
            found.append((int(first[number]) + sequence, place, number * most + slot))
    row, place, slot = np.array(found, np.int64).reshape(-1, 3).T.copy()
    return WholeBatch(
        torch.tensor([example.target for example in examples]),
        torch.from_numpy(np.arange(members.shape[1]) < candidates[:, None]),
        torch.from_numpy(members),
        pieces,
        inside,
        torch.from_numpy(marks),
        torch.from_numpy(np.repeat(np.arange(len(examples)), counts)),
        torch.from_numpy(hole),
        torch.from_numpy(row),
        torch.from_numpy(place),
        torch.from_numpy(slot),
    )


def _marked(
    text: str, mentions: Sequence[Place], pieces: Pieces, *, named: bool
) -> tuple[list[int], list[tuple[int, int]]]:
    """The text's pieces with a marker for each mention, and (place, candidate) of each marker."""
    ordered = sorted(mentions)
    bounds = [0, *(bound for start, end, _ in ordered for bound in (start, end)), len(text)]
    read = pieces.split([text[start:end] for start, end in itertools.pairwise(bounds)])
    ids: list[int] = list(read[0].ids)
    places: list[tuple[int, int]] = []
    for number, (_, _, owner) in enumerate(ordered):
        places.append((len(ids), owner))
        ids.append(pieces.mask)
        if named and owner >= 0:
            ids += read[2 * number + 1].ids
        ids += read[2 * number + 2].ids
    return ids, places


def _cut(ids: list[int], places: list[tuple[int, int]], most: int) -> tuple[list[int], list[tuple[int, int]]]:
    """At most so many pieces around the placeholder's."""
    if len(ids) <= most:
        return ids, places
    hole = next(place for place, owner in places if owner < 0)
    left = max(0, min(hole - most // 2, len(ids) - most))
    kept = [(place - left, owner) for place, owner in places if 0 <= place - left < most]
    return ids[left : left + most], kept


def _mean_by(group: Tensor, vectors: Tensor, groups: int) -> Tensor:
    """float [groups, w]: the mean of the vectors [s, w] of each group [s]."""
    one = nn.functional.one_hot(group, groups).to(vectors.dtype)  # [s, groups]
    return (one.T @ vectors) / one.sum(0)[:, None]
