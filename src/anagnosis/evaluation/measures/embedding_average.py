"""Embedding average of CliCR: the cosine of the mean word vectors of an answer and a right one, the best of those.

Words without a vector are left out. An answer without any known word is worth 0; an instance of which no right answer
has a known word is not judged. Under *as-published*, words without a vector take the file's row 0, as does a text
without words, and the rows behind a malformed line are shifted (vocabularies/clicr_vectors.py).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from anagnosis.array_types import Floats
from anagnosis.datasets.gold import Gold
from anagnosis.errors import InputError
from anagnosis.evaluation.measures.answer_texts import (
    AS_PUBLISHED,
    Words,
    answered,
    declared,
    words,
)
from anagnosis.predictions import Matched
from anagnosis.vocabularies.answer_vectors import AnswerVectors
from anagnosis.vocabularies.word2vec import REMEDY

Direction = Callable[[Words], Floats | None]  # of the mean vector, of length 1; None where there is none


def values(gold: Gold, run: Matched, protocol: str) -> Floats:
    """float64 [instances], NaN where no right answer has a known word."""
    if gold.vectors is None:
        what = "the measure 'embedding-average' compares word vectors, and no file of them is given"
        raise InputError(what, gold.dataset, "name a word2vec file with --vectors")
    rows = [
        (row, [words(text) for text in texts], [words(text) for text in right])
        for row, texts, right in answered(gold, run, protocol)
    ]
    every = {word for _, texts, right in rows for text in (*texts, *right) for word in text}
    direction = (_published if protocol == AS_PUBLISHED else _known)(gold.vectors, every)
    of_instances = np.full(len(gold), np.nan)
    for row, texts, right in rows:
        sides = [side for text in right if (side := direction(text)) is not None]
        if sides:
            cosines = [_best(direction(text), sides) for text in texts]
            of_instances[row] = sum(cosines) / len(cosines) if cosines else 0.0
    if rows and np.isnan(of_instances).all():
        raise InputError(
            "no word of the right answers is in it", gold.vectors.name, "give another file of word vectors"
        )
    return of_instances


def _best(answer: Floats | None, right: Sequence[Floats]) -> float:
    """The highest cosine; 0 for an answer without known words."""
    if answer is None:
        return 0.0
    return max(-1.0, min(1.0, max(float(answer @ side) for side in right)))


def _known(vectors: AnswerVectors, every: set[str]) -> Direction:
    """By the known words alone."""
    known = vectors.of(every)

    def mean(text: Words) -> Floats | None:
        own = [known[word] for word in text if word in known]
        return np.asarray(np.mean(own, axis=0, dtype=np.float64)) if own else None

    return _directions(mean)


def _published(vectors: AnswerVectors, every: set[str]) -> Direction:
    """As the program does."""
    rows = vectors.as_published(every)

    def mean(text: Words) -> Floats:
        own = np.mean([rows.of(word) for word in text or ("",)], axis=0)
        if not own.any():
            what = f"the mean vector of {' '.join(text)!r} is 0, and the program's score no number"
            raise InputError(what, vectors.name, f"take the usual protocol, or {REMEDY}")
        return own

    return _directions(mean)


def _directions(mean: Callable[[Words], Floats | None]) -> Direction:
    """The mean vectors, each of length 1 and computed once; None for a zero vector."""
    computed: dict[Words, Floats | None] = {}

    def direction(text: Words) -> Floats | None:
        if text not in computed:
            own = mean(text)
            length = 0.0 if own is None else float(np.linalg.norm(own))
            computed[text] = None if own is None or not length else own / length
        return computed[text]

    return direction


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
