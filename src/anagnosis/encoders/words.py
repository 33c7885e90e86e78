"""A contextual vector for each white-space token of passage and question: the thesis, 3.3.

The encoder replaces a recurrent reader's embeddings, or its embeddings and GRUs. A token has the vector of its first
sub-token; the token with the placeholder has that of [MASK]. Two ways of reading:

    cut         [CLS] passage [SEP] question [SEP], the passage cut at the encoder's limit; cut tokens have no vector
    sentences   [CLS] sentence [SEP] question [SEP] for every sentence; the question's vectors are averaged over them

Shapes. n: instances, t: tokens of the longest passage, q: of the longest question, s: sequences of all instances,
l: pieces of the longest of them, h: the encoder's width.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import msgspec
import numpy as np
import torch
from torch import Tensor, nn

from anagnosis.encoders import run
from anagnosis.encoders.load import Pieces
from anagnosis.encoders.pairs import first_piece, question_pieces
from anagnosis.language.sentences import splitter

if TYPE_CHECKING:
    from anagnosis.datasets.kinds.cloze_views import Viewed

Reading = Literal["cut", "sentences"]
NOWHERE = -1
_TOKEN = re.compile(r"\S+")


class WordPieces(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """An instance's sequences, and the places of its tokens.

    sequences: word pieces of each. second: the question's first place in each. passage: for each token its sequence and
    place, (-1, -1) if it was cut. question: for each token its place behind `second`, -1 if it was cut. mentions:
    (token, candidate), ordered. placeholder: the question's token with the placeholder.
    """

    sequences: tuple[tuple[int, ...], ...]
    second: tuple[int, ...]
    passage: tuple[tuple[int, int], ...]
    question: tuple[int, ...]
    mentions: tuple[tuple[int, int], ...]
    placeholder: int

    @property
    def size(self) -> int:
        """The number of word pieces."""
        return sum(map(len, self.sequences))


@dataclass(frozen=True, slots=True)
class WordBatch:
    """Some instances. pieces, inside: int64 and bool [s, l]. second: int64 [s].

    passage: int64 [n, t], places in the flattened [s, l]; passage_mask: bool [n, t], tokens with a vector.
    question: int64 [s, q], places in each sequence; question_mask: bool [s, q], tokens with a vector.
    share: float [n, s], 1 over the number of the instance's sequences, 0 for those of others.
    """

    pieces: Tensor
    inside: Tensor
    second: Tensor
    passage: Tensor
    passage_mask: Tensor
    question: Tensor
    question_mask: Tensor
    share: Tensor

    def to(self, device: Any) -> WordBatch:
        return WordBatch(*[getattr(self, field.name).to(device) for field in fields(self)])


class ContextualVectors(NamedTuple):
    """passage: float [n, t, h]; question: float [n, q, h]; 0 without a vector. passage_mask: bool [n, t];
    question_mask: bool [n, q]."""

    passage: Tensor
    question: Tensor
    passage_mask: Tensor
    question_mask: Tensor


class WordVectors(nn.Module):
    """The encoder as a module; the loop decides whether to train it. typed: token type 1 for the question."""

    def __init__(self, encoder: nn.Module, *, typed: bool = False) -> None:
        super().__init__()
        self.encoder = encoder
        self.typed = typed

    def forward(self, batch: WordBatch) -> ContextualVectors:
        top = run.hidden(self.encoder, batch.pieces, batch.inside, batch.second if self.typed else None)
        passage = top.flatten(0, 1)[batch.passage] * batch.passage_mask[..., None]
        places = batch.question[..., None].expand(-1, -1, top.shape[2])
        each = top.gather(1, places) * batch.question_mask[..., None]  # [s, q, h]
        question = torch.einsum("ns,sqh->nqh", batch.share.to(each.dtype), each)
        question_mask = (batch.share > 0).float() @ batch.question_mask.float() > 0
        return ContextualVectors(passage, question, batch.passage_mask, question_mask)


def word_pieces(
    viewed: Viewed, pieces: Pieces, *, reading: Reading = "sentences", sentences: str = "nupunkt"
) -> WordPieces:
    """The word pieces of an instance. sentences: the splitter's name; reading by sentences cuts no token."""
    question_ids, hole, question = _question(viewed, pieces)
    room = pieces.limit - 3 - len(question_ids)
    tokens = [match.span() for match in _TOKEN.finditer(viewed.passage)]
    entire = [(0, len(viewed.passage))]
    spans = entire if reading == "cut" else (splitter(sentences)(viewed.passage) or entire)
    # A token that crosses the boundary of two sentences belongs to the first.
    starts = [start for start, _ in spans]
    places: list[tuple[int, int]] = []
    sequences: list[tuple[int, ...]] = []
    second: list[int] = []
    tail = (pieces.separator, *question_ids, pieces.separator)

    def close(ids: list[int]) -> None:
        sequences.append((pieces.start, *ids, *tail))
        second.append(len(ids) + 2)

    at = 0
    for number, encoding in enumerate(pieces.split([viewed.passage[start:end] for start, end in spans])):
        ids: list[int] = encoding.ids
        left = 0
        while at < len(tokens) and max(0, bisect_right(starts, tokens[at][0]) - 1) == number:
            begin, end = tokens[at]
            place = first_piece(encoding, begin - starts[number], end - starts[number])
            if place - left >= room:
                if reading == "cut":
                    break
                close(ids[left : min(place, left + room)])
                left = place
            places.append((len(sequences), 1 + place - left))
            at += 1
        close(ids[left : left + room])
    places += [(NOWHERE, NOWHERE)] * (len(tokens) - len(places))
    return WordPieces(
        tuple(sequences),
        tuple(second),
        tuple(places),
        question,
        tuple(_mentioned(tokens, viewed.mentions)),
        hole,
    )


