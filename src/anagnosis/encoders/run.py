"""Run an encoder over sequences of pieces: padded, masked, in batches of like length.

The attention mask hides padding, so a sequence's vectors do not depend on its batch. Rounding depends on the padded
length, strongly in bfloat16; so we make the padded length a function of the sequence alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from anagnosis.encoders.cpu import precision
from anagnosis.encoders.load import Pieces
from anagnosis.encoders.pairs import Pair

# Padded pieces a batch. A CPU is slower above, since its caches overflow; a GPU is idle below.
CPU_BUDGET = 2_048
GPU_BUDGET = 65_536
# We pad sequences to the next multiple of this, and batch those of the same length; a GPU is idle with small batches.
STEP = 4
GPU_STEP = 32
# pieces, inside: int64 and bool [pairs, pieces]; row, place: int64 [vectors], the positions of the vectors to take.
Chunk = tuple[Tensor, Tensor, Tensor, Tensor]


def mixed(wanted: str, device: torch.device) -> AbstractContextManager[Any]:
    """A context in which matrices are multiplied in that precision."""
    half = precision(wanted, device) == "bfloat16"
    return torch.autocast(device.type, dtype=torch.bfloat16, enabled=half)


def groups(
    lengths: Sequence[int], limit: int, device: torch.device, step: int = STEP
) -> list[tuple[list[int], int]]:
    """(numbers of sequences, padded length) of each batch.

    limit: of the encoder. step: on a CPU, of which padded lengths are multiples.
    """
    tokens, step = (CPU_BUDGET, step) if device.type == "cpu" else (GPU_BUDGET, GPU_STEP)
    by_length: dict[int, list[int]] = {}
    for number, length in enumerate(lengths):
        by_length.setdefault(min(limit, -(-length // step) * step), []).append(number)
    return [
        (numbers[at : at + count], length)
        for length, numbers in sorted(by_length.items())
        for count in [max(1, tokens // length)]
        for at in range(0, len(numbers), count)
    ]


def padded(
    sequences: Sequence[Sequence[int]], padding: int, length: int | None = None
) -> tuple[Tensor, Tensor]:
    """(pieces, mask of no padding): int64 and bool [sequences, length]. length: by default of the longest."""
    lengths = np.array([len(sequence) for sequence in sequences])
    inside = np.arange(length or lengths.max(initial=1)) < lengths[:, None]
    pieces = np.full(inside.shape, padding, np.int64)
    if len(sequences):
        pieces[inside] = np.concatenate([np.asarray(sequence, np.int64) for sequence in sequences])
    return torch.from_numpy(pieces), torch.from_numpy(inside)


def hidden(model: nn.Module, pieces: Tensor, inside: Tensor, types: Tensor | None = None) -> Tensor:
    """The top layer's vectors, float [sequences, longest, width]. types: of the pieces, if the encoder has some."""
    given = {} if types is None else {"token_type_ids": types}
    return model(input_ids=pieces, attention_mask=inside.long(), **given).last_hidden_state


def chunks(pairs: Sequence[Pair], pieces: Pieces, device: torch.device) -> Iterator[tuple[list[int], Chunk]]:
    """(numbers of pairs, their chunk): pairs of like length."""
    for numbers, length in groups([len(pair.pieces) for pair in pairs], pieces.limit, device):
        batch = [pairs[number] for number in numbers]
        yield (
            numbers,
            (
                *padded([pair.pieces for pair in batch], pieces.padding, length),
                torch.tensor([row for row, pair in enumerate(batch) for _ in range(1 + len(pair.places))]),
                torch.tensor([place for pair in batch for place in (pair.mask, *pair.places)]),
            ),
        )


def chosen_vectors(model: nn.Module, chunk: Chunk) -> Tensor:
    """For each pair [MASK]'s, then its mentions' vectors, float [vectors, width]."""
    pieces, inside, row, place = chunk
    return hidden(model, pieces, inside)[row, place]
