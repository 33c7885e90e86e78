"""What holds alike for AS and AOA of BIOMRC's programs; what each computes stands in its own test file."""

from __future__ import annotations

from types import ModuleType
from typing import Any

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
