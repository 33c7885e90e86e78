"""The network of JPDRMM (Pappas and Androutsopoulos 2021), all sentences of a batch at once.

1. Context: two convolutions over three words, each followed by a sigmoid and added to what it read.
2. Weights of the question's terms: softmax of a linear map of [context; IDF].
3. Term by word: cosine over .999, cosine of words, cosine of contexts; of each the largest, the five largest by five
   (also where there are fewer), the mean. Nine numbers a term, a small network, times the weight, a mean over terms.
4. [ten features; that] through a small network: the sentence's r. [largest r; eleven features]: its document's d.
5. p = sigmoid(linear([r; d])).

A sentence without a word that has a vector counts by its features alone, and for its document's largest r only where
no other is there; the authors leave it out.

Shapes: n instances, s sentences of all of them, m documents, q terms of the longest question, t words of the longest
sentence, e numbers a word.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from anagnosis.readers.evidence.bioclean import OF_DOCUMENT, OF_SENTENCE
from anagnosis.readers.evidence.sentence_loss import Rows, sentence_output
from anagnosis.readers.learning import Output, TensorBatch

HINGE = "hinge"
SAME = 0.999
BEST = 5
INNER = 8
_LEAK = 0.1
_TINY = 1e-12


@dataclass(frozen=True, slots=True)
class JointBatch(TensorBatch):
    """question: float [n, q, e]; asked: bool [n, q]; idf: float [n, q]. words: float [s, t, e]; there: bool [s, t].

    features: float [s, 10]; of_documents: float [m, 11]. document: int64 [s], among all of the batch.
    """

    target: Tensor
    question: Tensor
    asked: Tensor
    idf: Tensor
    words: Tensor
    there: Tensor
    features: Tensor
    of_documents: Tensor
    document: Tensor
    rows: Rows


class JPDRMM(nn.Module):
    """Parameters have the names of the authors' program. hinge: weight of the loss between documents."""

    def __init__(self, width: int, hinge: float = 0.0) -> None:
        super().__init__()
        self.hinge = hinge
        self.trigram_conv_1 = nn.Conv1d(width, width, 3, padding=1)
        self.trigram_conv_2 = nn.Conv1d(width, width, 3, padding=1)
        self.q_weights_mlp = nn.Linear(width + 1, 1)
        self.linear_per_q1 = nn.Linear(9, INNER)
        self.linear_per_q2 = nn.Linear(INNER, 1)
        self.sent_out_layer_1 = nn.Linear(OF_SENTENCE + 1, INNER, bias=False)
        self.sent_out_layer_2 = nn.Linear(INNER, 1, bias=False)
        self.final_layer_1 = nn.Linear(OF_DOCUMENT + 1, INNER)
        self.final_layer_2 = nn.Linear(INNER, 1)
        self.oo_layer = nn.Linear(2, 1)

    def forward(self, batch: JointBatch) -> Output:
        with torch.autocast(batch.words.device.type, enabled=False):
            sentences, documents = self.scores(batch)
            both = torch.stack([sentences, documents[batch.document]], dim=1)
            output = sentence_output(self.oo_layer(both).squeeze(1), batch.rows)
            if self.hinge:
                output.losses[HINGE] = self.hinge * between(documents, batch)
            return output

    def scores(self, batch: JointBatch) -> tuple[Tensor, Tensor]:
        """r of the sentences [s], d of the documents [m]."""
        kind = self.oo_layer.weight.dtype
        question, words = batch.question.to(kind), batch.words.to(kind)
        asked, there = self.context(question, batch.asked), self.context(words, batch.there)
        weights = self.q_weights_mlp(torch.cat([asked, batch.idf.to(kind)[..., None]], dim=2)).squeeze(2)
        weights = weights.masked_fill(~batch.asked, -torch.inf).softmax(1)
        weights = weights.masked_fill(~batch.asked, 0)  # of a question without a word
        own = batch.rows.instance
        alike = _cosines(question[own], words)
        views = torch.cat(
            [
                pooled(view, batch.there)
                for view in ((alike > SAME).to(kind), alike, _cosines(asked[own], there))
            ],
            dim=2,
        )
        leaky = nn.functional.leaky_relu
        terms = self.linear_per_q2(leaky(self.linear_per_q1(views), _LEAK)).squeeze(2)
        terms_there = batch.asked.sum(1).clamp(min=1)[own]
        known = batch.there.any(1) & batch.asked.any(1)[own]
        fitting = (terms * weights[own]).sum(1) / terms_there * known
        inner = self.sent_out_layer_1(torch.cat([batch.features.to(kind), fitting[:, None]], dim=1))
        sentences = self.sent_out_layer_2(leaky(inner, _LEAK)).squeeze(1)
        best = _largest(sentences, known, batch.document, len(batch.of_documents))
        inner = self.final_layer_1(torch.cat([best[:, None], batch.of_documents.to(kind)], dim=1))
        return sentences, self.final_layer_2(leaky(inner, _LEAK)).squeeze(1)

    def context(self, words: Tensor, there: Tensor) -> Tensor:
        """Words [a, b, e] with their neighbours: the same shape, 0 where nothing is there."""
        for convolution in (self.trigram_conv_1, self.trigram_conv_2):
            found = torch.sigmoid(convolution(words.transpose(1, 2)).transpose(1, 2))
            words = (found + words) * there[..., None]
        return words


