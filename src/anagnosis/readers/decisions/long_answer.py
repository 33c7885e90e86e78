"""The long answer as a second thing to learn: which words it holds (PubMedQA, section 4.2).

L_BoW = -1/N sum_i b_i log p_i + (1 - b_i) log(1 - p_i) over the N words of a vocabulary of the train part's long
answers, from the vector that the label is read from. It counts with the recipe's weight, and not at all where the long
answer is read, or is not there. The size of the vocabulary is told nowhere; 2,000 is our choice.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import torch
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits

from anagnosis.language.plain_words import words_of
from anagnosis.readers.decisions.vocabulary import Vocabulary, count, load, save
from anagnosis.readers.learning import Material

FILE = "long_answers.json"
LOSS = "long answer"


class LongAnswers(Protocol):
    """The settings of a reader that long answers can teach (learning.LongAnswerSettings)."""

    @property
    def auxiliary(self) -> float: ...
    @property
    def auxiliary_words(self) -> int: ...


def answer_vocabulary(config: LongAnswers, training: Material) -> Vocabulary | None:
    """The words of long answers that a reader learns to tell, None where it learns none."""
    if not config.auxiliary:
        return None
    return count(
        (posed.long_answer for posed in training.viewed() if posed.long_answer), config.auxiliary_words
    )


def keep(vocabulary: Vocabulary | None, folder: Path) -> None:
    """Write the words into a run folder, if there are any."""
    if vocabulary is not None:
        save(vocabulary, folder / FILE)


def kept(config: LongAnswers, folder: Path) -> Vocabulary | None:
    """What `keep` wrote."""
    return load(folder / FILE) if config.auxiliary else None


def word_places(vocabulary: Vocabulary | None, long_answer: str) -> tuple[int, ...]:
    """Which words of the vocabulary a long answer holds."""
    if vocabulary is None or not long_answer:
        return ()
    own = set(words_of(long_answer))
    return tuple(place for place, word in enumerate(vocabulary.words) if word in own)


def size(vocabulary: Vocabulary | None) -> int:
    """How many words."""
    return len(vocabulary.words) if vocabulary else 0


def targets(rows: Sequence[Sequence[int]], vocabulary: Vocabulary | None) -> Tensor:
    """float [batch, words]: 1 where a word is held."""
    found = torch.zeros(len(rows), size(vocabulary))
    for row, places in enumerate(rows):
        found[row, list(places)] = 1
    return found


class WordsOfLongAnswer(nn.Module):
    """From a vector [batch, width], the loss of each instance [batch]; 0 for one without a long answer."""

    def __init__(self, width: int, words: int, weight: float) -> None:
        super().__init__()
        self.told = nn.Linear(width, words)
        self.weight = weight

    def forward(self, vectors: Tensor, held: Tensor) -> Tensor:
        """held: float [batch, words]; a row without any word is that of no long answer."""
        losses = binary_cross_entropy_with_logits(self.told(vectors).float(), held, reduction="none").mean(-1)
        return self.weight * losses * held.any(-1)
