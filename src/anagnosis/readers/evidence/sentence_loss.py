"""Output and loss of readers of sentences, from a logit for each sentence; grouping of sentences by document.

Shapes: n instances, s sentences of all of them, one after the other; k of the longest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn

from anagnosis.datasets.kinds.evidence import EvidenceInstance, SourceSentence
from anagnosis.readers.learning import Output, TensorBatch

LOSS = "sentence"


def read_together(instance: EvidenceInstance) -> list[list[SourceSentence]]:
    """The sentences that are read together: those of one document.

    A document without a title is known only by excerpts, whose number and order depend on who chose them, not on the
    document; so each of its sentences is a separate group.
    """
    return [
        group
        for document in instance.documents()
        for group in ([document] if document[0].title else [[sentence] for sentence in document])
    ]


def labels(instance: EvidenceInstance) -> tuple[int, ...]:
    """The label of each sentence: 1 gold, 0 not, -1 unknown."""
    return tuple(-1 if sentence.held is None else int(sentence.held) for sentence in instance.sentences)


@dataclass(frozen=True, slots=True)
class Rows(TensorBatch):
    """The instance of each sentence. instance, place: int64 [s]; gold: int64 [s], from `labels`; target: int64 [n];
    longest: [k], of which only the length matters."""

    instance: Tensor
    place: Tensor
    gold: Tensor
    target: Tensor
    longest: Tensor


def rows(gold: Sequence[Sequence[int]], targets: Sequence[int]) -> Rows:
    """The rows of some examples. gold: from `labels`, for each."""
    counts = [len(row) for row in gold]
    return Rows(
        torch.from_numpy(np.repeat(np.arange(len(gold)), counts)),
        torch.from_numpy(np.concatenate([np.arange(count) for count in counts])),
        torch.tensor([label for row in gold for label in row]),
        torch.tensor(targets),
        torch.empty(max(counts, default=0)),
    )


def summed_output(logits: Tensor, rows: Rows) -> Output:
    """The output with the sum of the cross-entropies of an instance's labelled sentences. logits: float [s]."""
    shape = len(rows.target), len(rows.longest)
    each = nn.functional.binary_cross_entropy_with_logits(
        logits, rows.gold.clamp(min=0).to(logits.dtype), reduction="none"
    )
    known = (rows.gold >= 0).to(logits.dtype)
    zeros = logits.new_zeros(shape[0])
    loss = zeros.index_add(0, rows.instance, each * known)
    # An instance without a gold sentence has no loss; evaluation leaves it out too.
    counted = (rows.target >= 0).to(logits.dtype)
    log_probabilities = logits.new_full(shape, -torch.inf)
    right = torch.zeros(shape, dtype=torch.bool, device=logits.device)
    at = rows.instance, rows.place
    return Output(
        log_probabilities.index_put(at, nn.functional.logsigmoid(logits)),
        {LOSS: loss * counted},
        right.index_put(at, rows.gold == 1),
    )
