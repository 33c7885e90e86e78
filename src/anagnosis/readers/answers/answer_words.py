"""Fine-tuning of the cloze pipeline: which words of a snippet belong to an exact answer (the thesis, 4.2.1 and 4.3).

Each sentence of a snippet is read with the question, [MASK] in its gap, as the masked-encoder reader does; the MLP on
the vectors of a word's first piece and of [MASK] gives the word's score. The target of a word is 1 if it belongs to an
occurrence of a synonym of the exact answer, else 0; the loss of a question is the mean binary cross-entropy of the
sigmoid over all words of its snippets. Answers come from the scores as in zero-shot cloze (word_answers.py).

`cloze` names a run of the masked-encoder reader to begin with; without it the MLP begins with random weights.

Shapes: n questions, s sentences, m words of all of them, v vectors, h their width, k words of the longest question.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Literal

import msgspec
import numpy as np
import torch
from torch import Tensor, nn

from anagnosis.datasets.kinds.question import SnippetQuestion
from anagnosis.encoders import load
from anagnosis.encoders.load import Encoder
from anagnosis.encoders.pairs import Pair, Pairing
from anagnosis.encoders.run import Chunk
from anagnosis.errors import InputError
from anagnosis.language.stop_words import stop_words
from anagnosis.predictions import Answer
from anagnosis.readers.answers.ranking import occurrences
from anagnosis.readers.answers.word_answers import Aggregate, Gap, ReadSnippet, WordAnswers
from anagnosis.readers.learning import AnswerSettings, Output, TensorBatch, ViewedSplit, exact_output
from anagnosis.readers.mention_scoring import Mlp, chunk_vectors, chunked
from anagnosis.readers.trained_encoder import EncoderLearner, EncoderSettings, OverEncoder
from anagnosis.recipes.load import Positive, Rate, Width
from anagnosis.registry import referenced

LOSS = "words"
SAVES = ("encoder",)
# Reads the weights of a run; it lies in a higher layer.
BEGUN_WITH = "anagnosis.training.runs.cloze_scores:begins"


class Config(EncoderSettings, AnswerSettings, frozen=True, kw_only=True):
    """cloze: a run of masked-encoder to begin with, over the same encoder and with the same `hidden`; "" for none.

    hidden: the MLP's hidden units. sentences: the splitter. gap, stop_words, score, group: as the options of
    snippet-cloze.
    """

    view: Literal["snippets"] = "snippets"
    stop: str = "factoid_mrr"
    cloze: str = ""
    hidden: Width = 100
    sentences: str = "nupunkt"
    gap: Gap = "end"
    stop_words: str = "nltk"
    score: Aggregate = "sum"
    group: bool = True
    batch: Positive = 8
    rate: Rate = 3e-5
    epochs: Positive = 3


class WordExample(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A question with the words of its snippets; without any if it is no factoid or list question.

    target: 0, -1 for no training. right: of each word of all snippets, whether it belongs to an answer. pairs: of the
    sentences; the owner of a mention is the number of its word, counted over all snippets.
    """

    id: str
    type: str
    target: int
    snippets: tuple[ReadSnippet, ...]
    right: tuple[bool, ...]
    pairs: tuple[Pair, ...]

    @property
    def size(self) -> int:
        """The number of word pieces, at least one."""
        return max(1, sum(len(pair.pieces) for pair in self.pairs))


@dataclass(frozen=True, slots=True)
class AnswerWordBatch(TensorBatch):
    """target: int64 [n]. chunks, mention, mask: the sentences, as in MentionBatch. question, word: int64 [m], of each
    mention, its word's number in the question. right: float [n, k], 1 for words of an answer. real: bool [n, k], no
    padding."""

    target: Tensor
    chunks: tuple[Chunk, ...]
    mention: Tensor
    mask: Tensor
    question: Tensor
    word: Tensor
    right: Tensor
    real: Tensor


class AnswerWords(OverEncoder):
    """The encoder with an MLP on the vectors of a word and of [MASK]."""

    def __init__(self, config: Config, encoder: Any) -> None:
        super().__init__(config, encoder)
        self.head = Mlp(encoder.get_input_embeddings().weight.shape[1], config.hidden)

    def forward(self, batch: AnswerWordBatch) -> Output:
        scores = self.scores(batch)
        of_words = nn.functional.binary_cross_entropy_with_logits(scores, batch.right, reduction="none")
        loss = (of_words * batch.real).sum(1) / batch.real.sum(1).clamp(min=1)
        return exact_output({LOSS: loss})

    def scores(self, batch: AnswerWordBatch) -> Tensor:
        """The scores of the words before the sigmoid, float [n, k], 0 for padding."""
        vectors = chunk_vectors(self.encoder, batch.chunks)
        of_mentions = self.head(vectors, batch.mention, batch.mask)
        return of_mentions.new_zeros(batch.real.shape).index_put((batch.question, batch.word), of_mentions)


