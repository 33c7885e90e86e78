"""sim-entity: the entity whose neighbours in the passage mean most nearly what the placeholder's mean.

CliCR's baseline (Šuster and Daelemans 2018, section 5.1; github.com/clips/clicr, `baselines.py`). The vectors of the
words around an occurrence, or around the placeholder, are summed:

    … cells with [LCK inhibitor] PP2 prevents the …       window 3: cells, with | PP2, prevents, the

A window ends where its line ends, leaves the entity's words out, and takes other entities word by word. The answer is
the entity of the occurrence with the highest cosine to the question, the first of equal ones.

unknown: what a word without a vector and a place beyond the line's end add. "left-out": nothing; a sum of nothing
has the cosine 0. "as-published": the vector of the file's first word, usually </s>; a sum of zeros has no cosine, and
the program answers with the first occurrence that has none.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Literal, NamedTuple

import numpy as np

from anagnosis.array_types import Floats32
from anagnosis.datasets.kinds.cloze_instance import PLACEHOLDER, ClozeInstance, PassageMention
from anagnosis.datasets.kinds.cloze_views import placeholder_start
from anagnosis.errors import InputError
from anagnosis.recipes.values import Positive
from anagnosis.vocabularies import word2vec

READS_WHAT_IT_ANSWERS = (
    True  # it looks up the words of the instances that it will answer, and no answer of them
)

AS_PUBLISHED = "as-published"
Unknown = Literal["left-out", "as-published"]
# The score of an occurrence without a cosine, by treatment of unknown words. 2 is above every cosine.
NO_COSINE: dict[Unknown, float] = {"left-out": 0.0, "as-published": 2.0}
NO_OCCURRENCE = -2.0  # of a candidate that the passage does not mention: below every cosine
Windows = list[list[str]]


def fit(
    instances: Iterable[ClozeInstance],
    *,
    vectors: str,
    window: Positive = 3,
    question_window: Positive = 3,
    lower: bool = True,
    unknown: Unknown = "left-out",
) -> Callable[[ClozeInstance], list[float]]:
    """Look up the words around the entities and placeholders of these instances; answers only them.

    vectors: a word2vec file. window, question_window: words on each side; the published program's option changes the
    first alone. lower: look words up in lower case. InputError: the file has none of these words.
    """
    if not vectors:
        raise InputError("names no word vectors", "vectors", "name a word2vec file: --set vectors=FILE")
    spelled: set[str] = set()
    last: object = None
    for instance in instances:
        spelled.update(question_words(instance, question_window))
        passage = (instance.passage, instance.mentions)
        if passage != last:
            last = passage
            for around in entity_windows(*passage, window):
                spelled.update(around)
    looked_up = {word: word.lower() if lower else word for word in sorted(spelled)}
    width = word2vec.shape(vectors)[1]
    known = word2vec.read(vectors, set(looked_up.values()), width)
    if not known:
        raise word2vec.no_word_error(vectors)
    place = {word: row for row, word in enumerate(known)}
    rows = {word: place[meant] for word, meant in looked_up.items() if meant in place}
    absent = word2vec.first_vector(vectors) if unknown == AS_PUBLISHED else np.zeros(width, np.float32)
    return _Scorer(rows, np.stack([*known.values(), absent]), window, question_window, NO_COSINE[unknown])


def entity_windows(text: str, mentions: Sequence[PassageMention], window: int) -> Windows:
    """The words around each mention in its line, white-space tokens, at most `window` on each side."""
    windows: Windows = []
    for mention in mentions:
        start, end = mention.spans[0][0], mention.spans[-1][1]
        windows.append(words_around(text, start, end, window))
    return windows


def question_words(instance: ClozeInstance, window: int) -> list[str]:
    """The words around the placeholder."""
    start = placeholder_start(instance)
    return words_around(instance.question, start, start + len(PLACEHOLDER), window)


def words_around(text: str, start: int, end: int, window: int) -> list[str]:
    """At most `window` white-space tokens before and after text[start:end], in its line."""
    line_end = text.find("\n", end)
    before = text[text.rfind("\n", 0, start) + 1 : start].rsplit(None, window)[-window:]
    after = text[end : line_end if line_end >= 0 else len(text)].split(None, window)[:window]
    return before + after


class Contexts(NamedTuple):
    """Directions of occurrences. units: [occurrences, numbers], of length 1, or 0 for those `without` a direction."""

    units: Floats32
    without: list[int]


def directions(sums: Floats32) -> Contexts:
    """The directions of summed vectors, [occurrences, numbers]."""
    lengths = np.sqrt(np.einsum("on,on->o", sums, sums))
    without = np.flatnonzero(lengths == 0)
    lengths[without] = 1
    return Contexts(sums / lengths[:, None], without.tolist())


def cosines(contexts: Contexts, question: Floats32, no_cosine: float) -> list[float]:
    """The cosine of each occurrence to the question's summed vector, [numbers]; no_cosine where there is none."""
    length = math.sqrt(float(question @ question))
    if not length:
        return [no_cosine] * len(contexts.units)
    # Row by row, so that equal contexts have equal cosines wherever they stand.
    values: list[float] = np.einsum("on,n->o", contexts.units, question / length).tolist()
    for occurrence in contexts.without:
        values[occurrence] = no_cosine
    return values


class _Scorer:
    """Scores by the words' vectors; what it computed of a passage serves the next instance with the same one."""

    def __init__(
        self, rows: dict[str, int], matrix: Floats32, window: int, question_window: int, no_cosine: float
    ) -> None:
        self._rows, self._matrix = rows, matrix
        self._window, self._question_window = window, question_window
        self._no_cosine = no_cosine
        self._last: tuple[str, tuple[PassageMention, ...]] | None = None
        self._contexts = Contexts(np.empty((0, matrix.shape[1]), np.float32), [])
        self._of: list[int] = []  # candidate of each occurrence

    def __call__(self, instance: ClozeInstance) -> list[float]:
        scores = [NO_OCCURRENCE] * len(instance.candidates)
        if not instance.mentions:
            return scores
        self._read(instance)
        wanted = self._sum([question_words(instance, self._question_window)], self._question_window)[0]
        similar = cosines(self._contexts, wanted, self._no_cosine)
        for candidate, cosine in zip(self._of, similar, strict=True):
            scores[candidate] = max(scores[candidate], cosine)
        return first_alone(scores, self._of[similar.index(max(similar))])

    def _read(self, instance: ClozeInstance) -> None:
        passage = (instance.passage, instance.mentions)
        if passage == self._last:
            return
        self._last = passage
        sums = self._sum(entity_windows(*passage, self._window), self._window)
        self._contexts = directions(sums)
        self._of = [mention.candidate for mention in instance.mentions]

    def _sum(self, windows: Windows, window: int) -> Floats32:
        """The summed vectors of each window: float32 [windows, numbers]. An absent place has the matrix's last row."""
        places, absent = 2 * window, len(self._matrix) - 1
        ids = [
            [*(self._rows.get(word, absent) for word in words), *[absent] * (places - len(words))]
            for words in windows
        ]
        columns = np.array(ids, np.intp).T  # [places, windows]
        sums = self._matrix[columns[0]]
        for column in columns[1:]:
            sums += self._matrix[column]
        return sums


def first_alone(scores: list[float], first: int) -> list[float]:
    """The scores with `first` alone at the top: others that have its score get the next lower number."""
    top = scores[first]
    return [
        math.nextafter(score, -math.inf) if score == top and place != first else score
        for place, score in enumerate(scores)
    ]
