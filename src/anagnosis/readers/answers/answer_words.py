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
from pathlib import Path
from typing import Any, Literal

import msgspec
import numpy as np
import torch
from torch import Tensor, nn

from anagnosis.datasets.kinds.question import EXACT_TYPES, SnippetQuestion, distinct
from anagnosis.encoders import load
from anagnosis.encoders.load import Encoder
from anagnosis.encoders.pairs import Pair, Pairing
from anagnosis.errors import InputError
from anagnosis.predictions import Answer
from anagnosis.progress import TextCounts
from anagnosis.readers.answers.ranking import UNTRAINABLE, occurrences, ranked, similar_by
from anagnosis.readers.answers.word_answers import (
    Aggregate,
    Gap,
    Lengths,
    SnippetWord,
    WordAnswers,
    cloze_passage,
    words_by,
)
from anagnosis.readers.learning import AnswerSettings, Output, TensorBatch, ViewedSplit
from anagnosis.readers.mention_scoring import (
    MentionBatch,
    MentionSequences,
    Mlp,
    chunk_vectors,
    of_sequences,
    sequences,
)
from anagnosis.readers.trained_encoder import EncoderLearner, EncoderSettings, OverEncoder, kept_encoder
from anagnosis.recipes.load import Positive, Rate, Width
from anagnosis.registry import referenced

LOSS = "words"
SAVES = ("encoder",)
# Reads the weights of a run; it lies in a higher layer.
BEGUN_WITH = "anagnosis.training.runs.cloze_scores:begins"


class Config(EncoderSettings, AnswerSettings, frozen=True, kw_only=True):
    """cloze: a run of masked-encoder to begin with, over the same encoder and with the same `hidden`; "" for none.

    hidden: the MLP's hidden units. sentences: the splitter. gap, stop_words, score, lengths, group, similarity:
    as the options of snippet-cloze.
    """

    view: Literal["snippets"] = "snippets"
    stop: str = "factoid_mrr"
    cloze: str = ""
    hidden: Width = 100
    sentences: str = "nupunkt"
    gap: Gap = "end"
    stop_words: str = "nltk"
    score: Aggregate = "sum"
    lengths: Lengths = "inclusive"
    group: bool = True
    similarity: str = "WRatio"
    batch: Positive = 8
    rate: Rate = 3e-5
    epochs: Positive = 3


