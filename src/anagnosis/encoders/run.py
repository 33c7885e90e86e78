"""Run an encoder over sequences of pieces: padded, masked, in batches of like length.

A padded place is read by nobody (attention mask), so a sequence's vectors do not depend on those beside it. Rounding
does depend on the padded length, and much in bfloat16; on a CPU it is therefore a function of the sequence alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from anagnosis.cpu import fast_bfloat16
from anagnosis.encoders.load import Encoder
from anagnosis.encoders.pairs import Pair, batches

# Padded pieces a batch. A CPU is slower above, its caches overflow; a GPU is idle below.
CPU_BUDGET = 2_048
GPU_BUDGET = 65_536
# On a CPU sequences are padded to the next multiple of this, and read with those of the same length.
STEP = 4


def budget(device: torch.device) -> int:
    """Padded pieces that this device reads best at once."""
    return CPU_BUDGET if device.type == "cpu" else GPU_BUDGET


def precision(wanted: str, device: torch.device) -> str:
    """ "auto" as what it stands for on this device: "float32" or "bfloat16"."""
    if wanted != "auto":
        return wanted
    if device.type == "cuda":
        fast = torch.cuda.is_bf16_supported(including_emulation=False)
    else:
        fast = device.type == "cpu" and fast_bfloat16()
    return "bfloat16" if fast else "float32"


def mixed(wanted: str, device: torch.device) -> AbstractContextManager[Any]:
    """Matrices are multiplied in that precision inside."""
    half = precision(wanted, device) == "bfloat16"
    return torch.autocast(device.type, dtype=torch.bfloat16, enabled=half)


def groups(
    lengths: Sequence[int], limit: int, device: torch.device, tokens: int | None = None
) -> list[tuple[list[int], int]]:
    """(numbers of sequences, padded length) of each batch.

    limit: the encoder's. tokens: padded pieces a batch; what suits the device where none are told.
    """
    tokens = tokens or budget(device)
    if device.type != "cpu":
        return [(some, max(lengths[number] for number in some)) for some in batches(lengths, tokens)]
    alike: dict[int, list[int]] = {}
    for number, length in enumerate(lengths):
        alike.setdefault(min(limit, -(-length // STEP) * STEP), []).append(number)
    return [
        (some[at : at + count], length)
        for length, some in sorted(alike.items())
        for count in [max(1, tokens // length)]
        for at in range(0, len(some), count)
    ]


def padded(
    sequences: Sequence[Sequence[int]], padding: int, length: int | None = None
) -> tuple[Tensor, Tensor]:
    """Pieces, and which are no padding: int64 and bool [sequences, length]. length: of the longest if not told."""
    lengths = np.array([len(sequence) for sequence in sequences])
    inside = np.arange(length or lengths.max(initial=1)) < lengths[:, None]
    pieces = np.full(inside.shape, padding, np.int64)
    if len(sequences):
        pieces[inside] = np.concatenate([np.asarray(sequence, np.int64) for sequence in sequences])
    return torch.from_numpy(pieces), torch.from_numpy(inside)


def hidden(model: nn.Module, pieces: Tensor, inside: Tensor, second: Tensor | None = None) -> Tensor:
    """The top-level vectors, float [sequences, longest, width]. second: where token type 1 begins in each."""
    told: dict[str, Tensor] = {}
    if second is not None:
        places = torch.arange(pieces.shape[1], device=pieces.device)
        told["token_type_ids"] = (places >= second[:, None]).long()
    return model(input_ids=pieces, attention_mask=inside.long(), **told).last_hidden_state


def chosen_vectors(
    encoder: Encoder,
    pairs: Sequence[Pair],
    *,
    typed: bool,
    device: torch.device,
    wanted: str,
    tokens: int | None = None,
) -> Iterator[tuple[list[int], NDArray[np.float32]]]:
    """(numbers of pairs, their vectors): of each the [MASK]'s and then its mentions', float32 [vectors, width].

    tokens: padded pieces a batch; what suits the device where none are told. No gradients. The encoder must be on
    the device.
    """
    lengths = [len(pair.pieces) for pair in pairs]
    with torch.inference_mode(), mixed(wanted, device):
        for numbers, length in groups(lengths, encoder.pieces.limit, device, tokens):
            some = [pairs[number] for number in numbers]
            pieces, inside = padded([pair.pieces for pair in some], encoder.pieces.padding, length)
            second = torch.tensor([pair.second for pair in some]).to(device) if typed else None
            rows = [row for row, pair in enumerate(some) for _ in range(1 + len(pair.places))]
            places = [place for pair in some for place in (pair.mask, *pair.places)]
            top = hidden(encoder.model, pieces.to(device), inside.to(device), second)
            found = top[torch.tensor(rows).to(device), torch.tensor(places).to(device)]
            yield numbers, found.float().cpu().numpy()
