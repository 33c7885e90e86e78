"""A bidirectional LSTM over the words of question and context (PubMedQA, section 4.4: BiLSTM).

1. The input is the words of the question, then those of the context.
2. A word's vector comes from a word2vec file and stays fixed (the paper used those of Pyysalo et al. 2013), or is
   learned; a learned vector of its segment, question or context, is appended.
3. The last states of the LSTM's two directions give the label.

The paper gives no sizes and rates; ours are our choice. All words that the file lacks, or that are in too few texts of
the train part, share one learned vector. No context is cut.

Shapes: n instances, t words of the longest, d numbers a word, h numbers of a state in each direction.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec
import torch
from torch import Tensor, nn

from anagnosis.io.decoding import read_json
from anagnosis.io.files import write_bytes
from anagnosis.language.words import words_of, written_words_of
from anagnosis.progress import print_note
from anagnosis.readers.decisions import long_answer, vector_file
from anagnosis.readers.decisions.long_answer import LabelHead, Vocabulary, count
from anagnosis.readers.decisions.vector_file import FixedWords
from anagnosis.readers.learning import Learner, LongAnswerSettings, Output, TensorBatch, ViewedSplit
from anagnosis.readers.recurrent.bidirectional import BiLSTM, ends
from anagnosis.recipes.load import Positive, Share, Width

FILE = "vocabulary.json"
PADDING, UNKNOWN, SPECIAL = 0, 1, 2
SAVES = ("vocabulary.json", "vectors.json", "long_answers.json")


class Config(LongAnswerSettings, frozen=True, kw_only=True):
    """vectors: a word2vec file; "" to learn words. embedding, segment: widths of a word and of a segment.

    most, threshold: most learned words, and the texts of the train part that must have each.
    """

    vectors: str = ""
    embedding: Width = 200
    segment: Width = 10
    most: Positive = 20_000
    threshold: Positive = 2
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
    """words: int64 [n, t], also PADDING if `vectors` has the word; vectors: float [n, t, d], or [n, t, 0] for learned
    words; segments: int64 [n, t]; lengths: int64 [n]. answer_words: float [n, words of long answers].
    """

    target: Tensor
    words: Tensor
    vectors: Tensor
    segments: Tensor
    lengths: Tensor
    answer_words: Tensor


class BiLSTMReader(nn.Module):
    """words: rows of the table of learned vectors, including padding and the unknown word."""

    def __init__(self, config: Config, words: int, auxiliary: Vocabulary | None) -> None:
        super().__init__()
        self.words = nn.Embedding(words, config.embedding, padding_idx=PADDING)
        self.segments = nn.Embedding(2, config.segment)
        self.lstm = BiLSTM(config.embedding + config.segment, config.hidden)
        self.dropout = nn.Dropout(config.dropout)
        self.head = LabelHead(2 * config.hidden, config.auxiliary, auxiliary)

    def forward(self, batch: WordBatch) -> Output:
        with torch.autocast(batch.words.device.type, enabled=False):
            words = self.words(batch.words)  # [n, t, d]
            if batch.vectors.shape[2]:
                words = words + batch.vectors.to(words.dtype)
            inputs = self.dropout(torch.cat([words, self.segments(batch.segments)], dim=2))
            states = self.lstm(inputs, batch.lengths)  # [n, t, 2h]
            vectors = self.dropout(ends(states, batch.lengths))
            return self.head(vectors, batch.target, batch.answer_words)


class BiLSTMLearner(Learner):
    """See learning.Learner. words: those of the file or the learned ones."""

    example = QuestionWords

    def __init__(self, config: Config, words: FixedWords | Vocabulary, auxiliary: Vocabulary | None) -> None:
        self.config, self.words, self.auxiliary = config, words, auxiliary
        learned = words.words if isinstance(words, Vocabulary) else []
        self._places = {word: place for place, word in enumerate(learned, SPECIAL)}

    def encode(self, split: ViewedSplit) -> Iterator[QuestionWords]:
        """Look up the vectors of all words, then encode."""
        if isinstance(self.words, FixedWords):
            self.words.look_up({word for example in self._words(split) for word in _all(example)})
        return self._report_unknown(split)

    def _words(self, split: ViewedSplit) -> Iterator[QuestionWords]:
        words_in = written_words_of if isinstance(self.words, FixedWords) else words_of
        for posed in split.viewed():
            yield QuestionWords(
                posed.id,
                posed.target,
                tuple(words_in(posed.question)),
                tuple(word for section in posed.read for word in words_in(section.text)),
                long_answer.word_places(self.auxiliary, posed.long_answer),
            )

    def _report_unknown(self, split: ViewedSplit) -> Iterator[QuestionWords]:
        unknown = total = 0
        for example in self._words(split):
            total += example.size
            unknown += sum(self._place(word) == UNKNOWN for word in _all(example))
            yield example
        if unknown:
            print_note(f"{split.name}: {unknown:,} of {total:,} words are read as the unknown word")

    def _place(self, word: str) -> int:
        """The row of a word among the learned vectors; PADDING for one with a vector from the file."""
        if isinstance(self.words, FixedWords):
            return PADDING if word in self.words else UNKNOWN
        return self._places.get(word, UNKNOWN)

    def collate(self, examples: Sequence[QuestionWords]) -> WordBatch:
        rows = [_all(example) for example in examples]
        longest = max(1, *map(len, rows))
        words = torch.full((len(rows), longest), PADDING)
        segments = torch.zeros(len(rows), longest, dtype=torch.int64)
        for number, (example, row) in enumerate(zip(examples, rows, strict=True)):
            words[number, : len(row)] = torch.tensor([self._place(word) for word in row], dtype=torch.int64)
            segments[number, len(example.question) : len(row)] = 1
        return WordBatch(
            torch.tensor([example.target for example in examples]),
            words,
            self.words.vectors(rows, longest)
            if isinstance(self.words, FixedWords)
            else torch.empty(len(rows), longest, 0),
            segments,
            torch.tensor([len(row) for row in rows]),
            long_answer.targets([example.answer_words for example in examples], self.auxiliary),
        )

    def model(self) -> nn.Module:
        return BiLSTMReader(self.config, SPECIAL + len(self._places), self.auxiliary)

    def save(self, folder: Path) -> None:
        if isinstance(self.words, FixedWords):
            vector_file.record(self.words, folder)
        else:
            write_bytes(folder / FILE, msgspec.json.encode(self.words))
        long_answer.save(self.auxiliary, folder)


def prepare(config: Config, training: ViewedSplit) -> BiLSTMLearner:
    """Prepare the learner; count the words of the train part if they are learned."""
    words: FixedWords | Vocabulary
    if config.vectors:
        words = FixedWords(config.vectors, config.embedding)
    else:
        texts = (
            " ".join([posed.question, *(section.text for section in posed.read)])
            for posed in training.viewed()
        )
        words = count(texts, config.most, config.threshold)
    return BiLSTMLearner(
        config, words, long_answer.count_words(training, config.auxiliary, config.auxiliary_words)
    )


def restore(config: Config, folder: Path) -> BiLSTMLearner:
    """Restore the learner from a run folder; a file of vectors must be unchanged at its recorded place."""
    words = vector_file.restore(folder) if config.vectors else read_json(folder / FILE, Vocabulary)
    return BiLSTMLearner(config, words, long_answer.restore(folder, config.auxiliary))


def _all(example: QuestionWords) -> tuple[str, ...]:
    return (*example.question, *example.read)
