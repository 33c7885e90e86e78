"""Bidirectional GRU and LSTM, exact under padding; the GRU is fast on a CPU.

Formulas, shapes and names are PyTorch's, for each direction.

The backward direction runs over each row reversed within its length, so it never reads padding, and the states at
padding are 0. design/training.md explains why we have a loop beside `nn.GRU`, and its speed. The LSTM is two one-way
ones (packing gives the same result, but trains six times slower on a CPU).
"""

from __future__ import annotations

import math
from typing import Any, cast

import torch
from torch import Tensor, nn

from anagnosis.readers.recurrent.inputs import ClozeBatch
from anagnosis.readers.recurrent.learner import AttentionSettings
from anagnosis.readers.recurrent.packed_gru import PackedGRU, packed_order

DIRECTIONS = ("", "_reverse")
_NAMES = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")


class _Bidirectional(nn.Module):
    """Weights: `weight_ih_l0` [gates · h, d], `weight_hh_l0` [gates · h, h], biases [gates · h]; the backward
    direction's names end in `_reverse`. All U(−1/√h, 1/√h).

    one_bias: as of `BiGRU`.
    """

    weight_ih_l0: nn.Parameter

    def __init__(self, inputs: int, hidden: int, gates: int, *, one_bias: bool = False) -> None:
        super().__init__()
        self.hidden = hidden
        edge = 1 / math.sqrt(hidden)
        for direction in DIRECTIONS:
            for name, columns in zip(_NAMES, ((inputs,), (hidden,), (), ()), strict=True):
                weights = torch.empty(gates * hidden, *columns)
                if not one_bias:
                    weights.uniform_(-edge, edge)
                elif name == "bias_hh":
                    self.register_buffer(f"{name}_l0{direction}", weights.zero_(), persistent=False)
                    continue
                elif name == "bias_ih":
                    weights.zero_()
                else:
                    weights.normal_(0, 0.1)
                self.register_parameter(f"{name}_l0{direction}", nn.Parameter(weights))

    def weights(self) -> list[Tensor]:
        """W_ih, W_hh, b_ih, b_hh of both directions."""
        names = [f"{name}_l0{direction}" for direction in DIRECTIONS for name in _NAMES]
        return [cast(Tensor, getattr(self, name)) for name in names]


class BiGRU(_Bidirectional):
    """Gates in the order r, z, n.

    one_bias: Lasagne's GRU, which the CliCR readers use: without b_hh, weights N(0, 0.1²), biases 0. (Its update
    gate is 1 − z, which is the same with the signs of W_iz, W_hz and b_iz turned.)
    """

    def __init__(self, inputs: int, hidden: int, *, one_bias: bool = False) -> None:
        super().__init__(inputs, hidden, 3, one_bias=one_bias)

    def forward(self, inputs: Tensor, lengths: Tensor, start: Tensor | None = None) -> Tensor:
        """States [batch, T, 2h], forward and backward side by side, of inputs [batch, T, d].

        lengths: int64 [batch], each 0 … T; a row of length T has no padding. start: [2, 1, h], by default 0.
        """
        device = inputs.device.type
        # Half precision is no faster here, and rounds at every step (design/training.md).
        with torch.autocast(device, enabled=False):
            inputs = inputs.to(self.weight_ih_l0.dtype)
            if start is None:
                start = inputs.new_zeros(2, 1, self.hidden)
            weights = self.weights()
            if device != "cpu":
                begins = [
                    begin.expand(len(inputs), -1)[None].to(inputs.dtype).contiguous() for begin in start
                ]
                return two_one_way(torch.gru, inputs, lengths, begins, weights)
            order = packed_order(lengths, inputs.shape[1])
            return cast(Tensor, PackedGRU.apply(order, torch.is_grad_enabled(), inputs, start, *weights))


