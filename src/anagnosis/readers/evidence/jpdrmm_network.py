"""The network of JPDRMM (Pappas and Androutsopoulos 2021), all sentences of a batch at once.

1. Context: two convolutions over three words, each followed by a sigmoid and added to its input.
2. Weights of the question's terms: softmax of a linear map of [context; IDF].
3. Term by word: whether the cosine exceeds .999, the cosine of words, the cosine of contexts; of each the largest, the
   sum of the five largest (or fewer) by five, the mean. A small network over these nine numbers of a term, times the
   weight, averaged over terms.
4. [ten features; that] through a small network: the sentence's r. [largest r; eleven features]: its document's d.
5. p = sigmoid(linear([r; d])), the last layer; without it p = sigmoid(r).

The loss of an instance is the sum of its sentences' binary cross-entropies and the hinge loss max(0, 1 − d⁺ + d⁻)
between a document with a gold sentence and one without, averaged over such pairs; a pair of documents, as training
draws it, has one.

A sentence in which no word has a vector has only its features, and gives its document's largest r only if all
sentences are such; the authors' program leaves it out.

Shapes: n instances, s sentences of all of them, m documents, q terms of the longest question, t words of the longest
sentence, e numbers a word.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import torch
from torch import Tensor, nn

from anagnosis.readers.evidence.jpdrmm_examples import OF_DOCUMENT, OF_SENTENCE
from anagnosis.readers.evidence.sentence_loss import LOSS, Rows, summed_output
from anagnosis.readers.learning import LOSS as BY_LOSS
from anagnosis.readers.learning import EvidenceSettings, Output, TensorBatch
from anagnosis.recipes.load import Positive, Rate, Weight, Width

HINGE = "hinge"
SIMILARITIES, VIEWS = 3, 3  # of a term and a word, numbers of each
SAME = 0.999
BEST = 5
INNER = 8
_LEAK = 0.1
_TINY = 1e-12


@dataclass(frozen=True, slots=True)
class JointBatch(TensorBatch):
    """question: float [n, q, e]; question_mask: bool [n, q]; idf: float [n, q]. words: float [s, t, e].

    word_mask: bool [s, t]. features: float [s, 10]; of_documents: float [m, 11]. document: int64 [s], in the batch.
    """

    target: Tensor
    question: Tensor
    question_mask: Tensor
    idf: Tensor
    words: Tensor
    word_mask: Tensor
    features: Tensor
    of_documents: Tensor
    document: Tensor
    rows: Rows


class Config(EvidenceSettings, frozen=True, kw_only=True):
    """vectors: a word2vec file. embedding: its width. hinge: weight of the loss between documents, 0 for none.

    sentence_weight: weight of the sentences' loss. document_features, last_layer: False leaves that part out of the
    network.
    """

    vectors: str = ""
    embedding: Width = 30
    hinge: Weight = 0.0
    sentence_weight: Rate = 1.0
    document_features: bool = True
    last_layer: bool = True
    rate: Rate = 0.01
    epochs: Positive = 30
    stop: str = BY_LOSS
    patience: Positive = 4


class JPDRMM(nn.Module):
    """The network, with the authors' names of parameters."""

    def __init__(self, config: Config) -> None:
        super().__init__()
        self.config, width = config, config.embedding
        of_document = OF_DOCUMENT if config.document_features else 0
        self.trigram_conv_1 = nn.Conv1d(width, width, 3, padding=1)
        self.trigram_conv_2 = nn.Conv1d(width, width, 3, padding=1)
        self.q_weights_mlp = nn.Linear(width + 1, 1)
        self.linear_per_q1 = nn.Linear(VIEWS * SIMILARITIES, INNER)
        self.linear_per_q2 = nn.Linear(INNER, 1)
        self.sent_out_layer_1 = nn.Linear(OF_SENTENCE + 1, INNER, bias=False)
        self.sent_out_layer_2 = nn.Linear(INNER, 1, bias=False)
        self.final_layer_1 = nn.Linear(of_document + 1, INNER)
        self.final_layer_2 = nn.Linear(INNER, 1)
        if config.last_layer:
            self.oo_layer = nn.Linear(2, 1)

    def forward(self, batch: JointBatch) -> Output:
        with torch.autocast(batch.words.device.type, enabled=False):
            sentences, documents = self.scores(batch)
            output = summed_output(self.logits(sentences, documents[batch.document]), batch.rows)
            output.losses[LOSS] *= self.config.sentence_weight
            if self.config.hinge:
                output.losses[HINGE] = self.config.hinge * between(documents, batch)
            return replace(output, documents=documents)

    def logits(self, sentences: Tensor, documents: Tensor) -> Tensor:
        """Of p [s]. sentences: r [s]. documents: d of each sentence's document [s]."""
        if not self.config.last_layer:
            return sentences
        return self.oo_layer(torch.stack([sentences, documents], dim=1)).squeeze(1)

    def scores(self, batch: JointBatch) -> tuple[Tensor, Tensor]:
        """r of the sentences [s], d of the documents [m]."""
        config, kind = self.config, self.final_layer_2.weight.dtype
        question, words = batch.question.to(kind), batch.words.to(kind)
        of_terms = self.context(question, batch.question_mask)
        of_words = self.context(words, batch.word_mask)
        weights = self.q_weights_mlp(torch.cat([of_terms, batch.idf.to(kind)[..., None]], dim=2)).squeeze(2)
        weights = weights.masked_fill(~batch.question_mask, -torch.inf).softmax(1)
        weights = weights.masked_fill(~batch.question_mask, 0)  # for a question without known words
        instance = batch.rows.instance
        cosines = _cosines(question[instance], words)
        similarities = (cosines > SAME).to(kind), cosines, _cosines(of_terms[instance], of_words)
        views = torch.cat([pooled(view, batch.word_mask) for view in similarities], dim=2)
        leaky = nn.functional.leaky_relu
        terms = self.linear_per_q2(leaky(self.linear_per_q1(views), _LEAK)).squeeze(2)
        term_counts = batch.question_mask.sum(1).clamp(min=1)[instance]
        known = batch.word_mask.any(1) & batch.question_mask.any(1)[instance]
        fitting = (terms * weights[instance]).sum(1) / term_counts * known
        inner = self.sent_out_layer_1(torch.cat([batch.features.to(kind), fitting[:, None]], dim=1))
        sentences = self.sent_out_layer_2(leaky(inner, _LEAK)).squeeze(1)
        best = _largest(sentences, known, batch.document, len(batch.of_documents))
        features = [batch.of_documents.to(kind)] * config.document_features
        inner = self.final_layer_1(torch.cat([best[:, None], *features], dim=1))
        return sentences, self.final_layer_2(leaky(inner, _LEAK)).squeeze(1)

    def context(self, words: Tensor, mask: Tensor) -> Tensor:
        """Words [a, b, e] with their neighbours: the same shape, 0 for padding."""
        for convolution in (self.trigram_conv_1, self.trigram_conv_2):
            neighbours = torch.sigmoid(convolution(words.transpose(1, 2)).transpose(1, 2))
            words = (neighbours + words) * mask[..., None]
        return words


