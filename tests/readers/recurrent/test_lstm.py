from __future__ import annotations

import pytest

pytest.importorskip("torch", reason="the extra train is not installed")

import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from anagnosis.readers.recurrent.gru import ends
from anagnosis.readers.recurrent.lstm import BiLSTM


@pytest.fixture
def pair() -> tuple[BiLSTM, nn.LSTM]:
    """Ours and torch's, with the same weights, in float64."""
    torch.manual_seed(0)
    theirs = nn.LSTM(3, 4, batch_first=True, bidirectional=True).double()
    ours = BiLSTM(3, 4).double()
    ours.load_state_dict(theirs.state_dict())
    return ours, theirs


def packed(theirs: nn.LSTM, inputs: torch.Tensor, lengths: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """States and last states by packing, which reads no padding."""
    row = pack_padded_sequence(inputs, lengths, batch_first=True, enforce_sorted=False)
    states, (last, _) = theirs(row)
    return pad_packed_sequence(states, batch_first=True, total_length=inputs.shape[1])[0], last


def test_states_ends_and_gradients_are_those_of_packed_rows(pair: tuple[BiLSTM, nn.LSTM]) -> None:
    ours, theirs = pair
    inputs = torch.randn(4, 6, 3, dtype=torch.float64)
    lengths = torch.tensor([6, 1, 4, 3])
    states = ours(inputs, lengths)
    expected, last = packed(theirs, inputs, lengths)
    torch.testing.assert_close(states, expected)
    torch.testing.assert_close(ends(states, lengths), torch.cat([last[0], last[1]], dim=1))
    weights = torch.randn_like(states)
    (states * weights).sum().backward()
    (expected * weights).sum().backward()
    for name, parameter in theirs.named_parameters():
        torch.testing.assert_close(ours.get_parameter(name).grad, parameter.grad)


def test_what_stands_in_padding_changes_nothing(pair: tuple[BiLSTM, nn.LSTM]) -> None:
    ours, _ = pair
    inputs = torch.randn(2, 5, 3, dtype=torch.float64)
    lengths = torch.tensor([5, 2])
    spoilt = inputs.clone()
    spoilt[1, 2:] = 1e6
    assert torch.equal(ours(inputs, lengths), ours(spoilt, lengths))
    assert not ours(inputs, lengths)[1, 2:].any()


def test_a_row_without_anything_has_states_of_nothing(pair: tuple[BiLSTM, nn.LSTM]) -> None:
    ours, _ = pair
    states = ours(torch.randn(2, 3, 3, dtype=torch.float64), torch.tensor([3, 0]))
    assert states[0].all()
    assert not states[1].any()
