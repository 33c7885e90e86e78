"""Embedding average of CliCR: the cosine of the mean word vectors of an answer and a right one, the best of those.

Words without a vector are left out. An answer without any known word is worth 0; an instance of which no right answer
has a known word is not judged. Under *as-published*, words without a vector take the file's row 0, as does a text
without words (`word2vec.read_published`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

import numpy as np
import pyarrow as pa

from anagnosis.array_types import Floats
from anagnosis.datasets.gold import Gold
from anagnosis.errors import InputError
from anagnosis.evaluation.measures.answer_texts import AS_PUBLISHED, Words, answered, declared, words
from anagnosis.predictions import Matched
from anagnosis.word_vectors.answer_vectors import AnswerVectors
from anagnosis.word_vectors.word2vec import REMEDY

_BLOCK = 128  # instances whose mean vectors are in memory at once; more no longer fit a processor's cache


@dataclass(frozen=True, slots=True, eq=False)
class _Rows:
    """rows: float [words, width]. places: of each word. other: the place of every other word, None to leave it out."""

    rows: Floats
    places: dict[str, int]
    other: int | None

    def of(self, text: Words) -> list[int]:
        """The places of a text's words."""
        if self.other is None:
            return [place for word in text if (place := self.places.get(word)) is not None]
        return [self.places.get(word, self.other) for word in text or ("",)]


@dataclass(frozen=True, slots=True)
class _Judged:
    """An instance: its row, the texts that answer it, and the right ones, in words."""

    row: int
    texts: list[Words]
    right: list[Words]


def values(gold: Gold, run: Matched, protocol: str) -> list[tuple[int, float]]:
    """(row, value) of each instance of which a right answer has a known word."""
    if gold.vectors is None:
        what = "the measure 'embedding-average' compares word vectors, and no file of them is given"
        raise InputError(what, gold.dataset, "name a word2vec file with --vectors")
    judged = [
        _Judged(row, [words(text) for text in texts], [words(text) for text in right])
        for row, texts, right in answered(gold, run, protocol)
    ]
    every = {word for one in judged for text in (*one.texts, *one.right) for word in text}
    known = (
        _published(gold.vectors, every)
        if protocol == AS_PUBLISHED
        else _known(gold.vectors, every, gold.name_texts)
    )
    found: list[tuple[int, float]] = []
    for start in range(0, len(judged), _BLOCK):
        found += _of_block(judged[start : start + _BLOCK], known, gold.vectors.name)
    if judged and not found:
        what = "no word of the right answers is in it"
        raise InputError(what, gold.vectors.name, "give another file of word vectors")
    return found


def _of_block(block: Sequence[_Judged], known: _Rows, name: str) -> list[tuple[int, float]]:
    """(row, value) of each instance that can be judged."""
    every = dict.fromkeys(text for one in block for text in (*one.texts, *one.right))
    texts = {text: place for place, text in enumerate(every)}
    units, has = _units([known.of(text) for text in texts], known.rows)
    if known.other is not None and not all(has):
        empty = " ".join(next(text for text, place in texts.items() if not has[place]))
        what = f"the mean vector of {empty!r} is 0, and the program's score no number"
        raise InputError(what, name, f"take the usual protocol, or {REMEDY}")
    # A right answer without a known word is none; an answer without one is at a right angle to all.
    sides = [[place for text in one.right if has[place := texts[text]]] for one in block]
    pairs = [
        (texts[text], place)
        for one, right in zip(block, sides, strict=True)
        for text in one.texts
        for place in right
    ]
    answers, rights = np.array(pairs, np.int64).reshape(-1, 2).T
    cosines = np.clip(np.einsum("pw,pw->p", units[answers], units[rights]), -1.0, 1.0).tolist()
    found: list[tuple[int, float]] = []
    start = 0
    for one, right in zip(block, sides, strict=True):
        if not right:
            continue
        best: list[float] = []
        for _ in one.texts:
            best.append(max(cosines[start : start + len(right)]))
            start += len(right)
        found.append((one.row, fmean(best) if best else 0.0))
    return found


def _units(places: Sequence[Sequence[int]], rows: Floats) -> tuple[Floats, list[bool]]:
    """[texts, width]: the direction of the mean vector of each text, and whether it has one. places: of its words."""
    from scipy.sparse import csr_matrix

    ends = np.cumsum([0, *map(len, places)])
    flat = np.array([place for own in places for place in own], np.int64)
    sums: Floats = csr_matrix((np.ones(len(flat)), flat, ends), (len(places), len(rows))) @ rows
    lengths = np.sqrt(np.einsum("tw,tw->t", sums, sums))
    return sums / np.where(lengths > 0, lengths, 1.0)[:, None], (lengths > 0).tolist()


def _known(vectors: AnswerVectors, every: set[str], names: pa.StringArray) -> _Rows:
    """By the known words alone. names: of all candidates, which other systems may answer."""
    known = vectors.of(every, lambda: {word for name in names.to_pylist() for word in words(name)})
    words_of_it = sorted(word for word in every if word in known)
    rows = np.array([known[word] for word in words_of_it] or np.zeros((0, 1)), np.float64)
    return _Rows(rows, {word: place for place, word in enumerate(words_of_it)}, None)


def _published(vectors: AnswerVectors, every: set[str]) -> _Rows:
    """As the program does."""
    of_words, first = vectors.as_published(every)
    rows = np.array([first, *of_words.values()])
    return _Rows(rows, {word: place for place, word in enumerate(of_words, 1)}, 0)


EMBEDDING_AVERAGE = declared(
    name="embedding-average",
    title="embedding average",
    what="The cosine of the mean word vectors of the answer and a right one, over the word2vec file of --vectors.",
    values=values,
    vectors=True,
    complete=(AS_PUBLISHED,),
    unit="number",
    missing="0, as is an answer without a word of the file",
    withheld="left out, as are instances of which no right answer has a word of the file",
    lowest=-1.0,
    source="Šuster and Daelemans 2018, section 6; Liu et al. 2016",
)
