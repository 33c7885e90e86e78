from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from tests.encoders.texts import many, named
from tests.readers.recurrent import by_hand
from tests.readers.viewed import batch_of, viewed_split

from anagnosis.readers.gated_attention import Config, prepare

TRAINING = many(5)


def made(**config: Any) -> tuple[Any, Any, Any]:
    """A reader in double precision whose weights are larger than the first ones, and a batch."""
    torch.manual_seed(1)
    ready = prepare(
        Config(**{"embedding": 5, "hidden": 4, "dropout": 0.0, **config}), viewed_split(*TRAINING)
    )
    model = ready.model().double()
    with torch.no_grad():
        for weights in model.parameters():
            weights.normal_(0, 0.5)
    batch = batch_of(ready, *TRAINING)
    assert (batch.members.sum(2) > 1).any()
    return model, batch, by_hand.weights_of(model)


def probabilities_of(batch: Any, w: by_hand.Weights, config: Config) -> list[np.ndarray]:
    """Probabilities of the candidates of each instance."""
    found = []
    table = w["word_embeddings.weight"]
    for b, (passage, question, members, _) in enumerate(by_hand.rows(batch)):
        x = table[passage]
        for hop in range(config.hops):
            last = hop == config.hops - 1
            if last and config.question_feature:
                # 4 is the first id of a known word.
                bits = [int(word >= 4 and word in question.tolist()) for word in passage.tolist()]
                x = np.hstack([x, w["feature.weight"][bits]])
            d = by_hand.lasagne_bigru(x, by_hand.of(w, f"passage_grus.{hop}."))
            q = by_hand.lasagne_bigru(table[question], by_hand.of(w, f"question_grus.{hop}."))
            if last:
                break
            gate = np.array([by_hand.softmax(row) @ q for row in d @ q.T])
            x = d * gate
        attention = by_hand.softmax(d @ q[batch.placeholder[b]])
        named = sorted({t for places in members for t in places})
        mask = np.zeros(len(attention))
        mask[named] = 1
        attention = attention * mask / (attention * mask).sum()
        found.append(np.array([sum(attention[places]) for places in members]))
    return found


@pytest.mark.parametrize(
    "config",
    [
        {},
        {"hops": 1, "question_feature": True},
    ],
    ids=str,
)
def test_the_formulas(config: dict[str, Any]) -> None:
    model, batch, weights = made(**config)
    output = model(batch)
    for b, probabilities in enumerate(probabilities_of(batch, weights, model.config)):
        np.testing.assert_allclose(
            output.log_probabilities[b, : len(probabilities)].detach(),
            np.log(probabilities),
            rtol=1e-8,
            atol=1e-10,
        )
        assert probabilities.sum() == pytest.approx(1)
    output.losses["answer"].mean().backward()

    def loss() -> float:
        now = probabilities_of(batch, weights, model.config)
        return float(np.mean([-np.log(p[t]) for p, t in zip(now, batch.target)]))

    assert output.losses["answer"].mean().item() == pytest.approx(loss(), rel=1e-8)
    by_hand.check_gradients(model, loss, places=1)


def test_dropout_is_after_the_gates_only() -> None:
    model, batch, _ = made(hops=1, dropout=0.5)
    assert torch.equal(model.train()(batch).log_probabilities, model.eval()(batch).log_probabilities)
    model, batch, _ = made(hops=2, dropout=0.5)
    assert not torch.equal(model.train()(batch).log_probabilities, model.eval()(batch).log_probabilities)


def test_a_shared_word_is_a_candidate_s_only_where_it_is_mentioned() -> None:
    torch.manual_seed(1)
    shared = named("heart failure x failure", "XXXX", ["heart failure", "failure"])
    ready = prepare(Config(embedding=5, hidden=4, view="names"), viewed_split(shared))
    batch = batch_of(ready, shared)
    assert batch.members[0].int().tolist() == [[1, 1, 0, 0], [0, 0, 0, 1]]
