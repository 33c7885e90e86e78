from __future__ import annotations

from typing import Any

import numpy as np
import torch
from tests.readers.recurrent import by_hand, published
from tests.readers.recurrent.clozes import random_cloze, viewed_split
from tests.readers.recurrent.differences import check_as_published, check_gradients
from tests.rows import each_row

from anagnosis.readers.attention_sum import AttentionSum, Config, prepare
from anagnosis.readers.recurrent.bidirectional import padded_lengths

TRAINING = [random_cloze(seed) for seed in range(5)]


def made(**config: Any) -> tuple[Any, Any, Any]:
    """A reader in double precision, a batch with candidates mentioned several times, and its weights."""
    torch.manual_seed(1)
    values = Config(embedding=8, hidden=6, dropout=0.0, **config)
    ready = prepare(values, viewed_split(TRAINING))
    model = ready.model().double()
    batch = ready.collate(list(ready.encode(viewed_split(TRAINING))))
    assert (batch.members.sum(2) > 1).any()
    return model, batch, by_hand.weights_of(model)


def paper(batch: Any, w: by_hand.Weights) -> list[np.ndarray]:
    """Probabilities of the candidates of each instance."""
    found = []
    table = w["word_embeddings.weight"]
    for passage, question, members, _ in by_hand.rows(batch):
        context = by_hand.torch_bigru(table[passage], w["context_h"], by_hand.of(w, "context_bigru."))
        asked = by_hand.torch_bigru(table[question], w["question_h"], by_hand.of(w, "question_bigru."))
        attention = by_hand.softmax(context @ by_hand.last_and_first(asked))
        found.append(np.array([sum(attention[places]) for places in members]))
    return found


def test_the_paper_s_formulas() -> None:
    model, batch, weights = made()
    output = model(batch)
    expected = paper(batch, weights)
    for b, probabilities in enumerate(expected):
        np.testing.assert_allclose(
            output.log_probabilities[b, : len(probabilities)].detach(), np.log(probabilities), rtol=1e-10
        )
        loss = -np.log(probabilities[batch.target[b]])
        np.testing.assert_allclose(output.losses["answer"][b].item(), loss, rtol=1e-10)
    output.losses["answer"].mean().backward()

    def loss() -> float:
        now = paper(batch, weights)
        return float(np.mean([-np.log(p[t]) for p, t in zip(now, batch.target)]))

    check_gradients(model, loss)


@each_row("precision", published.PRECISIONS)
@each_row("case", published.CASES)
def test_the_program_s_own_numbers(shared: Any, case: str, precision: str) -> None:
    vectors = dict(np.load(shared / "vectors/readers/as.npz"))
    model = AttentionSum(200, Config(embedding=8, hidden=6, variant="as-published"))
    published.load(model, vectors, precision)
    published.set_dropout(model, vectors, precision, case)
    batch = published.batch_of(vectors, case)
    prefix = f"{precision}/{case}/"
    context, question = model.states(batch, padded_lengths(batch.passage), padded_lengths(batch.question))
    published.near(context, vectors[prefix + "context_states"], precision)
    published.near(question, vectors[prefix + "question_states"], precision)
    published.set_dropout(model, vectors, precision, case)
    columns = model.as_published(batch)
    published.check_case(model, vectors, precision, case, columns)


def as_published(batch: Any, w: by_hand.Weights) -> np.ndarray:
    """Log-probabilities of all columns, padding included."""
    table, width = w["word_embeddings.weight"], batch.candidates.shape[1]
    found = []
    for b in range(len(batch.target)):
        context = by_hand.torch_bigru(
            table[batch.passage[b]], w["context_h"], by_hand.of(w, "context_bigru.")
        )
        asked = by_hand.torch_bigru(
            table[batch.question[b]], w["question_h"], by_hand.of(w, "question_bigru.")
        )
        products = context @ asked[batch.question_lengths[b] - 1]
        scores = [sum(products[t] for t in np.flatnonzero(batch.members[b, k])) for k in range(width)]
        found.append(np.log(by_hand.softmax(np.array(scores, float))))
    return np.array(found)


def test_the_program_s_formulas_on_numbers_of_ours() -> None:
    model, batch, weights = made(variant="as-published")
    check_as_published(model, batch, lambda: as_published(batch, weights))
