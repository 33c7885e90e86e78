"""Scores of mentions beside [MASK], and candidates' scores from them (BIOMRC, section 3.1; the thesis, 3.4).

    e, m   vectors of a mention and of the [MASK] of the same sequence, float [mentions, width]
    score  W2 ReLU(W1 [e; m] + b1) + b2

A candidate's score is the largest of its mentions' scores, or their sum.

A frozen encoder gives KeptInstance, which name kept vectors; a trained one reads the pairs of MentionPairs. Both become
a MentionBatch, with the vectors of each pair in order: first [MASK]'s, then its mentions'. Shapes. n: instances, k:
candidates, p: mentions of the instance with most, v: vectors from the encoder (one for each pair's [MASK], one for each
mention), h: their width.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
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

    def forward(self, vectors: Tensor, mention: Tensor, mask: Tensor) -> Tensor:
        """Scores, float [mentions], in the head's precision. mention, mask: int64 [mentions], places in vectors."""
        weight = self.outer.weight
        if not len(mention):
            return weight.new_zeros(0)
        vectors = vectors.to(weight.dtype)
        # The head is cheap, so it needs no half precision.
        with torch.autocast(weight.device.type, enabled=False):
            both = torch.cat((vectors[mention], vectors[mask]), -1)
            return self.outer(torch.relu(self.inner(both))).squeeze(-1)


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


class MentionPairs(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The pairs of an instance, for a trained encoder."""

    id: str
    target: int
    candidates: int
    pairs: tuple[Pair, ...]

    @property
    def size(self) -> int:
        """The number of word pieces."""
        return max(1, sum(len(pair.pieces) for pair in self.pairs))

    @property
    def owners(self) -> list[int]:
        """The candidate of each mention, pair by pair."""
        return [owner for pair in self.pairs for owner in pair.owners]


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
    chunks: tuple[run.Chunk, ...] = ()


def of_kept(examples: Sequence[KeptInstance], kept: KeptVectors) -> MentionBatch:
    """The batch of a frozen encoder's examples."""
    sizes = np.array([size for example in examples for size in example.sizes], np.int64)
    vectors = torch.from_numpy(np.concatenate(kept.vectors(examples)))
    return _mention_batch(examples, *vector_places(np.cumsum(sizes) - sizes, sizes), vectors=vectors)


def of_pairs(examples: Sequence[MentionPairs], pieces: Pieces, device: torch.device) -> MentionBatch:
    """The batch of a trained encoder's examples. pieces: its tokenizer. device: of the encoder."""
    chunks, *places = chunked([pair for example in examples for pair in example.pairs], pieces, device)
    return _mention_batch(examples, *places, chunks=chunks)


def chunked(
    pairs: Sequence[Pair], pieces: Pieces, device: torch.device
) -> tuple[tuple[run.Chunk, ...], Tensor, Tensor]:
    """The pairs as chunks, and `vector_places` in the vectors that the encoder gives of them."""
    groups = list(run.chunks(pairs, pieces, device))
    sizes = np.array([1 + len(pair.places) for pair in pairs], np.int64)
    order = np.array([number for numbers, _ in groups for number in numbers], np.int64)
    starts = np.empty(len(pairs), np.int64)
    starts[order] = np.cumsum(sizes[order]) - sizes[order]
    return tuple([chunk for _, chunk in groups]), *vector_places(starts, sizes)


def vector_places(starts: Longs, sizes: Longs) -> tuple[Tensor, Tensor]:
    """The vectors of each mention and of its [MASK]: int64 [mentions].

    starts, sizes: the first of each pair's vectors, which is [MASK]'s, and their number.
    """
    mask = np.repeat(starts, sizes - 1)
    return torch.from_numpy(mask + 1 + _counted(sizes - 1)), torch.from_numpy(mask)


def chunk_vectors(encoder: Any, chunks: Sequence[run.Chunk]) -> Tensor:
    """The vectors of [MASK]s and mentions, float [v, h]."""
    tops = [run.chosen_vectors(encoder, chunk) for chunk in chunks]
    return torch.cat(tops) if tops else next(encoder.parameters()).new_zeros(0, 1)


def _mention_batch(
    examples: Sequence[KeptInstance | MentionPairs],
    mention: Tensor,
    mask: Tensor,
    vectors: Tensor | None = None,
    chunks: tuple[run.Chunk, ...] = (),
) -> MentionBatch:
    owners = [example.owners for example in examples]
    numbers = np.array([*map(len, owners)], np.int64)
    instance, place = np.repeat(np.arange(len(examples)), numbers), _counted(numbers)
    candidates = np.array([example.candidates for example in examples])
    most = int(numbers.max(initial=1))
    members = np.zeros((len(examples), int(candidates.max(initial=1)), most), bool)
    members[instance, np.fromiter(chain.from_iterable(owners), np.int64), place] = True
    return MentionBatch(
        torch.tensor([example.target for example in examples]),
        torch.from_numpy(np.arange(members.shape[1]) < candidates[:, None]),
        torch.from_numpy(members),
        torch.from_numpy(instance * most + place),
        mention,
        mask,
        vectors,
        chunks,
    )


def _counted(sizes: Longs) -> Longs:
    """0, 1 … within each group of these sizes."""
    return np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