class BiLSTM(_Bidirectional):
    """Gates in the order i, f, g, o. The weights of nn.LSTM fit."""

    def __init__(self, inputs: int, hidden: int) -> None:
        super().__init__(inputs, hidden, 4)

    def forward(self, inputs: Tensor, lengths: Tensor) -> Tensor:
        """States [batch, T, 2h], forward and backward side by side, of inputs [batch, T, d].

        lengths: int64 [batch], each 0 … T; T is at least 1.
        """
        with torch.autocast(inputs.device.type, enabled=False):
            inputs = inputs.to(self.weight_ih_l0.dtype)
            begin = inputs.new_zeros(1, len(inputs), self.hidden)
            return two_one_way(torch.lstm, inputs, lengths, [(begin, begin)] * 2, self.weights())


def ends(states: Tensor, lengths: Tensor) -> Tensor:
    """[batch, 2h]: the forward state at the last, the backward state at the first position; 0 for an empty row."""
    half = states.shape[2] // 2
    last = (lengths - 1).clamp(min=0)
    rows = torch.arange(len(lengths), device=states.device)
    return torch.cat([states[rows, last, :half], states[:, 0, half:]], dim=1)


def padded_lengths(ids: Tensor) -> Tensor:
    """Lengths of rows including their padding, which the published programs read: int64 [batch]."""
    return torch.full((ids.shape[0],), ids.shape[1], dtype=torch.int64, device=ids.device)


def start_states(hidden: int) -> nn.Parameter:
    """Trained start states [2, 1, h] of both directions, drawn Xavier-normal as in BioMRC's programs."""
    return nn.Parameter(nn.init.xavier_normal_(torch.empty(2, 1, hidden)))


def two_one_way(kernel: Any, inputs: Tensor, lengths: Tensor, begins: Any, weights: list[Tensor]) -> Tensor:
    """States [batch, T, 2h] by two one-way layers of torch, the second over rows reversed within their lengths.

    kernel: torch.gru or torch.lstm. begins: the first states of each direction.
    """
    places = torch.arange(inputs.shape[1], device=lengths.device).expand(len(lengths), -1)
    real = places < lengths[:, None]
    # Its own inverse; padding keeps its place.
    turned = torch.where(real, lengths[:, None] - 1 - places, places)
    states: list[Tensor] = []
    for direction, begin in enumerate(begins):
        rows = rows_at(inputs, turned) if direction else inputs
        of_direction = weights[4 * direction : 4 * direction + 4]
        out = kernel(rows, begin, of_direction, True, 1, 0.0, False, False, True)[0]
        states.append(rows_at(out, turned) if direction else out)
    return torch.cat(states, dim=2) * real[:, :, None]


def rows_at(rows: Tensor, places: Tensor) -> Tensor:
    """[batch, T, d] of rows [batch, T, d] at places [batch, T]."""
    return rows.gather(1, places[:, :, None].expand(-1, -1, rows.shape[2]))


class TwoGRUs(nn.Module):
    """The base of AS and AOA: embeddings, one bidirectional GRU for the passage and one for the question.

    The V·d + 12hd + 12h² + 28h parameters have the program's names and order.
    """

    def __init__(self, words: int, config: AttentionSettings) -> None:
        super().__init__()
        self.context_h = start_states(config.hidden)
        self.question_h = start_states(config.hidden)
        self.word_embeddings = nn.Embedding(words, config.embedding)
        self.context_bigru = BiGRU(config.embedding, config.hidden)
        self.question_bigru = BiGRU(config.embedding, config.hidden)
        self.dropout = nn.Dropout(config.dropout)

    def states(self, batch: ClozeBatch, lengths: Tensor, question_lengths: Tensor) -> tuple[Tensor, Tensor]:
        """States [B, T, 2h] of the passage and [B, Q, 2h] of the question, read up to these lengths.

        B instances, T tokens of a passage, Q of a question, h the width of a state.
        """
        passage = self.dropout(self.word_embeddings(batch.passage))
        question = self.dropout(self.word_embeddings(batch.question))
        return (
            self.context_bigru(passage, lengths, self.context_h),
            self.question_bigru(question, question_lengths, self.question_h),
        )
