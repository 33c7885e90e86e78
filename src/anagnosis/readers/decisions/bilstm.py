"""A bidirectional LSTM over the words of question and context (PubMedQA, section 4.4: BiLSTM).

1. The input is the words of the question, then those of the context.
2. A word's vector comes from a word2vec file and stays fixed (the paper used those of Pyysalo et al. 2013); a learned
   vector of its segment, question or context, is appended.
3. The last states of the LSTM's two directions give the label.

The paper gives no sizes and rates; ours are our choice. All words that the file lacks share one learned vector. No
context is cut.

Shapes: n instances, t words of the longest, d numbers a word, h numbers of a state in each direction.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec
import torch
from torch import Tensor, nn

from anagnosis.language.words import written_words_of
from anagnosis.readers.decisions import long_answer, vector_file
from anagnosis.readers.decisions.long_answer import LabelHead, Vocabulary
from anagnosis.readers.decisions.vector_file import FixedWords
from anagnosis.readers.learning import Learner, LongAnswerSettings, Output, TensorBatch, ViewedSplit
from anagnosis.readers.recurrent.bidirectional import BiLSTM, ends
from anagnosis.recipes.load import Share, Width

PADDING, UNKNOWN = 0, 1  # rows of the learned vectors; a word of the file reads padding's, which is 0
SAVES = ("vectors.json", "long_answers.json")


class Config(LongAnswerSettings, frozen=True, kw_only=True):
    """vectors: a word2vec file. embedding, segment: widths of a word and of a segment."""

    vectors: str = ""
    embedding: Width = 200
    segment: Width = 10
    hidden: Width = 100
    dropout: Share = 0.5


class QuestionWords(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The words of an instance. answer_words: places of the long answer's words in their vocabulary."""

    id: str
    target: int
    question: tuple[str, ...]
    read: tuple[str, ...]
    answer_words: tuple[int, ...] = ()

    @property
    def size(self) -> int:
        """The number of words."""
        return len(self.question) + len(self.read)


@dataclass(frozen=True, slots=True)
class WordBatch(TensorBatch):
    """words: int64 [n, t], PADDING if `vectors` has the word. vectors: float [n, t, d]. segments: int64 [n, t].
    lengths: int64 [n]. answer_words: float [n, words of long answers].
    """

    target: Tensor
    words: Tensor
    vectors: Tensor
    segments: Tensor
    lengths: Tensor
    answer_words: Tensor


class BiLSTMReader(nn.Module):
    """The LSTM with a head over its last states."""

    def __init__(self, config: Config, auxiliary: Vocabulary | None) -> None:
        super().__init__()
        self.words = nn.Embedding(1 + UNKNOWN, config.embedding, padding_idx=PADDING)
        self.segments = nn.Embedding(2, config.segment)
        self.lstm = BiLSTM(config.embedding + config.segment, config.hidden)
        self.dropout = nn.Dropout(config.dropout)
        self.head = LabelHead(2 * config.hidden, config.auxiliary, auxiliary)

    def forward(self, batch: WordBatch) -> Output:
        with torch.autocast(batch.words.device.type, enabled=False):
            words = self.words(batch.words)  # [n, t, d]
            words = words + batch.vectors.to(words.dtype)
            inputs = self.dropout(torch.cat([words, self.segments(batch.segments)], dim=2))
            states = self.lstm(inputs, batch.lengths)  # [n, t, 2h]
            vectors = self.dropout(ends(states, batch.lengths))
            return self.head(vectors, batch.target, batch.answer_words)


class BiLSTMLearner(Learner):
    """See learning.Learner. words: those of the file."""

    example = QuestionWords

    def __init__(self, config: Config, words: FixedWords, auxiliary: Vocabulary | None) -> None:
        self.config, self.words, self.auxiliary = config, words, auxiliary

    def encode(self, split: ViewedSplit) -> Iterator[QuestionWords]:
        """Look up the vectors of all words, then encode."""
        self.words.look_up(map(_all, self._words(split)), split.name)
        return self._words(split)

    def _words(self, split: ViewedSplit) -> Iterator[QuestionWords]:
        for posed in split.viewed():
            yield QuestionWords(
                posed.id,
                posed.target,
                tuple(written_words_of(posed.question)),
                tuple(word for section in posed.read for word in written_words_of(section.text)),
                long_answer.word_places(self.auxiliary, posed.long_answer),
            )

    def collate(self, examples: Sequence[QuestionWords]) -> WordBatch:
        rows = [_all(example) for example in examples]
        longest = max(1, *map(len, rows))
        words = torch.full((len(rows), longest), PADDING)
        segments = torch.zeros(len(rows), longest, dtype=torch.int64)
        for number, (example, row) in enumerate(zip(examples, rows, strict=True)):
            rows_read = [PADDING if word in self.words else UNKNOWN for word in row]
            words[number, : len(row)] = torch.tensor(rows_read, dtype=torch.int64)
            segments[number, len(example.question) : len(row)] = 1
        return WordBatch(
            torch.tensor([example.target for example in examples]),
            words,
            self.words.vectors(rows, longest),
            segments,
            torch.tensor([len(row) for row in rows]),
            long_answer.targets([example.answer_words for example in examples], self.auxiliary),
        )

    def model(self) -> nn.Module:
        return BiLSTMReader(self.config, self.auxiliary)

    def save(self, folder: Path) -> None:
        vector_file.record(self.words, folder)
        long_answer.save(self.auxiliary, folder)


def prepare(config: Config, training: ViewedSplit) -> BiLSTMLearner:
    """Open the file of vectors. InputError: none is named."""
    words = vector_file.named(config.vectors, config.embedding)
    auxiliary = long_answer.count_words(training, config.auxiliary, config.auxiliary_words)
    return BiLSTMLearner(config, words, auxiliary)


def restore(config: Config, folder: Path) -> BiLSTMLearner:
    """Restore the learner from a run folder; the file of vectors must be unchanged at its recorded place."""
    return BiLSTMLearner(config, vector_file.restore(folder), long_answer.restore(folder, config.auxiliary))


def _all(example: QuestionWords) -> tuple[str, ...]:
    return (*example.question, *example.read)
