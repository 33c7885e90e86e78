"""The published programs' numbers (vectors/readers/*.npz), and the batches that they were computed on."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import nn

from anagnosis.readers.recurrent.inputs import ClozeBatch

PRECISIONS = {"f64": (torch.float64, 1e-12), "f32": (torch.float32, 1e-5)}
CASES = ("case0", "case1", "case2", "case3", "case4")


def batch_of(vectors: Any, case: str) -> ClozeBatch:
    """A case as a batch; a candidate's mentions are the places that hold its id."""
    context, question, candidates, target = (
        torch.from_numpy(vectors[f"{case}/{name}"])
        for name in ("context", "question", "candidates", "target")
    )
    lengths, question_lengths, counts = ((ids != 0).sum(1) for ids in (context, question, candidates))
    context = context[:, : lengths.max()]
    candidates = candidates[:, : counts.max()]
    nothing = torch.zeros_like(target)
    return ClozeBatch(
        passage=context,
        lengths=lengths,
        question=question[:, : question_lengths.max()],
        question_lengths=question_lengths,
        members=(context[:, None] == candidates[:, :, None]) & (candidates != 0)[:, :, None],
        candidates=candidates != 0,
        target=target,
        placeholder=nothing,
        in_question=torch.zeros_like(context, dtype=torch.bool),
        labels=torch.zeros_like(candidates),
    )


def load(model: nn.Module, vectors: Any, precision: str) -> None:
    dtype, _ = PRECISIONS[precision]
    prefix = f"{precision}/param/"
    weights = {k.removeprefix(prefix): torch.from_numpy(vectors[k]) for k in vectors if k.startswith(prefix)}
    model.to(dtype).load_state_dict(weights)  # strict: the same names and no other


def near(actual: torch.Tensor, expected: np.ndarray, precision: str, *, weight: float = 1.0) -> None:
    _, tolerance = PRECISIONS[precision]
    torch.testing.assert_close(
        actual.detach(), torch.from_numpy(np.asarray(expected)), rtol=tolerance, atol=tolerance * weight
    )


class RecordedDropout(nn.Module):
    """The masks that the program drew, the passage's first."""

    def __init__(self, masks: list[torch.Tensor]) -> None:
        super().__init__()
        self.masks = masks

    def forward(self, embedded: torch.Tensor) -> torch.Tensor:
        return embedded * self.masks.pop(0)


def set_dropout(model: Any, vectors: Any, precision: str, case: str) -> None:
    """The recorded masks where the case has them, else evaluation mode."""
    model.eval()
    if case == "case4":
        names = ("context_dropout", "question_dropout")
        masks = [torch.from_numpy(vectors[f"{precision}/{case}/{name}"]) for name in names]
        model.dropout = RecordedDropout(masks)


def check_case(model: Any, vectors: Any, precision: str, case: str, columns: torch.Tensor) -> None:
    """Log-probabilities (columns: [B, K], padding included), losses and all gradients of a case."""
    prefix = f"{precision}/{case}/"
    batch = batch_of(vectors, case)
    near(columns, vectors[prefix + "log_probabilities"], precision)
    assert columns.argmax(1).tolist() == vectors[prefix + "predicted"].tolist()
    set_dropout(model, vectors, precision, case)
    output = model(batch)
    real = batch.candidates
    near(output.log_probabilities[real], vectors[prefix + "log_probabilities"][real.numpy()], precision)
    assert (output.log_probabilities[~real] == -torch.inf).all()
    (losses,) = output.losses.values()
    near(losses.mean(), vectors[prefix + "loss"], precision)
    model.zero_grad()
    losses.mean().backward()
    names = [name for name, _ in model.named_parameters()]
    assert {f"{prefix}grad/{name}" for name in names} == {
        k for k in vectors if k.startswith(prefix + "grad/")
    }
    for name, weights in model.named_parameters():
        near(weights.grad, vectors[f"{prefix}grad/{name}"], precision)