def pooled(view: Tensor, there: Tensor) -> Tensor:
    """Of [s, q, t] the largest, the sum of the five largest by five, the mean: [s, q, 3]; 0 of an empty sentence."""
    lacking = ~there[:, None, :]
    real = view.masked_fill(lacking, -torch.inf)
    top = real.topk(min(BEST, view.shape[2]), dim=2).values
    top = top.masked_fill(top.isinf(), 0)
    mean = view.masked_fill(lacking, 0).sum(2) / there.sum(1).clamp(min=1)[:, None]
    return torch.stack([top[..., 0], top.sum(2) / BEST, mean], dim=2)


def between(documents: Tensor, batch: JointBatch) -> Tensor:
    """max(0, 1 − d⁺ + d⁻), a mean over an instance's pairs of a document with and one without a held sentence: [n]."""
    held, count = batch.rows.held, len(documents)
    zeros = torch.zeros(count, dtype=torch.int64, device=documents.device)
    good = zeros.index_add(0, batch.document, (held == 1).long()) > 0
    open_ = zeros.index_add(0, batch.document, (held < 0).long()) > 0
    owner = zeros.index_copy(0, batch.document, batch.rows.instance)
    pairs = (owner[:, None] == owner) & good[:, None] & ~good & ~open_
    losses = (1 - documents[:, None] + documents).clamp(min=0) * pairs
    sums = documents.new_zeros(len(batch.target))
    counts = sums.index_add(0, owner, pairs.sum(1).to(sums.dtype)).clamp(min=1)
    return sums.index_add(0, owner, losses.sum(1)) / counts


def _cosines(terms: Tensor, words: Tensor) -> Tensor:
    """[s, q, e] and [s, t, e]: [s, q, t]; 0 where either is nothing."""
    terms, words = (each / each.norm(dim=2, keepdim=True).clamp(min=_TINY) for each in (terms, words))
    return terms @ words.transpose(1, 2)


def _largest(sentences: Tensor, known: Tensor, document: Tensor, documents: int) -> Tensor:
    """The largest r of each document [m], of sentences that are known, or of all where none is."""
    there = torch.zeros(documents, dtype=torch.int64, device=document.device)
    there = there.index_add(0, document, known.long()) > 0
    counted = sentences.masked_fill(there[document] & ~known, -torch.inf)
    lowest = sentences.new_full((documents,), -torch.inf)
    return lowest.scatter_reduce(0, document, counted, "amax")
