from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from tests.readers.recurrent import by_hand, published
from tests.readers.recurrent.clozes import random_cloze, viewed_split
from tests.readers.recurrent.differences import check_as_published, check_gradients
from tests.rows import each_row

from anagnosis.readers.attention_over_attention import AttentionOverAttention, Config, prepare
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


def attention_of(context: np.ndarray, question: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A and S [T, Q] of the states of one instance, and its attention [T]."""
    pairs = context @ question.T
    to_question = np.array([by_hand.softmax(row) for row in pairs])
    to_passage = np.array([by_hand.softmax(column) for column in pairs.T]).T
    return to_question, to_passage, to_passage @ to_question.mean(0)


def paper(batch: Any, w: by_hand.Weights, variant: str) -> list[np.ndarray]:
    """Probabilities of the candidates of each instance."""
    found = []
    table = w["word_embeddings.weight"]
    for passage, question, members, _ in by_hand.rows(batch):
        context = by_hand.torch_bigru(table[passage], w["context_h"], by_hand.of(w, "context_bigru."))
        asked = by_hand.torch_bigru(table[question], w["question_h"], by_hand.of(w, "question_bigru."))
        _, _, attention = attention_of(context, asked)
        if variant == "paper-bioread":
            attention = by_hand.softmax(attention)
        found.append(np.array([sum(attention[places]) for places in members]))
    return found


@pytest.mark.parametrize("variant", ["paper", "paper-bioread"])
def test_the_papers_formulas(variant: str) -> None:
    model, batch, weights = made(variant=variant)
    output = model(batch)
    expected = paper(batch, weights, variant)
    for b, probabilities in enumerate(expected):
        np.testing.assert_allclose(
            output.log_probabilities[b, : len(probabilities)].detach(), np.log(probabilities), rtol=1e-10
        )
        loss = -np.log(probabilities[batch.target[b]])
        np.testing.assert_allclose(output.losses["answer"][b].item(), loss, rtol=1e-10)
    output.losses["answer"].mean().backward()

    def loss() -> float:
        now = paper(batch, weights, variant)
        return float(np.mean([-np.log(p[t]) for p, t in zip(now, batch.target)]))

    check_gradients(model, loss)


@each_row("precision", published.PRECISIONS)
@each_row("case", published.CASES)
def test_the_program_s_own_numbers(shared: Any, case: str, precision: str) -> None:
    vectors = dict(np.load(shared / "vectors/readers/aoa.npz"))
    model = AttentionOverAttention(200, Config(embedding=8, hidden=6, variant="as-published"))
    published.load(model, vectors, precision)
    published.set_dropout(model, vectors, precision, case)
    batch = published.batch_of(vectors, case)
    prefix = f"{precision}/{case}/"
    to_question, to_passage, attention = model.attention(
        batch, padded_lengths(batch.passage), padded_lengths(batch.question)
    )
    published.near(to_question, vectors[prefix + "passage_to_question"], precision)
    published.near(to_passage, vectors[prefix + "question_to_passage"], precision)
    published.near(attention, vectors[prefix + "position_scores"], precision)
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
        _, _, attention = attention_of(context, asked)
        scores = [sum(attention[t] for t in np.flatnonzero(batch.members[b, k])) for k in range(width)]
        found.append(np.log(by_hand.softmax(np.array(scores, float))))
    return np.array(found)


def test_the_program_s_formulas_on_numbers_of_ours() -> None:
    model, batch, weights = made(variant="as-published")
    check_as_published(model, batch, lambda: as_published(batch, weights))