class AnswerWordsLearner(EncoderLearner):
    """See learning.Learner. begun: the weights to begin with; None for random ones."""

    example, exact = WordExample, True

    def __init__(self, config: Config, encoder: Encoder, begun: Mapping[str, Tensor] | None = None) -> None:
        super().__init__(config, encoder)
        self._begun = begun
        self._words = WordAnswers(config.gap, stop_words(config.stop_words), config.score, config.group)

    def encode(self, split: ViewedSplit) -> Iterator[WordExample]:
        pairing = Pairing(self.encoder.pieces, self.config.sentences)
        for asked in split.viewed():
            yield self._encoded(asked, pairing)
        pairing.counts.report(split.name)

    def _encoded(self, asked: SnippetQuestion, pairing: Pairing) -> WordExample:
        synonyms = [text for entry in asked.exact or () for text in entry]
        read: list[ReadSnippet] = []
        right: list[bool] = []
        pairs: list[Pair] = []
        for snippet, passage in self._words.read(asked):
            before = len(right)
            pairs += [
                pair._replace(owners=tuple([before + owner for owner in pair.owners]))
                for pair in pairing(passage)
            ]
            right += words_of_answers(snippet, synonyms)
            read.append(snippet)
        target = 0 if asked.target >= 0 and any(right) else -1
        return WordExample(asked.id, asked.type, target, tuple(read), tuple(right), tuple(pairs))

    def collate(self, examples: Sequence[WordExample]) -> AnswerWordBatch:
        counts = np.array([len(example.right) for example in examples], np.int64)
        right = np.zeros((len(examples), max(1, counts.max(initial=0))), np.float32)
        for row, example in zip(right, examples, strict=True):
            row[: len(example.right)] = example.right
        pairs = [(number, pair) for number, example in enumerate(examples) for pair in example.pairs]
        return AnswerWordBatch(
            torch.tensor([example.target for example in examples]),
            *chunked([pair for _, pair in pairs], self.encoder.pieces, self.device),
            torch.tensor([number for number, pair in pairs for _ in pair.owners], dtype=torch.int64),
            torch.tensor([owner for _, pair in pairs for owner in pair.owners], dtype=torch.int64),
            torch.from_numpy(right),
            torch.from_numpy(np.arange(right.shape[1]) < counts[:, None]),
        )

    def answers(self, model: nn.Module, examples: Sequence[WordExample]) -> list[list[Answer]]:
        assert isinstance(model, AnswerWords)
        rows = model.scores(self.collate(examples).to(self.device)).float().tolist()
        found: list[list[Answer]] = []
        for example, row in zip(examples, rows, strict=True):
            scores = iter(row)
            of_snippets = [[*islice(scores, len(snippet.words))] for snippet in example.snippets]
            found.append(self._words.answers(example.type, example.snippets, of_snippets))
        return found

    def model(self) -> nn.Module:
        model = AnswerWords(self.config, self.encoder.model)
        if self._begun is not None:
            _begin_with(model, self._begun, self.config.cloze)
        return model


def prepare(config: Config, training: ViewedSplit) -> AnswerWordsLearner:
    """Load the encoder, and the weights of the run to begin with."""
    encoder = load.load(config.encoder)
    begun = referenced(BEGUN_WITH)(config.cloze, encoder.digest) if config.cloze else None
    return AnswerWordsLearner(config, encoder, begun)


restore = AnswerWordsLearner.restore


def words_of_answers(snippet: ReadSnippet, synonyms: Sequence[str]) -> list[bool]:
    """Whether each word of a snippet belongs to an answer. synonyms: of the exact answer."""
    places = occurrences(snippet.text, synonyms)
    return [any(begin < word.end and word.begin < end for begin, end in places) for word in snippet.words]


def _begin_with(model: AnswerWords, begun: Mapping[str, Tensor], cloze: str) -> None:
    """Copy a run's weights. InputError: they are of an MLP of another shape."""
    ours = model.state_dict()
    strange = [name for name, weight in begun.items() if name not in ours or ours[name].shape != weight.shape]
    if strange:
        remedy = "name a run of masked-encoder with the same encoder and hidden units"
        raise InputError(f"its weights {strange[0]} do not fit this reader", cloze, remedy)
    model.load_state_dict(begun, strict=False)
