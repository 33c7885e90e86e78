"""What holds alike for AS and AOA of BIOMRC's programs; what each computes stands in its own test file."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import pytest
import torch
from tests.readers.recurrent.clozes import random_cloze, viewed_split

from anagnosis.readers import attention_over_attention, attention_sum

TRAINING = [random_cloze(seed) for seed in range(5)]
PROGRAMS = {
    "as": (attention_sum, attention_sum.AttentionSum),
    "aoa": (attention_over_attention, attention_over_attention.AttentionOverAttention),
}


@pytest.fixture(params=PROGRAMS)
def program(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture
def module(program: str) -> ModuleType:
    return PROGRAMS[program][0]


def made(program: str, words: int, **config: Any) -> Any:
    module, reader = PROGRAMS[program]
    return reader(words, module.Config(**config))


def test_ten_adam_steps_by_the_formulas_alone(module: ModuleType) -> None:
    """Algorithm 1 of Kingma and Ba (2015) in numpy, on the gradients of each step, gives torch's weights."""
    torch.manual_seed(3)
    ready = module.prepare(module.Config(embedding=8, hidden=6, dropout=0.0), viewed_split(TRAINING))
    model = ready.model().double()
    batch = ready.collate(list(ready.encode(viewed_split(TRAINING))))
    adam = torch.optim.Adam(model.parameters(), lr=0.001)
    weights = {name: own.detach().numpy().copy() for name, own in model.named_parameters()}
    first = {name: np.zeros_like(own) for name, own in weights.items()}
    second = {name: np.zeros_like(own) for name, own in weights.items()}
    losses: list[float] = []
    for step in range(1, 11):
        adam.zero_grad()
        loss = next(iter(model(batch).losses.values())).mean()
        loss.backward()
        losses.append(loss.item())
        for name, own in model.named_parameters():
            slope = np.zeros_like(weights[name]) if own.grad is None else own.grad.numpy()
            first[name] = 0.9 * first[name] + 0.1 * slope
            second[name] = 0.999 * second[name] + 0.001 * slope**2
            corrected = np.sqrt(second[name] / (1 - 0.999**step)) + 1e-8
            weights[name] = weights[name] - 0.001 * first[name] / (1 - 0.9**step) / corrected
        adam.step()
    assert losses[-1] < losses[0]
    for name, own in model.named_parameters():
        np.testing.assert_allclose(own.detach(), weights[name], rtol=1e-9, atol=1e-12)


def test_parameters_are_as_many_as_the_paper_prints(program: str) -> None:
    with torch.device("meta"):
        models = [
            made(program, words, embedding=width, hidden=100)
            for words, width in ((253_800, 50), (222_000, 30))
        ]
    counts = [sum(weights.numel() for weights in model.parameters()) for model in models]
    assert counts == [12_872_800, 6_818_800]


def test_dropout_is_on_the_embeddings_only_while_training(module: ModuleType) -> None:
    torch.manual_seed(1)
    ready = module.prepare(module.Config(embedding=8, hidden=6, dropout=0.5), viewed_split(TRAINING))
    model, batch = ready.model(), ready.collate(list(ready.encode(viewed_split(TRAINING))))
    model.train()
    assert not torch.equal(model(batch).log_probabilities, model(batch).log_probabilities)
    model.eval()
    assert torch.equal(model(batch).log_probabilities, model(batch).log_probabilities)
