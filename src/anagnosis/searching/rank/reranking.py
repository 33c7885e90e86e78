"""Reranking: order the best passages of a ranking anew by features of their sentences.

A passage's value is the weighted sum of its FEATURES and of the element-wise products of its vector and the question's.
The weights are a conditional logit (McFadden 1974) of the relevant passages among the READ best
(searching/fit/reranking_fitting.py). `anagnosis fit-reranking` fits them on judged questions of the collection, into
FILE. Without that file we use the weights below, which were fitted on SciFact's training queries and ignore the
products (design/search.md). Scores of trained readers of sentences are no feature: beside these they bring no
significant gain.

A share is the IDF of those words of the question that a text has, over the IDF of all its words: 0 to 1 (overlap.py).
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import msgspec

from anagnosis.errors import InputError
from anagnosis.io.checksums import read_checked_json
from anagnosis.progress import print_note
from anagnosis.searching.analysis import meaningful
from anagnosis.searching.engines import Engine
from anagnosis.searching.records.expansion import Topic
from anagnosis.searching.records.passage import Passage
from anagnosis.searching.sentences import overlap
from anagnosis.searching.sentences.sentences import cut
from anagnosis.searching.words import words_of

FILE = "reranking.json"
READ = 20  # passages
FEATURES = ("first", "cosine", "whole", "best", "pairs", "numbers")
FITS = "`anagnosis fit-reranking INDEX --topics TOPICS --judgements JUDGEMENTS`"
_AGAIN = f"fit them again with {FITS}, or remove the file"
_NUMBER = re.compile(r"[0-9]+(?:[.,][0-9]+)*")


class RerankingWeights(msgspec.Struct, frozen=True):
    """Weights of a reranking.

    features: of FEATURES. vector: of the element-wise products of vectors, () for none.
    encoder: the digest of the vectors' encoder, "" if the first ranking was by words.
    """

    features: tuple[float, ...]
    vector: tuple[float, ...] = ()
    encoder: str = ""


# Fitted on SciFact's training queries.
BY_WORDS = RerankingWeights((7.02, 0.0, 1.1, 1.44, 1.33, 0.13))
BY_BOTH = RerankingWeights((10.83, 4.63, 1.94, 1.14, 1.55, 0.54))


def features(
    engine: Engine, question: str, ranked: Sequence[tuple[Passage, float]], cosines: Sequence[float]
) -> list[list[float]]:
    """FEATURES of each passage, in order. ranked: passages with their scores, the best first.

    first: the score divided by the best one's. cosine: of question and passage, 0 without a vector. whole: the share in
    title, heading and text. best: the greatest share in a sentence. pairs: the share of the question's neighbouring
    words that are neighbours in the passage, without stop words. numbers: the share of the question's numbers that it
    has.
    """
    words_asked = words_of(meaningful(question))
    pairs, numbers = set(pairwise(words_asked)), set(_NUMBER.findall(question))
    weights = overlap.weights(engine, Topic(question))
    highest = max((score for _, score in ranked), default=0.0) or 1.0
    rows: list[list[float]] = []
    for (passage, score), cosine in zip(ranked, cosines, strict=True):
        above = f"{passage.title}\n{passage.heading}"
        sentences = [passage.text[begin:end] for begin, end in cut(passage)]
        words = [words_of(meaningful(text)) for text in (above, *sentences)]
        near = pairs.intersection(pair for sentence_words in words for pair in pairwise(sentence_words))
        shares = [overlap.share(weights, sentence_words) for sentence_words in words[1:]]
        shared_numbers = numbers.intersection(_NUMBER.findall(f"{above}\n{passage.text}"))
        rows.append(
            [
                score / highest,
                cosine,
                overlap.share(weights, [word for sentence_words in words for word in sentence_words]),
                max(shares, default=0.0),
                len(near) / max(1, len(pairs)),
                len(shared_numbers) / max(1, len(numbers)),
            ]
        )
    return rows


def value(weights: RerankingWeights, row: Sequence[float]) -> float:
    """The value of a passage. row: its FEATURES."""
    return math.fsum(weight * feature for weight, feature in zip(weights.features, row, strict=True))


def stored_weights(path: Path) -> RerankingWeights:
    """The weights of a file. DamagedError: it is no file of weights, or was changed."""
    return read_checked_json(path, RerankingWeights, _AGAIN)


def load_weights(folder: Path, encoder: str, width: int = 0) -> RerankingWeights:
    """The weights fitted for an index, or those that come with the program.

    encoder: the digest, "" for words alone. width: of its vectors. InputError: the weights were fitted on another first
    ranking, on vectors of another width, or by another version.
    """
    path = folder / FILE
    if not path.exists():
        return BY_BOTH if encoder else BY_WORDS
    weights = stored_weights(path)
    if weights.encoder != encoder:
        if not weights.encoder:
            what = "the weights were fitted on a ranking by words alone, and vectors are used here"
        elif not encoder:
            what = "the weights were fitted with vectors, which are not here or need torch"
        else:
            what = "the weights were fitted on other vectors"
        raise InputError(what, str(path), _AGAIN)
    if len(weights.features) != len(FEATURES):
        raise InputError("the weights were made by another version", str(path), _AGAIN)
    if weights.vector and len(weights.vector) != width:
        what = f"the weights are of {len(weights.vector)} numbers of a vector, which has {width} here"
        raise InputError(what, str(path), _AGAIN)
    return weights


def drop_weights_of_vectors(folder: Path) -> None:
    """Remove weights that were fitted with vectors, and report it. A damaged file stays, and is an error when used."""
    path = folder / FILE
    try:
        fitted = path.exists() and stored_weights(path).encoder
    except InputError:
        return
    if fitted:
        path.unlink()
        print_note(f"{FILE} is removed with the vectors that it was fitted on; {FITS} makes another")
