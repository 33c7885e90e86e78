"""Run an encoder over sequences of pieces: padded, masked, in batches of like length.

The attention mask hides padding, so a sequence's vectors do not depend on its batch. Rounding depends on the padded
length, strongly in bfloat16; so on a CPU we make the padded length a function of the sequence alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from anagnosis.array_types import Floats32
from anagnosis.encoders.cpu import precision
from anagnosis.encoders.load import Encoder
from anagnosis.encoders.pairs import Pair, batches

# Padded pieces a batch. A CPU is slower above, since its caches overflow; a GPU is idle below.
CPU_BUDGET = 2_048
GPU_BUDGET = 65_536
# On a CPU we pad sequences to the next multiple of this, and batch those of the same length.
STEP = 4


def budget(device: torch.device) -> int:
    """The best number of padded pieces a batch for this device."""
    return CPU_BUDGET if device.type == "cpu" else GPU_BUDGET


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
    tokens = budget(device)
    if device.type != "cpu":
        return [(batch, max(lengths[number] for number in batch)) for batch in batches(lengths, tokens)]
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


def hidden(model: nn.Module, pieces: Tensor, inside: Tensor, second: Tensor | None = None) -> Tensor:
    """The top layer's vectors, float [sequences, longest, width]. second: the first place of token type 1 in each."""
    types: dict[str, Tensor] = {}
    if second is not None:
        places = torch.arange(pieces.shape[1], device=pieces.device)
        types["token_type_ids"] = (places >= second[:, None]).long()
    return model(input_ids=pieces, attention_mask=inside.long(), **types).last_hidden_state


def chosen_vectors(
    encoder: Encoder,
    pairs: Sequence[Pair],
    *,
    typed: bool,
    device: torch.device,
    wanted: str,
) -> Iterator[tuple[list[int], Floats32]]:
    """(numbers of pairs, their vectors): for each pair [MASK]'s, then its mentions', float32 [vectors, width].

    No gradients. The encoder must be on the device.
    """
    lengths = [len(pair.pieces) for pair in pairs]
    with torch.inference_mode(), mixed(wanted, device):
        for numbers, length in groups(lengths, encoder.pieces.limit, device):
            batch = [pairs[number] for number in numbers]
            pieces, inside = padded([pair.pieces for pair in batch], encoder.pieces.padding, length)
            second = torch.tensor([pair.second for pair in batch]).to(device) if typed else None
            rows = [row for row, pair in enumerate(batch) for _ in range(1 + len(pair.places))]
            places = [place for pair in batch for place in (pair.mask, *pair.places)]
            top = hidden(encoder.model, pieces.to(device), inside.to(device), second)
            vectors = top[torch.tensor(rows).to(device), torch.tensor(places).to(device)]
            yield numbers, vectors.float().cpu().numpy()
