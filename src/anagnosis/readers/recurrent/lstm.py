"""A bidirectional LSTM that is exact under padding.

Formulas, shapes and names are PyTorch's (Hochreiter and Schmidhuber 1997, with a forget gate), for each direction:

    i, f, o = σ(W x + b + V s + d)      with weights for each gate
    g = tanh(W_g x + b_g + V_g s + d_g)
    c' = f ⊙ c + i ⊙ g
    s' = o ⊙ tanh(c')

We run two one-way LSTMs, the second over every row reversed within its length, so neither reads padding (packing gives
the same result, but trains six times slower on a CPU). The states at padding are 0.
"""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor, nn

from anagnosis.readers.recurrent.gru import DIRECTIONS, rows_at, turned_rows


class BiLSTM(nn.Module):
    """Weights: `weight_ih_l0` [4h, d], `weight_hh_l0` [4h, h], biases [4h], gates in the order i, f, g, o; the backward
    direction's names end in `_reverse`. All U(−1/√h, 1/√h). The weights of nn.LSTM fit."""

    weight_ih_l0: nn.Parameter

    def __init__(self, inputs: int, hidden: int) -> None:
        super().__init__()
        self.hidden = hidden
        edge = 1 / math.sqrt(hidden)
        for direction in DIRECTIONS:
            for name, shape in (
                ("weight_ih", (4 * hidden, inputs)),
                ("weight_hh", (4 * hidden, hidden)),
                ("bias_ih", (4 * hidden,)),
                ("bias_hh", (4 * hidden,)),
            ):
                weights = nn.Parameter(torch.empty(shape).uniform_(-edge, edge))
                self.register_parameter(f"{name}_l0{direction}", weights)

    def forward(self, inputs: Tensor, lengths: Tensor) -> Tensor:
        """States [batch, T, 2h], forward and backward side by side, of inputs [batch, T, d].

        lengths: int64 [batch], each 0 … T; T is at least 1.
        """
        with torch.autocast(inputs.device.type, enabled=False):
            inputs = inputs.to(self.weight_ih_l0.dtype)
            real, turned = turned_rows(lengths, inputs.shape[1])
            begin = inputs.new_zeros(1, len(inputs), self.hidden)
            lstm: Any = torch.lstm
            states: list[Tensor] = []
            for direction in DIRECTIONS:
                rows = rows_at(inputs, turned) if direction else inputs
                out, _, _ = lstm(
                    rows, (begin, begin), self._weights(direction), True, 1, 0.0, False, False, True
                )
                states.append(rows_at(out, turned) if direction else out)
            return torch.cat(states, dim=2) * real[:, :, None]

    def _weights(self, direction: str) -> list[Tensor]:
        """W_ih, W_hh, b_ih, b_hh."""
        return [
            self.get_parameter(f"{name}_l0{direction}")
            for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
        ]