def pooled(view: Tensor, mask: Tensor) -> Tensor:
    """From [s, q, t] the largest, the sum of the five largest by five, the mean: [s, q, 3]; 0 for an empty sentence."""
    lacking = ~mask[:, None, :]
    real = view.masked_fill(lacking, -torch.inf)
    top = real.topk(min(BEST, view.shape[2]), dim=2).values
    top = top.masked_fill(top.isinf(), 0)
    mean = view.masked_fill(lacking, 0).sum(2) / mask.sum(1).clamp(min=1)[:, None]
    return torch.stack([top[..., 0], top.sum(2) / BEST, mean], dim=2)


def between(documents: Tensor, batch: JointBatch) -> Tensor:
    """[n]: max(0, 1 − d⁺ + d⁻), averaged over pairs of a document with and one without a gold sentence."""
    gold, count = batch.rows.gold, len(documents)
    zeros = torch.zeros(count, dtype=torch.int64, device=documents.device)
    good = zeros.index_add(0, batch.document, (gold == 1).long()) > 0
    open_ = zeros.index_add(0, batch.document, (gold < 0).long()) > 0
    owner = zeros.index_copy(0, batch.document, batch.rows.instance)
    pairs = (owner[:, None] == owner) & good[:, None] & ~good & ~open_
    losses = (1 - documents[:, None] + documents).clamp(min=0) * pairs
    sums = documents.new_zeros(len(batch.target))
    counts = sums.index_add(0, owner, pairs.sum(1).to(sums.dtype)).clamp(min=1)
    return sums.index_add(0, owner, losses.sum(1)) / counts


def _cosines(terms: Tensor, words: Tensor) -> Tensor:
    """Cosines [s, q, t] of [s, q, e] and [s, t, e]; 0 for zero vectors."""
    terms, words = (each / each.norm(dim=2, keepdim=True).clamp(min=_TINY) for each in (terms, words))
    return terms @ words.transpose(1, 2)


def _largest(sentences: Tensor, known: Tensor, document: Tensor, documents: int) -> Tensor:
    """The largest r of each document [m] over its known sentences, or over all if none is known."""
    has_known = torch.zeros(documents, dtype=torch.int64, device=document.device)
    has_known = has_known.index_add(0, document, known.long()) > 0
    counted = sentences.masked_fill(has_known[document] & ~known, -torch.inf)
    lowest = sentences.new_full((documents,), -torch.inf)
    return lowest.scatter_reduce(0, document, counted, "amax")
