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
from typing import Literal, NamedTuple

import numpy as np

from anagnosis.array_types import Floats32, Longs
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
    """The words around the placeholder."""
    start = placeholder_start(instance)
    return words_around(instance.question, start, start + len(PLACEHOLDER), window)


def words_around(text: str, start: int, end: int, window: int) -> list[str]:
    """At most `window` white-space tokens before and after text[start:end], in its line."""
    first, last = _line(text, start, end)
    before = text[first:start].rsplit(None, window)[-window:]
    return before + text[end:last].split(None, window)[:window]


def _line(text: str, start: int, end: int) -> tuple[int, int]:
    """Where the line of text[start:end] begins and ends."""
    last = text.find("\n", end)
    return text.rfind("\n", 0, start) + 1, last if last >= 0 else len(text)


class Contexts(NamedTuple):
    """Directions of occurrences. units: [occurrences, numbers], of length 1, or 0 for those `without` a direction."""

    units: Floats32
    without: Longs


def directions(sums: Floats32) -> Contexts:
    """The directions of summed vectors, [occurrences, numbers]."""
    lengths = np.sqrt(np.einsum("on,on->o", sums, sums))
    without = np.flatnonzero(lengths == 0)
    lengths[without] = 1
    sums /= lengths[:, None]
    return Contexts(sums, without)


def cosines(contexts: Contexts, question: Floats32, no_cosine: float) -> Floats32:
    """The cosine of each occurrence to the question's summed vector, [numbers]; no_cosine where there is none."""
    length = math.sqrt(float(question @ question))
    if not length:
        return np.full(len(contexts.units), no_cosine, np.float32)
    # Row by row, so that equal contexts have equal cosines wherever they stand.
    values = np.einsum("on,n->o", contexts.units, question)
    values /= length
    values[contexts.without] = no_cosine
    return values


class _Passage:
    """The contexts of a passage's occurrences, and which candidate each is of."""

    def __init__(self, mentions: Sequence[PassageMention], sums: Floats32) -> None:
        self.contexts = directions(sums)
        self.of = [mention.candidate for mention in mentions]
        # The occurrences of each candidate, one candidate after the other, and where each begins.
        of = np.array(self.of)
        self.occurrences = of.argsort(kind="stable")
        ordered = of[self.occurrences]
        self.starts = np.flatnonzero(np.diff(ordered, prepend=-1))
        self.candidates: list[int] = ordered[self.starts].tolist()


class _Scorer:
    """Scores by the words' vectors; what it computed of a passage serves the next instance with the same one."""

    def __init__(
        self, rows: dict[str, int], matrix: Floats32, window: int, question_window: int, no_cosine: float
    ) -> None:
        self._rows, self._matrix = rows, matrix
        self._window, self._question_window = window, question_window
        self._no_cosine = no_cosine
        self._last: tuple[str, tuple[PassageMention, ...]] | None = None
        self._passage: _Passage | None = None

    def __call__(self, instance: ClozeInstance) -> list[float]:
        scores = [NO_OCCURRENCE] * len(instance.candidates)
        if not instance.mentions:
            return scores
        passage = self._read(instance)
        words = question_words(instance, self._question_window)
        similar = cosines(passage.contexts, self._sums([words], self._question_window)[0], self._no_cosine)
        maxima: list[float] = np.maximum.reduceat(similar[passage.occurrences], passage.starts).tolist()
        for candidate, cosine in zip(passage.candidates, maxima, strict=True):
            scores[candidate] = cosine
        return first_alone(scores, passage.of[int(similar.argmax())])

    def _read(self, instance: ClozeInstance) -> _Passage:
        texts = (instance.passage, instance.mentions)
        if self._passage is None or texts != self._last:
            sums = self._sums(entity_windows(*texts, self._window), self._window)
            self._passage = _Passage(instance.mentions, sums)
            self._last = texts
        return self._passage

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
