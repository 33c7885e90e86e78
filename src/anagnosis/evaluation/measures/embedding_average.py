"""Embedding average of CliCR: the cosine of the mean word vectors of an answer and a right one, the best of those.

Words without a vector are left out. An answer without any known word is worth 0; an instance of which no right answer
has a known word is not judged. Under *as-published*, words without a vector take the file's row 0, as does a text
without words (`word2vec.read_published`).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from statistics import fmean
from typing import Any

import numpy as np

from anagnosis.array_types import Floats
from anagnosis.datasets.gold import Gold
from anagnosis.errors import InputError
from anagnosis.evaluation.measures.answer_texts import AS_PUBLISHED, Words, answered, declared, words
from anagnosis.predictions import Matched
from anagnosis.word_vectors.word2vec import REMEDY

_REMEMBERED = 1 << 12  # directions of texts


def values(gold: Gold, run: Matched, protocol: str) -> list[tuple[int, float]]:
    """(row, value) of each instance of which a right answer has a known word."""
    if (vectors := gold.vectors) is None:
        what = "the measure 'embedding-average' compares word vectors, and no file of them is given"
        raise InputError(what, gold.dataset, "name a word2vec file with --vectors")
    judged = [
        (row, [words(text) for text in texts], [words(text) for text in right])
        for row, texts, right in answered(gold, run, protocol)
    ]
    every = {word for _, texts, right in judged for text in (*texts, *right) for word in text}
    known: Mapping[str, Any]
    if protocol == AS_PUBLISHED:
        known, other = vectors.as_published(every)
    else:  # other systems may answer with all candidates' names
        names = gold.name_texts
        known = vectors.of(every, lambda: {word for name in names.to_pylist() for word in words(name)})
        other = None

    @lru_cache(_REMEMBERED)
    def direction(text: Words) -> Floats | None:
        found = _direction(text, known, other)
        if found is None and other is not None:
            what = f"the mean vector of {' '.join(text)!r} is 0, and the program's score no number"
            raise InputError(what, vectors.name, f"take the usual protocol, or {REMEDY}")
        return found

    found: list[tuple[int, float]] = []
    for row, texts, right in judged:
        # A right answer without a known word is none; an answer without one is at a right angle to all.
        if sides := [own for text in right if (own := direction(text)) is not None]:
            each = [max(_cosine(direction(text), side) for side in sides) for text in texts]
            found.append((row, fmean(each) if each else 0.0))
    if judged and not found:
        what = "no word of the right answers is in it"
        raise InputError(what, vectors.name, "give another file of word vectors")
    return found


def _direction(text: Words, known: Mapping[str, Any], other: Floats | None) -> Floats | None:
    """Of the mean vector, float64 [width]; None where it is 0. other: of every other word, None to leave it out."""
    if other is None:
        rows = [known[word] for word in text if word in known]
    else:
        rows = [known.get(word, other) for word in text or ("",)]
    total: Floats = np.array(rows or [[0.0]], np.float64).sum(axis=0)
    length = float(np.sqrt(total @ total))
    return total / length if length > 0 else None


def _cosine(one: Floats | None, other: Floats) -> float:
    return 0.0 if one is None else min(max(float(one @ other), -1.0), 1.0)


EMBEDDING_AVERAGE = declared(
    name="embedding-average",
    title="embedding average",
    what="The cosine of the mean word vectors of the answer and a right one, over the word2vec file of --vectors.",
    values=values,
    vectors=True,
    complete=(AS_PUBLISHED,),
    unit="number",
    lowest=-1.0,
    source="Šuster and Daelemans 2018, section 6; Liu et al. 2016",
)
