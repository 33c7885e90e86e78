from __future__ import annotations

import pytest
import torch
from tests.rows import each_row
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from anagnosis.readers.recurrent import packed_gru
from anagnosis.readers.recurrent.bidirectional import BiGRU, BiLSTM, ends, start_states, two_one_way

LENGTHS = [[3, 9, 1, 7, 7], [4], [1], [1, 1, 1], [1, 2, 3, 4, 5, 6, 7, 8, 9], [9, 9]]
WAYS = ["loop", "kernel"]


def states(way: str, module: BiGRU, inputs: Tensor, lengths: Tensor, start: Tensor) -> Tensor:
    if way == "loop":
        return module(inputs, lengths, start)
    begins = [begin.expand(len(inputs), -1)[None].contiguous() for begin in start]
    return two_one_way(torch.gru, inputs, lengths, begins, module.weights())


def packed(module: BiGRU, inputs: Tensor, lengths: Tensor, start: Tensor) -> tuple[Tensor, nn.GRU]:
    other = nn.GRU(inputs.shape[2], module.hidden, batch_first=True, bidirectional=True).to(inputs.dtype)
    other.load_state_dict(module.state_dict())
    rows = pack_padded_sequence(inputs, lengths, batch_first=True, enforce_sorted=False)
    out, _ = other(rows, start.expand(2, len(lengths), -1).contiguous())
    return pad_packed_sequence(out, batch_first=True, total_length=inputs.shape[1])[0], other


@each_row("way", WAYS)
@each_row("rows", [2, 512])
@each_row("lengths", LENGTHS, ids=str)
def test_states_and_gradients_are_those_of_packed_sequences(
    way: str, rows: int, lengths: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(packed_gru, "ROWS", rows)
    torch.manual_seed(0)
    module = BiGRU(4, 3).double()
    inputs = torch.randn(len(lengths), max(lengths), 4, dtype=torch.float64, requires_grad=True)
    start = torch.randn(2, 1, 3, dtype=torch.float64, requires_grad=True)
    sizes = torch.tensor(lengths)
    ours = states(way, module, inputs, sizes, start)
    theirs, other = packed(module, inputs, sizes, start)
    torch.testing.assert_close(ours, theirs, atol=1e-12, rtol=0)
    weight = torch.randn_like(ours)
    mine = torch.autograd.grad((ours * weight).sum(), [inputs, start, *module.parameters()])
    wanted = torch.autograd.grad((theirs * weight).sum(), [inputs, start, *other.parameters()])
    for got, expected in zip(mine, wanted):
        torch.testing.assert_close(got, expected, atol=1e-12, rtol=0)


def test_lstm_states_ends_and_gradients_are_those_of_packed_rows() -> None:
    torch.manual_seed(0)
    theirs = nn.LSTM(3, 4, batch_first=True, bidirectional=True).double()
    ours = BiLSTM(3, 4).double()
    ours.load_state_dict(theirs.state_dict())
    inputs = torch.randn(4, 6, 3, dtype=torch.float64)
    lengths = torch.tensor([6, 1, 4, 3])
    rows = pack_padded_sequence(inputs, lengths, batch_first=True, enforce_sorted=False)
    out, (last, _) = theirs(rows)
    expected = pad_packed_sequence(out, batch_first=True, total_length=6)[0]
    found = ours(inputs, lengths)
    torch.testing.assert_close(found, expected)
    torch.testing.assert_close(ends(found, lengths), torch.cat([last[0], last[1]], dim=1))
    weights = torch.randn_like(found)
    (found * weights).sum().backward()
    (expected * weights).sum().backward()
    for name, parameter in theirs.named_parameters():
        torch.testing.assert_close(ours.get_parameter(name).grad, parameter.grad)


@each_row("module", [BiGRU(3, 2), BiLSTM(3, 2)], ids=repr)
def test_padding_is_neither_read_nor_written(module: BiGRU | BiLSTM) -> None:
    inputs = torch.randn(3, 5, 3)
    lengths = torch.tensor([5, 2, 0])
    before = module(inputs, lengths)
    inputs[1, 2:] = 1e6
    assert torch.equal(module(inputs, lengths), before)
    assert (before[1, 2:] == 0).all()
    assert (before[2] == 0).all()
    assert before[0].all()


@pytest.mark.parametrize("lengths", [[0], [0, 0], [2, 0, 3]], ids=str)
def test_an_empty_row_has_no_states_and_no_gradient(lengths: list[int]) -> None:
    module = BiGRU(3, 2)
    inputs = torch.randn(len(lengths), 3, 3, requires_grad=True)
    start = start_states(2)
    out = module(inputs, torch.tensor(lengths), start)
    empty = [row for row, length in enumerate(lengths) if not length]
    assert (out[empty] == 0).all()
    out.square().sum().backward()
    assert (inputs.grad[empty] == 0).all()
    assert start.grad is not None
    assert start.grad.isfinite().all()


def test_half_precision_around_it_does_not_reach_it() -> None:
    module = BiGRU(3, 2)
    inputs, lengths = torch.randn(2, 4, 3), torch.tensor([4, 2])
    expected = module(inputs, lengths)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        out = module(inputs, lengths)
        out.sum().backward()
    assert torch.equal(out, expected)


def test_the_first_weights_are_those_of_torch_s_gru_or_of_lasagne_s() -> None:
    torch.manual_seed(0)
    module = BiGRU(50, 100)
    assert {name: weights.shape for name, weights in module.named_parameters()} == {
        name: weights.shape for name, weights in nn.GRU(50, 100, bidirectional=True).named_parameters()
    }
    for weights in module.parameters():
        assert weights.abs().max() <= 0.1
        assert weights.std().item() == pytest.approx(0.1 / 3**0.5, rel=0.15)
    lasagne = BiGRU(50, 100, one_bias=True)
    assert sum(weights.numel() for weights in lasagne.parameters()) == 2 * (300 * 150 + 300)
    assert lasagne.weight_hh_l0.std().item() == pytest.approx(0.1, rel=0.05)
    assert (lasagne.bias_ih_l0 == 0).all()
    assert start_states(100).std().item() == pytest.approx((2 / 300) ** 0.5, rel=0.3)
