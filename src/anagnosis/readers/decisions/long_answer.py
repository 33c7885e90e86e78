"""The auxiliary task of predicting the words of the long answer (PubMedQA, section 4.2).

L_BoW = -1/N sum_i b_i log p_i + (1 - b_i) log(1 - p_i) over the N words of a vocabulary of the train part's long
answers, from the vector that gives the label. The recipe gives its weight; the loss is 0 if the long answer is part of
the input or missing. The paper gives no size of the vocabulary; 2,000 is our choice.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import torch
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits

from anagnosis.language.words import words_of
from anagnosis.readers.decisions.vocabulary import Vocabulary, count, load
from anagnosis.readers.decisions.vocabulary import save as save_vocabulary
from anagnosis.readers.learning import ViewedSplit

FILE = "long_answers.json"
LOSS = "long answer"


class LongAnswers(Protocol):
    """The settings of a reader with the auxiliary task (learning.LongAnswerSettings)."""

    @property
    def auxiliary(self) -> float: ...
    @property
    def auxiliary_words(self) -> int: ...


def count_words(config: LongAnswers, training: ViewedSplit) -> Vocabulary | None:
    """The words to predict, None without the auxiliary task."""
    if not config.auxiliary:
        return None
    return count(
        (posed.long_answer for posed in training.viewed() if posed.long_answer), config.auxiliary_words
    )


def save(vocabulary: Vocabulary | None, folder: Path) -> None:
    """Write the words into a run folder, if there are any."""
    if vocabulary is not None:
        save_vocabulary(vocabulary, folder / FILE)


def restore(config: LongAnswers, folder: Path) -> Vocabulary | None:
    """The words from a run folder."""
    return load(folder / FILE) if config.auxiliary else None


def word_places(vocabulary: Vocabulary | None, long_answer: str) -> tuple[int, ...]:
    """Places in the vocabulary of the words of a long answer."""
    if vocabulary is None or not long_answer:
        return ()
    words = set(words_of(long_answer))
    return tuple(place for place, word in enumerate(vocabulary.words) if word in words)


def size(vocabulary: Vocabulary | None) -> int:
    """The number of words to predict."""
    return len(vocabulary.words) if vocabulary else 0


def targets(rows: Sequence[Sequence[int]], vocabulary: Vocabulary | None) -> Tensor:
    """float [batch, words]: 1 for a word of the long answer."""
    indicators = torch.zeros(len(rows), size(vocabulary))
    for row, places in enumerate(rows):
        indicators[row, list(places)] = 1
    return indicators


class WordsOfLongAnswer(nn.Module):
    """Loss of each instance [batch] from its vector [batch, width]; 0 without a long answer."""

    def __init__(self, width: int, words: int, weight: float) -> None:
        super().__init__()
        self.told = nn.Linear(width, words)
        self.weight = weight

    def forward(self, vectors: Tensor, answer_words: Tensor) -> Tensor:
        """answer_words: float [batch, words]; a row of zeros means that there is no long answer."""
        losses = binary_cross_entropy_with_logits(
            self.told(vectors).float(), answer_words, reduction="none"
        ).mean(-1)
        return self.weight * losses * answer_words.any(-1)