class Word(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Characters [begin, end) of a snippet. content: whether an answer may hold it. right: it belongs to an answer."""

    begin: int
    end: int
    content: bool
    right: bool


class ReadSnippet(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A snippet that is read. number: its index among those of the question."""

    number: int
    text: str
    words: tuple[Word, ...]


class WordExample(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A question with the words of its snippets; without any if it is no factoid or list question.

    target: 0, -1 for no training. pairs: sentences of all snippets. owners: of each mention in them the number of its
    word, counted over all snippets.
    """

    id: str
    type: str
    target: int
    snippets: tuple[ReadSnippet, ...]
    pairs: MentionSequences
    owners: tuple[int, ...]

    @property
    def size(self) -> int:
        """The number of word pieces, at least one."""
        return self.pairs.size

    @property
    def words(self) -> list[Word]:
        """The words of all snippets in order."""
        return [word for snippet in self.snippets for word in snippet.words]


@dataclass(frozen=True, slots=True)
class AnswerWordBatch(TensorBatch):
    """target: int64 [n]. mentions: the sentences. question, word: int64 [m], of each mention, its word's number in the
    question. right: float [n, k], 1 for words of an answer. real: bool [n, k], no padding."""

    target: Tensor
    mentions: MentionBatch
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
        probabilities = scores.masked_fill(~batch.real, -torch.inf).log_softmax(1)
        return Output(probabilities, {LOSS: loss}, batch.right > 0)

    def scores(self, batch: AnswerWordBatch) -> Tensor:
        """The scores of the words before the sigmoid, float [n, k], 0 for padding."""
        weight = self.head.outer.weight
        vectors = chunk_vectors(self.encoder, batch.mentions).to(weight.dtype)
        # The head is cheap, so it needs no half precision.
        with torch.autocast(weight.device.type, enabled=False):
            of_mentions = self.head(vectors[batch.mentions.mention], vectors[batch.mentions.mask])
        return of_mentions.new_zeros(batch.real.shape).index_put((batch.question, batch.word), of_mentions)


class AnswerWordsLearner(EncoderLearner):
    """See learning.Learner. begun: the weights to begin with; None for random ones."""

    example, exact = WordExample, True

    def __init__(self, config: Config, encoder: Encoder, begun: Mapping[str, Tensor] | None = None) -> None:
        super().__init__(config, encoder)
        self._begun = begun
        self._words = words_by(config.stop_words)
        self._chosen = WordAnswers(config.score, config.lengths)
        self._similar = similar_by(config.similarity)

    def encode(self, split: ViewedSplit) -> Iterator[WordExample]:
        pairing = Pairing(self.encoder.pieces, self.config.sentences)
        counts = TextCounts()
        for asked in split.viewed():
            example = self._encoded(asked, pairing)
            counts[UNTRAINABLE] += example.target < 0
            yield example
        if split.name == "train":
            counts.report(split.name)
        pairing.counts.report(split.name)

    def _encoded(self, asked: SnippetQuestion, pairing: Pairing) -> WordExample:
        if asked.type not in EXACT_TYPES:
            return WordExample(asked.id, asked.type, -1, (), sequences(asked.id, -1, 1, []), ())
        synonyms = [text for entry in asked.exact or () for text in entry]
        read: list[ReadSnippet] = []
        pairs: list[Pair] = []
        owners: list[int] = []
        first = 0
        for number, text in distinct(asked.snippets):
            spans = self._words(text)
            if not spans:
                continue
            places = [(word.begin, word.end) for word in spans]
            passage = cloze_passage(f"{asked.id}:{number}", text, places, asked.question, self.config.gap)
            of_snippet = pairing(passage)
            pairs += of_snippet
            owners += [first + owner for pair in of_snippet for owner in pair.owners]
            read.append(ReadSnippet(number, text, tuple(words_of_answers(text, spans, synonyms))))
            first += len(spans)
        target = 0 if asked.target >= 0 and any(w.right for each in read for w in each.words) else -1
        # The candidates of the sequences are not used, so all mentions are of one.
        of_one = [pair._replace(owners=(0,) * len(pair.owners)) for pair in pairs]
        joined = sequences(asked.id, target, 1, of_one)
        return WordExample(asked.id, asked.type, target, tuple(read), joined, tuple(owners))

    def collate(self, examples: Sequence[WordExample]) -> AnswerWordBatch:
        words = [example.words for example in examples]
        counts = np.array([*map(len, words)], np.int64)
        right = np.zeros((len(examples), max(1, counts.max(initial=0))), np.float32)
        for row, each in zip(right, words, strict=True):
            row[: len(each)] = [word.right for word in each]
        mentions = [example.owners for example in examples]
        return AnswerWordBatch(
            torch.tensor([example.target for example in examples]),
            of_sequences([example.pairs for example in examples], self.encoder.pieces, self.device),
            torch.from_numpy(np.repeat(np.arange(len(examples)), [*map(len, mentions)])),
            torch.tensor([owner for each in mentions for owner in each], dtype=torch.int64),
            torch.from_numpy(right),
            torch.from_numpy(np.arange(right.shape[1]) < counts[:, None]),
        )

    def answers(self, model: nn.Module, examples: Sequence[WordExample]) -> list[list[Answer]]:
        assert isinstance(model, AnswerWords)
        scores = model.scores(self.collate(examples).to(self.device)).float().tolist()
        return [self._ranked(example, row) for example, row in zip(examples, scores, strict=True)]

    def _ranked(self, example: WordExample, scores: Sequence[float]) -> list[Answer]:
        """scores: of the question's words, perhaps with padding."""
        answers: list[Answer] = []
        first = 0
        for snippet in example.snippets:
            last = first + len(snippet.words)
            words = [SnippetWord(word.begin, word.end, word.content) for word in snippet.words]
            best = self._chosen.best(example.type, snippet.number, snippet.text, words, scores[first:last])
            answers += [] if best is None else [best]
            first = last
        return ranked(answers, example.type, group=self.config.group, similar=self._similar)

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


def restore(config: Config, folder: Path) -> AnswerWordsLearner:
    """Restore the learner from a run folder, which contains everything."""
    return AnswerWordsLearner(config, kept_encoder(config, folder))


def words_of_answers(text: str, words: Sequence[SnippetWord], synonyms: Sequence[str]) -> Iterator[Word]:
    """The words of a snippet with their targets. synonyms: of the exact answer."""
    places = occurrences(text, synonyms)
    for word in words:
        right = any(begin < word.end and word.begin < end for begin, end in places)
        yield Word(word.begin, word.end, word.content, right)


def _begin_with(model: AnswerWords, begun: Mapping[str, Tensor], cloze: str) -> None:
    """Copy a run's weights. InputError: they are of an MLP of another shape."""
    ours = model.state_dict()
    strange = [name for name, weight in begun.items() if name not in ours or ours[name].shape != weight.shape]
    if strange:
        raise InputError(
            f"its weights {strange[0]} do not fit this reader",
            cloze,
            "name a run of masked-encoder with the same encoder and hidden units",
        )
    model.load_state_dict(begun, strict=False)
