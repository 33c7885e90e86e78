"""Scores of mentions beside [MASK], and candidates' scores from them (BIOMRC, section 3.1; the thesis, 3.4).

    e, m   vectors of a mention and of the [MASK] of the same sequence, float [mentions, width]
    score  W2 ReLU(W1 [e; m] + b1) + b2

A candidate's score is the largest of its mentions' scores, or their sum.

A frozen encoder gives KeptInstance, which name kept vectors; a trained one reads Sequences. Both become a MentionBatch,
with the vectors of each pair in order: first [MASK]'s, then its mentions'. Shapes. n: instances, k: candidates, p:
mentions of the instance with most, v: vectors from the encoder (one for each pair's [MASK], one for each mention), h:
their width.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
import numpy as np
import torch
from torch import Tensor, nn

from anagnosis.array_types import Longs
from anagnosis.encoders import run
from anagnosis.encoders.kept_vectors import KeptInstance, KeptVectors
from anagnosis.encoders.load import Pieces
from anagnosis.encoders.pairs import Pair
from anagnosis.readers.learning import TensorBatch
from anagnosis.readers.recurrent.attention import FLOOR, masked_log_softmax


class Mlp(nn.Module):
    """With width 768 and 100 hidden units it has 153,801 parameters."""

    def __init__(self, width: int, hidden: int) -> None:
        super().__init__()
        self.inner = nn.Linear(2 * width, hidden)
        self.outer = nn.Linear(hidden, 1)

    def forward(self, mentions: Tensor, masks: Tensor) -> Tensor:
        """float [mentions] from two float [mentions, width]."""
        return self.outer(torch.relu(self.inner(torch.cat((mentions, masks), -1)))).squeeze(-1)


def candidate_scores(scores: Tensor, members: Tensor, aggregation: str) -> Tensor:
    """float [batch, candidates]: maximum or sum of the scores of a candidate's mentions; -inf without a mention.

    scores: float [batch, mentions]. members: bool [batch, candidates, mentions], the candidate of each mention.
    """
    spread = scores[:, None, :].expand(members.shape)
    if aggregation == "max":
        empty = spread.new_full((*members.shape[:2], 1), -torch.inf)
        return torch.cat((spread.masked_fill(~members, -torch.inf), empty), -1).amax(-1)
    return spread.masked_fill(~members, 0).sum(-1).masked_fill(~members.any(-1), -torch.inf)


def log_probabilities(scores: Tensor) -> Tensor:
    """The log-softmax over mentioned candidates; FLOOR for all others, including padding."""
    mentioned = scores > -torch.inf
    return masked_log_softmax(scores, mentioned).masked_fill(~mentioned, FLOOR)


def losses(scores: Tensor, target: Tensor, *, first_for_unmentioned: bool) -> Tensor:
    """Cross-entropy of each instance, float [batch]; 0 if the answer is never mentioned.

    target: int64 [batch], -1 for none. first_for_unmentioned: replace an unmentioned answer by the first mentioned
    candidate, as BIOMRC's program does.
    """
    mentioned = scores > -torch.inf
    place = target.clamp(min=0)[:, None]
    known = mentioned.gather(1, place).squeeze(1) & (target >= 0)
    if first_for_unmentioned:
        first = mentioned.int().argmax(-1, keepdim=True)
        place = torch.where(known[:, None], place, first)
        known = mentioned.any(-1) & (target >= 0)
    loss = -log_probabilities(scores).gather(1, place).squeeze(1)
    return torch.where(known, loss, torch.zeros_like(loss))


class MentionSequences(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The pairs of an instance, for a trained encoder. owners: the candidate of each mention, pair by pair."""

    id: str
    target: int
    candidates: int
    pieces: tuple[tuple[int, ...], ...]
    mask: tuple[int, ...]
    second: tuple[int, ...]
    places: tuple[tuple[int, ...], ...]
    owners: tuple[int, ...]

    @property
    def size(self) -> int:
        """The number of word pieces."""
        return max(1, sum(map(len, self.pieces)))


@dataclass(frozen=True, slots=True)
class Chunk(TensorBatch):
    """Pairs of like length. pieces, inside: int64 and bool [pairs, pieces]; second: int64 [pairs];
    row, place: int64 [vectors], the positions of the vectors to take."""

    pieces: Tensor
    inside: Tensor
    second: Tensor
    row: Tensor
    place: Tensor


