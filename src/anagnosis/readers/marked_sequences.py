"""Input of the whole-passage reader: [CLS] question [SEP] passage [SEP] with a marker for each mention.

A marker takes the place of one word piece and has a vector of the reader. An instance over the encoder's limit becomes
several such sequences: windows of the passage, each with the question.

Shapes: n instances, s sequences, l pieces of the longest, v mentions in all, p mentions of the instance with most,
k candidates.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import msgspec
import numpy as np
import torch
from torch import Tensor

from anagnosis.datasets.kinds.cloze_instance import words_of_token
from anagnosis.datasets.kinds.cloze_views import MentionPlace, Viewed
from anagnosis.encoders import run
from anagnosis.encoders.load import Pieces
from anagnosis.encoders.pairs import SENTENCE_SHARE, windows
from anagnosis.progress import TextCounts
from anagnosis.readers.learning import TensorBatch

MARKERS = 64  # different markers; further candidates share them
WINDOWED = "passages over the encoder's limit were read in windows"
CUT = "questions over the encoder's limit were cut around XXXX"


class MarkedSequences(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """An instance as sequences of word pieces, several for a long passage.

    marks: for each sequence the (place, marker) of every marker in it, -1 for the placeholder's.
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
        """The number of word pieces."""
        return sum(map(len, self.pieces))


@dataclass(frozen=True, slots=True)
class MarkedBatch(TensorBatch):
    """target: int64 [n]. real: bool [n, k], no padding. members: bool [n, k, p], the candidate of each mention.

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


def encode(viewed: Viewed, pieces: Pieces, counts: TextCounts, *, named: bool) -> MarkedSequences:
    """The instance as sequences. counts: updated for long texts. named: a mention's words follow its marker."""
    hole: MentionPlace = (*viewed.placeholder, -1)
    question, of_question = _marked(viewed.question, [*viewed.question_mentions, hole], pieces, named=named)
    most = pieces.limit - pieces.limit // SENTENCE_SHARE - 3
    counts[CUT] += len(question) > most
    question, of_question = _cut(question, of_question, most)
    passage, mentions = _marked(viewed.passage, viewed.mentions, pieces, named=named)
    room = pieces.limit - 3 - len(question)
    offset = len(question) + 2
    # One window if the passage fits; else several, and each mention is scored in one of them.
    chosen = [(0, list(range(len(mentions))))]
    if len(passage) > room:
        counts[WINDOWED] += 1
        chosen = windows([place for place, _ in mentions], len(passage), room) or [(0, [])]
    sequences: list[tuple[int, ...]] = []
    marks: list[tuple[tuple[int, int], ...]] = []
    places: list[tuple[int, int, int]] = []
    for left, numbers in chosen:
        part = passage[left : left + room]
        sequences.append((pieces.start, *question, pieces.separator, *part, pieces.separator))
        here = [(place - left + offset, owner) for place, owner in mentions if 0 <= place - left < len(part)]
        marks.append((*[(place + 1, owner) for place, owner in of_question], *here))
        row = len(sequences) - 1
        places += [(row, mentions[number][0] - left + offset, mentions[number][1]) for number in numbers]
    answer = -1 if viewed.answer is None else viewed.answer
    candidates = len(viewed.candidates)
    return MarkedSequences(viewed.id, answer, candidates, tuple(sequences), tuple(marks), tuple(places))


def collate(examples: Sequence[MarkedSequences], padding: int) -> MarkedBatch:
    """A batch of instances; the reader ignores the word piece at a marker's place."""
    rows = [sequence for example in examples for sequence in example.pieces]
    pieces, inside = run.padded(rows, padding)
    marks = np.zeros(tuple(pieces.shape), np.int64)
    hole = np.zeros(len(rows), np.int64)
    for row, markers in enumerate(markers for example in examples for markers in example.marks):
        for place, owner in markers:
            if owner < 0:
                marks[row, place], hole[row] = MARKERS + 1, place
            else:
                marks[row, place] = 1 + owner % MARKERS
    counts = [len(example.pieces) for example in examples]
    first = np.cumsum([0, *counts])
    most = max(1, *(len(example.places) for example in examples))
    candidates = np.array([example.candidates for example in examples])
    members = np.zeros((len(examples), int(candidates.max()), most), bool)
    mentions: list[tuple[int, int, int]] = []
    for number, example in enumerate(examples):
        for slot, (sequence, place, owner) in enumerate(example.places):
            members[number, owner, slot] = True
            mentions.append((int(first[number]) + sequence, place, number * most + slot))
    row, place, slot = np.array(mentions, np.int64).reshape(-1, 3).T.copy()
    return MarkedBatch(
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
    text: str, mentions: Sequence[MentionPlace], pieces: Pieces, *, named: bool
) -> tuple[list[int], list[tuple[int, int]]]:
    """The text's word pieces with a marker for each mention, and (place, candidate) of each marker."""
    ordered = sorted(mentions)
    bounds = [0, *(bound for start, end, _ in ordered for bound in (start, end)), len(text)]
    read = pieces.split([words_of_token(text[start:end]) for start, end in itertools.pairwise(bounds)])
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
    """At most `most` word pieces around the placeholder."""
    if len(ids) <= most:
        return ids, places
    hole = next(place for place, owner in places if owner < 0)
    left = max(0, min(hole - most // 2, len(ids) - most))
    kept = [(place - left, owner) for place, owner in places if 0 <= place - left < most]
    return ids[left : left + most], kept
