"""AS and AOA beside their formulas by hand, and beside BioMRC's programs: their numbers, and their formulas on ours."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import pytest
import torch
from tests.encoders.texts import many
from tests.readers.recurrent import by_hand, published
from tests.readers.viewed import batch_of, viewed_split
from tests.rows import each_row

from anagnosis.readers import attention_over_attention, attention_sum
from anagnosis.readers.recurrent.bidirectional import padded_lengths

TRAINING = many(5)
VARIANTS = [
    (attention_sum, "paper"),
    (attention_over_attention, "paper"),
    (attention_over_attention, "paper-bioread"),
]


def made(module: ModuleType, **config: Any) -> tuple[Any, Any, Any]:
    """A reader in double precision, a batch with candidates mentioned several times, and its weights."""
    torch.manual_seed(1)
    values = module.Config(**{"embedding": 8, "hidden": 6, "dropout": 0.0, **config})
    ready = module.prepare(values, viewed_split(*TRAINING))
    model = ready.model().double()
    batch = batch_of(ready, *TRAINING)
    assert (batch.members.sum(2) > 1).any()
    return model, batch, by_hand.weights_of(model)


def states(passage: Any, question: Any, w: by_hand.Weights) -> tuple[np.ndarray, np.ndarray]:
    """States [T, 2h] of a passage and [Q, 2h] of a question."""
    table = w["word_embeddings.weight"]
    return (
        by_hand.torch_bigru(table[passage], w["context_h"], by_hand.of(w, "context_bigru.")),
        by_hand.torch_bigru(table[question], w["question_h"], by_hand.of(w, "question_bigru.")),
    )


def over(context: np.ndarray, question: np.ndarray) -> np.ndarray:
    """AOA's attention [T]: S times the mean of A's rows."""
    pairs = context @ question.T
    to_question = np.array([by_hand.softmax(row) for row in pairs])
    to_passage = np.array([by_hand.softmax(column) for column in pairs.T]).T
    return to_passage @ to_question.mean(0)


def paper(module: ModuleType, batch: Any, w: by_hand.Weights, variant: str) -> list[np.ndarray]:
    """Probabilities of the candidates of each instance."""
    found = []
    for passage, question, members, _ in by_hand.rows(batch):
        context, asked = states(passage, question, w)
        if module is attention_sum:
            attention = by_hand.softmax(context @ by_hand.last_and_first(asked))
        else:
            attention = over(context, asked)
        if variant == "paper-bioread":
            attention = by_hand.softmax(attention)
        found.append(np.array([sum(attention[places]) for places in members]))
    return found


@pytest.mark.parametrize(("module", "variant"), VARIANTS)
def test_the_papers_formulas(module: ModuleType, variant: str) -> None:
    model, batch, weights = made(module, variant=variant)
    output = model(batch)
    for b, probabilities in enumerate(paper(module, batch, weights, variant)):
        np.testing.assert_allclose(
            output.log_probabilities[b, : len(probabilities)].detach(), np.log(probabilities), rtol=1e-10
        )
        loss = -np.log(probabilities[batch.target[b]])
        np.testing.assert_allclose(output.losses["answer"][b].item(), loss, rtol=1e-10)
    output.losses["answer"].mean().backward()

    def loss() -> float:
        now = paper(module, batch, weights, variant)
        return float(np.mean([-np.log(p[t]) for p, t in zip(now, batch.target)]))

    by_hand.check_gradients(model, loss)


@each_row("precision", published.PRECISIONS)
@each_row("case", published.CASES)
@each_row("name", ["as", "aoa"])
def test_the_program_s_own_numbers(shared: Any, name: str, case: str, precision: str) -> None:
    vectors = dict(np.load(shared / f"vectors/readers/{name}.npz"))
    sizes: dict[str, Any] = {"embedding": 8, "hidden": 6, "variant": "as-published"}
    model: Any
    if name == "as":
        model = attention_sum.AttentionSum(200, attention_sum.Config(**sizes))
    else:
        config = attention_over_attention.Config(**sizes)
        model = attention_over_attention.AttentionOverAttention(200, config)
    published.load(model, vectors, precision)
    published.set_dropout(model, vectors, precision, case)
    batch = published.batch_of(vectors, case)
    lengths = padded_lengths(batch.passage), padded_lengths(batch.question)
    if name == "as":
        found = dict(zip(("context_states", "question_states"), model.states(batch, *lengths), strict=True))
    else:
        names = ("passage_to_question", "question_to_passage", "position_scores")
        found = dict(zip(names, model.attention(batch, *lengths), strict=True))
    for of, values in found.items():
        published.near(values, vectors[f"{precision}/{case}/{of}"], precision)
    published.set_dropout(model, vectors, precision, case)
    published.check_case(model, vectors, precision, case, model.as_published(batch))


def as_published(module: ModuleType, batch: Any, w: by_hand.Weights) -> np.ndarray:
    """Log-probabilities of all columns, padding included."""
    found = []
    for b in range(len(batch.target)):
        context, asked = states(batch.passage[b], batch.question[b], w)
        if module is attention_sum:
            products = context @ asked[batch.question_lengths[b] - 1]
        else:
            products = over(context, asked)
        columns = range(batch.candidates.shape[1])
        scores = [sum(products[t] for t in np.flatnonzero(batch.members[b, k])) for k in columns]
        found.append(np.log(by_hand.softmax(np.array(scores, float))))
    return np.array(found)


@pytest.mark.parametrize("module", [attention_sum, attention_over_attention])
def test_the_program_s_formulas_on_numbers_of_ours(module: ModuleType) -> None:
    model, batch, weights = made(module, variant="as-published")
    by_hand.check_as_published(model, batch, lambda: as_published(module, batch, weights))


@each_row(
    ("module", "reader"),
    [
        (attention_sum, attention_sum.AttentionSum),
        (attention_over_attention, attention_over_attention.AttentionOverAttention),
    ],
)
def test_parameters_are_as_many_as_the_paper_prints(module: ModuleType, reader: Any) -> None:
    with torch.device("meta"):
        models = [
            reader(words, module.Config(embedding=width, hidden=100))
            for words, width in ((253_800, 50), (222_000, 30))
        ]
    counts = [sum(weights.numel() for weights in model.parameters()) for model in models]
    assert counts == [12_872_800, 6_818_800]


@each_row("module", [attention_sum, attention_over_attention])
def test_dropout_is_on_the_embeddings_only_while_training(module: ModuleType) -> None:
    model, batch, _ = made(module, dropout=0.5)
    model.train()
    assert not torch.equal(model(batch).log_probabilities, model(batch).log_probabilities)
    model.eval()
    assert torch.equal(model(batch).log_probabilities, model(batch).log_probabilities)
