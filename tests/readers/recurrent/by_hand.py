"""The readers' formulas in numpy, instance by instance, from the published description alone; gradients beside them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch import nn

Weights = dict[str, np.ndarray]


def sigmoid(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))


def softmax(x: np.ndarray) -> np.ndarray:
    powers = np.exp(x - x.max())
    return powers / powers.sum()


def lasagne_gru(x: np.ndarray, w: Weights, direction: str) -> np.ndarray:
    """Lasagne's: an update gate u in place of 1 − z, one bias a gate, start state 0."""
    w_xr, w_xz, w_xc = np.split(w[f"weight_ih_l0{direction}"], 3)
    w_hr, w_hz, w_hc = np.split(w[f"weight_hh_l0{direction}"], 3)
    b_r, b_z, b_c = np.split(w[f"bias_ih_l0{direction}"], 3)
    w_xu, w_hu, b_u = -w_xz, -w_hz, -b_z
    h, states = np.zeros(w_hr.shape[0]), []
    for row in x:
        r = sigmoid(w_xr @ row + w_hr @ h + b_r)
        u = sigmoid(w_xu @ row + w_hu @ h + b_u)
        c = np.tanh(w_xc @ row + r * (w_hc @ h) + b_c)
        h = (1 - u) * h + u * c
        states.append(h)
    return np.array(states)


def both(forward: np.ndarray, backward: np.ndarray) -> np.ndarray:
    return np.hstack([forward, backward[::-1]])


def of(weights: Weights, prefix: str) -> Weights:
    return {name.removeprefix(prefix): w for name, w in weights.items() if name.startswith(prefix)}


def torch_bigru(x: np.ndarray, start: np.ndarray, w: Weights) -> np.ndarray:
    """PyTorch's own, not the readers': [T, 2h]; start [2, 1, h]."""
    gru = nn.GRU(x.shape[1], start.shape[2], bidirectional=True, dtype=torch.float64)
    gru.load_state_dict({name: torch.from_numpy(each) for name, each in w.items()})
    with torch.no_grad():
        return gru(torch.from_numpy(x), torch.from_numpy(start[:, 0]))[0].numpy()


def lasagne_bigru(x: np.ndarray, w: Weights) -> np.ndarray:
    return both(lasagne_gru(x, w, ""), lasagne_gru(x[::-1], w, "_reverse"))


def last_and_first(states: np.ndarray) -> np.ndarray:
    """The forward state at the last, the backward state at the first position."""
    half = states.shape[1] // 2
    return np.concatenate([states[-1, :half], states[0, half:]])


def rows(batch: Any) -> list[tuple[np.ndarray, np.ndarray, list[list[int]], int]]:
    """(passage, question, places of each candidate, target) of each instance of a batch, nothing padded."""
    found = []
    for b in range(len(batch.target)):
        members = [
            [t for t, here in enumerate(row) if here]
            for row, real in zip(batch.members[b].tolist(), batch.candidates[b].tolist())
            if real
        ]
        passage = batch.passage[b, : batch.lengths[b]].numpy()
        question = batch.question[b, : batch.question_lengths[b]].numpy()
        found.append((passage, question, members, int(batch.target[b])))
    return found


def weights_of(model: Any) -> Weights:
    return {name: tensor.detach().numpy() for name, tensor in model.named_parameters()}


def check_gradients(model: nn.Module, loss: Callable[[], float], *, places: int = 2) -> None:
    """Compare each parameter's gradient, in a few random places, with central differences of `loss`."""
    dice = np.random.default_rng(0)
    for name, weights in model.named_parameters():
        flat = weights.detach().view(-1)
        gradient = torch.zeros_like(flat) if weights.grad is None else weights.grad.view(-1)
        wanted = {int(gradient.abs().argmax()), *dice.integers(len(flat), size=places).tolist()}
        for place in wanted:
            before = flat[place].item()
            values = []
            for step in (1e-5, -1e-5):
                flat[place] = before + step
                values.append(loss())
            flat[place] = before
            expected = (values[0] - values[1]) / 2e-5
            assert abs(gradient[place].item() - expected) < 1e-7 + 1e-5 * abs(expected), f"{name}[{place}]"


def check_as_published(model: Any, batch: Any, by_hand: Callable[[], Any]) -> None:
    """Compare the authors' log probabilities, and the gradients of their loss, with those computed by hand."""
    expected = by_hand()
    np.testing.assert_allclose(model.as_published(batch).detach(), expected, rtol=1e-10)
    output = model(batch)
    real = batch.candidates
    np.testing.assert_allclose(output.log_probabilities[real].detach(), expected[real.numpy()], rtol=1e-10)
    output.losses["answer"].mean().backward()
    rows = np.arange(len(batch.target))
    check_gradients(model, lambda: float(-by_hand()[rows, batch.target].mean()))
