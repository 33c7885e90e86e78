"""The readers' formulas in numpy, instance by instance, written from the published description alone."""

from __future__ import annotations

from typing import Any

import numpy as np

Weights = dict[str, np.ndarray]


def sigmoid(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))


def softmax(x: np.ndarray) -> np.ndarray:
    powers = np.exp(x - x.max())
    return powers / powers.sum()


def torch_gru(x: np.ndarray, start: np.ndarray, w: Weights, direction: str) -> np.ndarray:
    """PyTorch's formulas: states [T, h] of inputs [T, d]."""
    w_ir, w_iz, w_in = np.split(w[f"weight_ih_l0{direction}"], 3)
    w_hr, w_hz, w_hn = np.split(w[f"weight_hh_l0{direction}"], 3)
    b_ir, b_iz, b_in = np.split(w[f"bias_ih_l0{direction}"], 3)
    b_hr, b_hz, b_hn = np.split(w[f"bias_hh_l0{direction}"], 3)
    s, states = start, []
    for row in x:
        r = sigmoid(w_ir @ row + b_ir + w_hr @ s + b_hr)
        z = sigmoid(w_iz @ row + b_iz + w_hz @ s + b_hz)
        n = np.tanh(w_in @ row + b_in + r * (w_hn @ s + b_hn))
        s = (1 - z) * n + z * s
        states.append(s)
    return np.array(states)


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
    """[T, 2h]; start [2, 1, h]."""
    return both(torch_gru(x, start[0, 0], w, ""), torch_gru(x[::-1], start[1, 0], w, "_reverse"))


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
