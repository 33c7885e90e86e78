"""From a logit of each sentence to what the loop wants; and which sentences are read as those of one document.

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
    """The sentences by document.

    One without a title is known by excerpts alone, whose number and order tell what somebody took from it, and not how
    it was written: its sentences are read each by itself.
    """
    return [
        own
        for document in instance.documents()
        for own in ([document] if document[0].title else [[sentence] for sentence in document])
    ]


def labels(instance: EvidenceInstance) -> tuple[int, ...]:
    """Of each sentence: 1 held, 0 not, -1 where nobody has said."""
    return tuple(-1 if one.held is None else int(one.held) for one in instance.sentences)


@dataclass(frozen=True, slots=True)
class Rows(TensorBatch):
    """Which sentence is whose. instance, place: int64 [s]; held: int64 [s], as `labels` gives it; target: int64 [n];
    longest: [k], empty but for its length."""

    instance: Tensor
    place: Tensor
    held: Tensor
    target: Tensor
    longest: Tensor


def rows(held: Sequence[Sequence[int]], targets: Sequence[int]) -> Rows:
    """Of some examples. held: as `labels` gives it, of each."""
    counts = [len(own) for own in held]
    return Rows(
        torch.from_numpy(np.repeat(np.arange(len(held)), counts)),
        torch.from_numpy(np.concatenate([np.arange(count) for count in counts])),
        torch.tensor([label for own in held for label in own]),
        torch.tensor(targets),
        torch.empty(max(counts, default=0)),
    )


def sentence_output(logits: Tensor, rows: Rows) -> Output:
    """logits: float [s]. The loss is the binary cross-entropy, a mean over the instance's sentences with a label."""
    logits = logits.float() if logits.dtype == torch.bfloat16 else logits
    shape = len(rows.target), len(rows.longest)
    each = nn.functional.binary_cross_entropy_with_logits(
        logits, rows.held.clamp(min=0).to(logits.dtype), reduction="none"
    )
    known = (rows.held >= 0).to(logits.dtype)
    zeros = logits.new_zeros(shape[0])
    loss = zeros.index_add(0, rows.instance, each * known)
    counts = zeros.index_add(0, rows.instance, known).clamp(min=1)
    # An instance where nothing is held teaches nothing, as it is not asked about when the reader is judged either.
    taught = (rows.target >= 0).to(logits.dtype)
    found = logits.new_full(shape, -torch.inf)
    right = torch.zeros(shape, dtype=torch.bool, device=logits.device)
    at = rows.instance, rows.place
    return Output(
        found.index_put(at, nn.functional.logsigmoid(logits)),
        {LOSS: loss / counts * taught},
        right.index_put(at, rows.held == 1),
    )
