from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from tests.encoders.texts import many, named
from tests.readers.recurrent import by_hand
from tests.readers.viewed import batch_of, viewed_split

from anagnosis.readers.stanford_attentive import Config, StanfordAttentive, prepare

TRAINING = many(5)


def made(instances: Any = TRAINING, **config: Any) -> tuple[Any, Any, Any]:
    """A reader in double precision whose weights are not as small as the first ones, and a batch."""
    torch.manual_seed(1)
    ready = prepare(Config(embedding=8, hidden=6, dropout=0.0, **config), viewed_split(*TRAINING))
    model = ready.model().double()
    with torch.no_grad():
        for weights in model.parameters():
            weights.normal_(0, 0.5)
    return model, batch_of(ready, *instances), by_hand.weights_of(model)


def of_labels(batch: Any, w: by_hand.Weights) -> list[np.ndarray]:
    """Each instance's probability of every label [L], 0 of those that its passage does not hold."""
    found = []
    table = w["word_embeddings.weight"]
    for b, (passage, question, members, _) in enumerate(by_hand.rows(batch)):
        states = by_hand.lasagne_bigru(table[passage], by_hand.of(w, "passage_gru."))
        asked = by_hand.lasagne_bigru(table[question], by_hand.of(w, "question_gru."))
        query = by_hand.last_and_first(asked)
        attention = by_hand.softmax(states @ (query @ w["attention"]))
        read = attention @ states
        probabilities = by_hand.softmax(w["labels.weight"] @ read + w["labels.bias"])
        there = [int(batch.labels[b, k]) for k, places in enumerate(members) if places]
        mask = np.zeros(len(probabilities))
        mask[there] = 1
        found.append(probabilities * mask / (probabilities * mask).sum())
    return found


def test_the_formulas() -> None:
    model, batch, weights = made()
    output = model(batch)
    assert (batch.members.sum(2) > 1).any()
    expected = of_labels(batch, weights)
    for b, probabilities in enumerate(expected):
        count = int(batch.candidates[b].sum())
        labels = batch.labels[b, :count]
        assert len(set(labels.tolist())) == count
        np.testing.assert_allclose(
            output.log_probabilities[b, :count].detach(), np.log(probabilities[labels]), rtol=1e-9, atol=1e-12
        )
    output.losses["answer"].mean().backward()
    answers = [int(batch.labels[b, target]) for b, target in enumerate(batch.target)]

    def loss() -> float:
        now = of_labels(batch, weights)
        return float(np.mean([-np.log(np.clip(p[a], 1e-7, 1 - 1e-7)) for p, a in zip(now, answers)]))

    assert output.losses["answer"].mean().item() == pytest.approx(loss(), rel=1e-9)
    by_hand.check_gradients(model, loss)


def test_unknown_entities_are_label_0_and_share_its_probability() -> None:
    names = ["@entity900", "@entity1", "@entity901", "@entity902"]
    unknown = named("cells @entity900 @entity1 was @entity901 @entity1", "XXXX cells", names, 2)
    model, batch, weights = made([unknown])
    assert (batch.labels[0] == 0).tolist() == [True, False, True, True]
    (probabilities,) = of_labels(batch, weights)
    output = model(batch)
    zero = probabilities[0]
    wanted = [zero / 2, probabilities[batch.labels[0, 1]], zero / 2, 1e-30]
    np.testing.assert_allclose(output.log_probabilities[0].exp().detach(), wanted, rtol=1e-9)
    assert output.losses["answer"].item() == pytest.approx(-np.log(zero), rel=1e-9)


def test_an_answer_that_is_not_in_the_passage_costs_the_clipped_loss() -> None:
    absent, certain = (named("cells @entity1", "XXXX", ["@entity1", "@entity2"], each) for each in (1, 0))
    model, batch, _ = made([absent, certain])
    losses = model(batch).losses["answer"]
    assert losses.tolist() == pytest.approx([-np.log(1e-7), -np.log(1 - 1e-7)])


def test_the_first_weights() -> None:
    torch.manual_seed(0)
    model = StanfordAttentive(500, 40, Config(embedding=20, hidden=30))
    for weights in (model.word_embeddings.weight, model.attention):
        assert weights.abs().max() <= 0.01
        assert weights.std().item() == pytest.approx(0.01 / 3**0.5, rel=0.1)
    assert model.passage_gru.weight_ih_l0.std().item() == pytest.approx(0.1, rel=0.1)
    assert (model.labels.bias == 0).all()
    config = Config()
    assert (config.optimizer, config.rate, config.most) == ("sgd", 0.1, 50_000)
