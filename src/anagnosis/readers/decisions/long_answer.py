"""The head of decision readers: the label, and the auxiliary task of predicting the words of the long answer.

The auxiliary task is that of PubMedQA, section 4.2:

L_BoW = -1/N sum_i b_i log p_i + (1 - b_i) log(1 - p_i) over the N words of a vocabulary of the train part's long
answers, from the vector that gives the label. The recipe gives its weight; the loss is 0 if the long answer is part of
the input or missing. The paper gives no size of the vocabulary; 2,000 is our choice.

Vocabularies of questions, contexts and long answers have the IDF of each word in the train part:

idf(w) = ln((1 + n) / (1 + texts with w)) + 1, with n texts: scikit-learn's inverse document frequency, smoothed so that
it is finite for an unseen word. The paper says only "TF-IDF statistics".
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec
import torch
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits, nll_loss

from anagnosis.datasets.kinds.decision import LABELS
from anagnosis.io.decoding import read_json
from anagnosis.io.files import write_bytes
from anagnosis.language.words import words_of
from anagnosis.readers.learning import Output, ViewedSplit

FILE = "long_answers.json"
LOSS = "long answer"
LABEL_LOSS = "label"


# Words without content; the paper's "non-stop words" are all others.
_FUNCTION_WORDS = """
    a an the and or but nor so yet of in on at by to from with without for into onto over under between among
    during before after than as if whether while because that this these those it its they their them he she his
    her we our us you your i who whom whose which what when where why how is are was were be been being am do
    does did done have has had having can could may might must shall should will would not no all any both each
    more most other some such only own same too very there here about against through per via vs
    """
FUNCTION_WORDS = frozenset(_FUNCTION_WORDS.split())


class Vocabulary(msgspec.Struct, frozen=True):
    """words: by falling frequency. idf: of each."""

    words: list[str]
    idf: list[float]


def count(texts: Iterable[str], most: int) -> Vocabulary:
    """The `most` words that are in most texts; the alphabet decides ties."""
    texts_with: Counter[str] = Counter()
    number = 0
    for number, text in enumerate(texts, 1):  # noqa: B007 the number of texts is used below
        texts_with.update(set(words_of(text)))
    kept = sorted(texts_with, key=lambda word: (-texts_with[word], word))[:most]
    return Vocabulary(kept, [math.log((1 + number) / (1 + texts_with[word])) + 1 for word in kept])


def tf_idf(words: Sequence[str], places: dict[str, int], idf: Sequence[float]) -> list[tuple[int, float]]:
    """(word, weight) of the known words; the weights have norm 1."""
    counts = Counter(places[word] for word in words if word in places)
    weights = {place: number * idf[place] for place, number in counts.items()}
    norm = math.sqrt(sum(weight * weight for weight in weights.values()))
    return sorted((place, weight / norm) for place, weight in weights.items())


def count_words(training: ViewedSplit, weight: float, most: int) -> Vocabulary | None:
    """The words to predict, None without the auxiliary task. weight, most: auxiliary, auxiliary_words."""
    if not weight:
        return None
    return count((posed.long_answer for posed in training.viewed() if posed.long_answer), most)


def save(vocabulary: Vocabulary | None, folder: Path) -> None:
    """Write the words into a run folder, if there are any."""
    if vocabulary is not None:
        write_bytes(folder / FILE, msgspec.json.encode(vocabulary))


def restore(folder: Path, weight: float) -> Vocabulary | None:
    """The words from a run folder."""
    return read_json(folder / FILE, Vocabulary) if weight else None


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


class LabelHead(nn.Module):
    """width: of the vector. weight: of the loss of long answers' words. auxiliary: these words, or None."""

    def __init__(self, width: int, weight: float, auxiliary: Vocabulary | None) -> None:
        super().__init__()
        self.outer = nn.Linear(width, len(LABELS))
        words = size(auxiliary)
        # "told" is the name in the weights of saved runs.
        self.told = WordsOfLongAnswer(width, words, weight) if words else None

    def forward(self, vectors: Tensor, target: Tensor, answer_words: Tensor) -> Output:
        """vectors: float [n, width]; target: int64 [n]; answer_words: float [n, words of long answers]."""
        output = answered(self.outer(vectors), target)
        if self.told is not None:
            output.losses[LOSS] = self.told(vectors, answer_words)
        return output


def answered(scores: Tensor, target: Tensor) -> Output:
    """The output with cross-entropy, 0 without a target. scores: float [n, labels]; target: int64 [n], -1 for none."""
    log_probabilities = scores.float().log_softmax(-1)
    losses = nll_loss(log_probabilities, target.clamp(min=0), reduction="none") * (target >= 0)
    return Output(log_probabilities, {LABEL_LOSS: losses})