@dataclass(frozen=True, slots=True)
class MentionBatch(TensorBatch):
    """Some instances.

    target: int64 [n], -1 for none. real: bool [n, k], no padding. members: bool [n, k, p], the candidate of a mention.
    slot: int64 [mentions], the place of each in the flattened [n, p]. mention, mask: int64 [mentions], the vectors of
    each and of its [MASK]. vectors: float16 [v, h], or chunks from which the encoder computes them.
    """

    target: Tensor
    real: Tensor
    members: Tensor
    slot: Tensor
    mention: Tensor
    mask: Tensor
    vectors: Tensor | None = None
    chunks: tuple[Chunk, ...] = ()


def of_kept(examples: Sequence[KeptInstance], kept: KeptVectors) -> MentionBatch:
    """The batch of a frozen encoder's examples."""
    sizes = _numbers(example.sizes for example in examples)
    vectors = torch.from_numpy(np.concatenate(kept.vectors(examples)))
    return _mention_batch(examples, np.cumsum(sizes) - sizes, sizes, vectors=vectors)


def of_sequences(examples: Sequence[MentionSequences], pieces: Pieces, device: torch.device) -> MentionBatch:
    """The batch of a trained encoder's examples. pieces: its tokenizer. device: of the encoder."""
    pairs = [
        Pair(each, mask, second, places, ())
        for example in examples
        for each, mask, second, places in zip(
            example.pieces, example.mask, example.second, example.places, strict=True
        )
    ]
    groups = run.groups([len(pair.pieces) for pair in pairs], pieces.limit, device)
    sizes = np.array([1 + len(pair.places) for pair in pairs], np.int64)
    # The chunks' vectors are in the order of the groups.
    order = np.array([number for group, _ in groups for number in group], np.int64)
    starts = np.empty(len(pairs), np.int64)
    starts[order] = np.cumsum(sizes[order]) - sizes[order]
    chunks = tuple([_chunk([pairs[n] for n in group], pieces.padding, length) for group, length in groups])
    return _mention_batch(examples, starts, sizes, chunks=chunks)


def chunk_vectors(encoder: Any, batch: MentionBatch, *, typed: bool = False) -> Tensor:
    """The vectors of [MASK]s and mentions, float [v, h]. typed: token type 1 for the question."""
    tops = [
        run.hidden(encoder, c.pieces, c.inside, c.second if typed else None)[c.row, c.place]
        for c in batch.chunks
    ]
    width = encoder.get_input_embeddings().weight.shape[1]
    return torch.cat(tops) if tops else next(encoder.parameters()).new_zeros(0, width)


def sequences(id: str, target: int, candidates: int, pairs: list[Pair]) -> MentionSequences:
    """The example of an instance."""
    return MentionSequences(
        id,
        target,
        candidates,
        tuple([pair.pieces for pair in pairs]),
        tuple([pair.mask for pair in pairs]),
        tuple([pair.second for pair in pairs]),
        tuple([pair.places for pair in pairs]),
        tuple([owner for pair in pairs for owner in pair.owners]),
    )


def _chunk(pairs: list[Pair], padding: int, length: int) -> Chunk:
    pieces, inside = run.padded([pair.pieces for pair in pairs], padding, length)
    return Chunk(
        pieces,
        inside,
        torch.tensor([pair.second for pair in pairs]),
        torch.tensor([row for row, pair in enumerate(pairs) for _ in range(1 + len(pair.places))]),
        torch.tensor([place for pair in pairs for place in (pair.mask, *pair.places)]),
    )


def _mention_batch(
    examples: Sequence[KeptInstance | MentionSequences],
    starts: Longs,
    sizes: Longs,
    *,
    vectors: Tensor | None = None,
    chunks: tuple[Chunk, ...] = (),
) -> MentionBatch:
    """The batch. starts, sizes: the first of each pair's vectors, which is [MASK]'s, and their number."""
    mentions = sizes - 1
    mask = np.repeat(starts, mentions)
    mention = mask + 1 + _counted(mentions)
    numbers = np.array([len(example.owners) for example in examples], np.int64)
    instance, place = np.repeat(np.arange(len(examples)), numbers), _counted(numbers)
    candidates = np.array([example.candidates for example in examples])
    most = int(numbers.max(initial=1))
    members = np.zeros((len(examples), int(candidates.max(initial=1)), most), bool)
    members[instance, _numbers(example.owners for example in examples), place] = True
    return MentionBatch(
        torch.tensor([example.target for example in examples]),
        torch.from_numpy(np.arange(members.shape[1]) < candidates[:, None]),
        torch.from_numpy(members),
        torch.from_numpy(instance * most + place),
        torch.from_numpy(mention),
        torch.from_numpy(mask),
        vectors,
        chunks,
    )


def _numbers(groups: Iterable[Iterable[int]]) -> Longs:
    return np.array([number for group in groups for number in group], np.int64)


def _counted(sizes: Longs) -> Longs:
    """0, 1 … within each group of these sizes."""
    return np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
