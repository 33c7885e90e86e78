"""sim-entity: the entity whose neighbours in the passage mean most nearly what the placeholder's mean.

CliCR's baseline (Šuster and Daelemans 2018, section 5.1; github.com/clips/clicr, `baselines.py`). The vectors of the
words around an occurrence, or around the placeholder, are summed:

    … cells with [LCK inhibitor] PP2 prevents the …       window 3: cells, with | PP2, prevents, the

A window ends where its line ends, leaves the entity's words out, and takes other entities word by word. The answer is
the entity of the occurrence with the highest cosine to the question, the first of equal ones.

unknown: what a word without a vector and a place beyond the line's end add. "left-out": nothing; a sum of nothing
has the cosine 0. "as-published": the vector of the file's first word, usually </s>; a sum of zeros has no cosine, and
the program answers with the first occurrence that has none. It reads word2vec's text alone.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Literal

import numpy as np

from anagnosis.array_types import Bools, Floats32
from anagnosis.datasets.kinds.cloze_instance import (
    PLACEHOLDER,
    ClozeInstance,
    PassageMention,
    placeholder_start,
)
from anagnosis.errors import InputError
from anagnosis.recipes.load import Positive
from anagnosis.word_vectors import word2vec
from anagnosis.word_vectors.word2vec import Vector

Unknown = Literal["left-out", "as-published"]
# The score of an occurrence without a cosine, by treatment of unknown words. 2 is above every cosine.
NO_COSINE: dict[Unknown, float] = {"left-out": 0.0, "as-published": 2.0}
NO_OCCURRENCE = -2.0  # of a candidate that the passage does not mention: below every cosine
Windows = list[list[str]]


def fit(
    asked: Iterable[ClozeInstance],
    *,
    vectors: str = "",
    window: Positive = 3,
    question_window: Positive = 3,
    lower: bool = True,
    unknown: Unknown = "left-out",
) -> Callable[[ClozeInstance], list[float]]:
    """sim-entity: the entity whose neighbours in the passage mean most nearly what the placeholder's mean.

    Words are looked up around the entities and placeholders of the instances asked, which alone are answered.

    vectors: a word2vec file. window, question_window: words on each side; the published program's option changes the
    first alone. lower: look words up in lower case. InputError: the file has none of these words.
    """
    if not vectors:
        raise InputError("names no word vectors", "vectors", "name a word2vec file: --set vectors=FILE")
    spelled: set[str] = set()
    last: object = None
    for instance in asked:
        spelled.update(question_words(instance, question_window))
        passage = (instance.passage, instance.mentions)
        if passage != last:
            last = passage
            for around in entity_windows(*passage, window):
                spelled.update(around)
    looked_up = {word: word.lower() if lower else word for word in sorted(spelled)}
    known, absent = READINGS[unknown](vectors, {*looked_up.values()})
    if not known:
        raise word2vec.no_word_error(vectors)
    place = {word: row for row, word in enumerate(known)}
    rows = {word: place[meant] for word, meant in looked_up.items() if meant in place}
    matrix = np.stack([*known.values(), absent]).astype(np.float32)
    return _Scorer(rows, matrix, window, question_window, NO_COSINE[unknown])


def _left_out(path: str, words: set[str]) -> tuple[dict[str, Vector], Vector]:
    """The vectors of the words, and what another word adds: zeros."""
    known = word2vec.read(path, words)
    return known, np.zeros_like(next(iter(known.values()), np.empty(0, np.float32)))


READINGS = {"left-out": _left_out, "as-published": word2vec.read_published}


def entity_windows(text: str, mentions: Sequence[PassageMention], window: int) -> Windows:
    """The words around each mention in its line, white-space tokens, at most `window` on each side."""
    windows: Windows = []
    first, last = 0, -1  # of the line of the mention before
    for mention in mentions:
        start, end = mention.spans[0][0], mention.spans[-1][1]
        if not first <= start <= end <= last:
            first, last = _line(text, start, end)
        before = text[first:start].rsplit(None, window)[-window:]
        windows.append(before + text[end:last].split(None, window)[:window])
    return windows


def question_words(instance: ClozeInstance, window: int) -> list[str]:
    """At most `window` white-space tokens before and after the placeholder, in its line."""
    text, start = instance.question, placeholder_start(instance)
    end = start + len(PLACEHOLDER)
    first, last = _line(text, start, end)
    before = text[first:start].rsplit(None, window)[-window:]
    return before + text[end:last].split(None, window)[:window]


def _line(text: str, start: int, end: int) -> tuple[int, int]:
    """Where the line of text[start:end] begins and ends."""
    last = text.find("\n", end)
    return text.rfind("\n", 0, start) + 1, last if last >= 0 else len(text)


class _Scorer:
    """Scores by the words' vectors; the sums of a passage serve the next instance with the same one."""

    def __init__(
        self, rows: dict[str, int], matrix: Floats32, window: int, question_window: int, no_cosine: float
    ) -> None:
        self._rows, self._matrix = rows, matrix
        self._window, self._question_window = window, question_window
        self._no_cosine = no_cosine
        self._last: object = None
        self._units: Floats32 = matrix[:0]
        self._without: Bools = np.empty(0, np.bool_)

    def __call__(self, instance: ClozeInstance) -> list[float]:
        scores = [NO_OCCURRENCE] * len(instance.candidates)
        if not instance.mentions:
            return scores
        texts = (instance.passage, instance.mentions)
        if texts != self._last:
            sums, self._last = self._sums(entity_windows(*texts, self._window), self._window), texts
            lengths = np.sqrt(np.einsum("on,on->o", sums, sums))
            self._without = lengths == 0
            lengths[self._without] = 1
            sums /= lengths[:, None]
            self._units = sums
        similar = self._cosines(question_words(instance, self._question_window))
        for mention, cosine in zip(instance.mentions, similar.tolist(), strict=True):
            scores[mention.candidate] = max(scores[mention.candidate], cosine)
        return first_alone(scores, instance.mentions[int(similar.argmax())].candidate)

    def _cosines(self, question: list[str]) -> Floats32:
        """The cosine of each of the passage's occurrences to the question's words."""
        asked = self._sums([question], self._question_window)[0]
        length = math.sqrt(float(asked @ asked))
        if not length:
            return np.full(len(self._units), self._no_cosine, np.float32)
        # Row by row, so that equal contexts have equal cosines wherever they stand.
        values = np.einsum("on,n->o", self._units, asked)
        values /= length
        values[self._without] = self._no_cosine
        return values

    def _sums(self, windows: Windows, window: int) -> Floats32:
        """The summed vectors of each window: float32 [windows, numbers]. An absent place has the matrix's last row."""
        places, absent, row = 2 * window, len(self._matrix) - 1, self._rows.get
        ids: list[int] = []
        for words in windows:
            ids += [row(word, absent) for word in words]
            if len(words) < places:
                ids += [absent] * (places - len(words))
        columns = np.array(ids, np.intp).reshape(-1, places)
        columns.sort(1)  # the same words in any order give the same sum, to the last bit
        sums = self._matrix.take(columns[:, 0], 0)
        for place in range(1, places):
            sums += self._matrix.take(columns[:, place], 0)
        return sums


def first_alone(scores: list[float], first: int) -> list[float]:
    """The scores with `first` alone at the top: others that have its score get the next lower number."""
    top = scores[first]
    if scores.count(top) > 1:
        scores = [
            math.nextafter(score, -math.inf) if score == top and place != first else score
            for place, score in enumerate(scores)
        ]
    return scores
