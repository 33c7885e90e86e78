"""Encoded instances, and batches of them.

passage [B, T], question [B, Q]   int64 ids, padded with 0 at the end; T and Q are at least 1
members [B, K, T]                 bool: the token belongs to a mention of the candidate
candidates [B, K]                 bool: a real candidate; K is at least 1
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
import numpy as np
import torch
from torch import Tensor

from anagnosis.array_types import Ints
from anagnosis.datasets.kinds.cloze_views import Viewed
from anagnosis.readers.learning import TensorBatch
from anagnosis.readers.recurrent.words import SPECIAL, Vocabulary, passage_tokens, question_tokens

Ids = Ints


class ClozeExample(msgspec.Struct, frozen=True, gc=False):
    """An encoded instance; numbers are bytes of little-endian int32.

    size: tokens of passage and question. target: index of the right candidate, -1 for none. passage, question: ids.
    places: pairs of token and candidate, ordered by token. placeholder: its index in the question. candidates: their
    number. labels: one number a candidate, for readers with labels.
    """

    id: str
    size: int
    target: int
    passage: bytes
    question: bytes
    places: bytes
    placeholder: int
    candidates: int
    labels: bytes = b""


def encode(viewed: Viewed, vocabulary: Vocabulary, labels: Sequence[int] = ()) -> ClozeExample:
    passage, places = passage_tokens(viewed, vocabulary.split)
    question, placeholder = question_tokens(viewed, vocabulary.split)
    return ClozeExample(
        id=viewed.id,
        size=len(passage) + len(question),
        target=-1 if viewed.answer is None else viewed.answer,
        passage=packed(vocabulary.ids(passage)),
        question=packed(vocabulary.ids(question)),
        places=packed(places),
        placeholder=placeholder,
        candidates=len(viewed.candidates),
        labels=packed(labels),
    )


def packed(numbers: Sequence[Any]) -> bytes:
    return np.asarray(numbers, "<i4").tobytes()


def _read(kept: bytes) -> Ids:
    return np.frombuffer(kept, "<i4")


@dataclass(frozen=True, slots=True)
class ClozeBatch(TensorBatch):
    """Examples, padded.

    lengths, question_lengths: int64 [B]. target: int64 [B], -1 for none. placeholder: int64 [B]. in_question: bool
    [B, T], the token (unless unknown) occurs in the question too. labels: int64 [B, K], 0 for none.
    """

    passage: Tensor
    lengths: Tensor
    question: Tensor
    question_lengths: Tensor
    members: Tensor
    candidates: Tensor
    target: Tensor
    placeholder: Tensor
    in_question: Tensor
    labels: Tensor


def collate(examples: Sequence[ClozeExample]) -> ClozeBatch:
    batch = len(examples)
    passages = [_read(example.passage) for example in examples]
    questions = [_read(example.question) for example in examples]
    lengths = np.array([len(row) for row in passages], np.int64)
    question_lengths = np.array([len(row) for row in questions], np.int64)
    counts = np.array([example.candidates for example in examples], np.int64)
    longest = max(1, lengths.max(initial=0))
    widest = max(1, counts.max(initial=0))
    passage = np.zeros((batch, longest), np.int64)
    question = np.zeros((batch, max(1, question_lengths.max(initial=0))), np.int64)
    members = np.zeros((batch, widest, longest), np.bool_)
    in_question = np.zeros((batch, longest), np.bool_)
    labels = np.zeros((batch, widest), np.int64)
    for row, example in enumerate(examples):
        passage_ids, question_ids = passages[row], questions[row]
        passage[row, : len(passage_ids)] = passage_ids
        question[row, : len(question_ids)] = question_ids
        token, candidate = _read(example.places).reshape(-1, 2).T
        members[row, candidate, token] = True
        in_question[row, : len(passage_ids)] = np.isin(passage_ids, question_ids[question_ids >= SPECIAL])
        known = _read(example.labels)
        labels[row, : len(known)] = known
    return ClozeBatch(
        passage=torch.from_numpy(passage),
        lengths=torch.from_numpy(lengths),
        question=torch.from_numpy(question),
        question_lengths=torch.from_numpy(question_lengths),
        members=torch.from_numpy(members),
        candidates=torch.from_numpy(np.arange(widest) < counts[:, None]),
        target=torch.tensor([example.target for example in examples], dtype=torch.int64),
        placeholder=torch.tensor([example.placeholder for example in examples], dtype=torch.int64),
        in_question=torch.from_numpy(in_question),
        labels=torch.from_numpy(labels),
    )