def collate(examples: Sequence[WordPieces], padding: int) -> WordBatch:
    """The batch of some instances. padding: the id of [PAD]."""
    sequences = [pieces for example in examples for pieces in example.sequences]
    pieces, inside = run.padded(sequences, padding)
    length = pieces.shape[1]
    longest = max(1, *(len(example.passage) for example in examples))
    widest = max(1, *(len(example.question) for example in examples))
    passage = np.zeros((len(examples), longest), np.int64)
    passage_mask = np.zeros(passage.shape, np.bool_)
    question = np.zeros((len(sequences), widest), np.int64)
    question_mask = np.zeros(question.shape, np.bool_)
    share = np.zeros((len(examples), len(sequences)), np.float32)
    first = 0
    for row, example in enumerate(examples):
        rows = slice(first, first + len(example.sequences))
        places = np.array(example.passage, np.int64).reshape(-1, 2)
        known = places[:, 0] != NOWHERE
        passage[row, : len(places)] = np.where(known, (first + places[:, 0]) * length + places[:, 1], 0)
        passage_mask[row, : len(places)] = known
        words = np.array(example.question, np.int64)
        kept = words != NOWHERE
        question[rows, : len(words)] = np.where(kept, np.array(example.second)[:, None] + words, 0)
        question_mask[rows, : len(words)] = kept
        share[row, rows] = 1 / len(example.sequences)
        first = rows.stop
    second = torch.tensor([start for example in examples for start in example.second])
    arrays = (passage, passage_mask, question, question_mask, share)
    return WordBatch(pieces, inside, second, *map(torch.from_numpy, arrays))


def _question(viewed: Viewed, pieces: Pieces) -> tuple[list[int], int, tuple[int, ...]]:
    """The question's pieces, the token with the placeholder, and the place of each token among the pieces."""
    start, end = viewed.placeholder
    ids, mask, (before, after), dropped = question_pieces(viewed, pieces, closing=True)
    hole = 0
    places: list[int] = []
    for number, match in enumerate(_TOKEN.finditer(viewed.question)):
        first, last = match.span()
        if first < end and last > start:
            hole, place = number, mask
        elif first < start:
            place = first_piece(before, first, last) - dropped
        else:
            place = mask + 1 + first_piece(after, first - end, last - end)
        places.append(place if 0 <= place < len(ids) else NOWHERE)
    return ids, hole, tuple(places)


def _mentioned(
    tokens: list[tuple[int, int]], mentions: Sequence[tuple[int, int, int]]
) -> list[tuple[int, int]]:
    """(token, candidate) of every token that overlaps a mention."""
    starts = [start for start, _ in tokens]
    pairs: list[tuple[int, int]] = []
    for start, end, candidate in mentions:
        number = max(0, bisect_right(starts, start) - 1)
        while number < len(tokens) and tokens[number][0] < end:
            if tokens[number][1] > start:
                pairs.append((number, candidate))
            number += 1
    return pairs
