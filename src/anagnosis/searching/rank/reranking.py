"""The best passages of a ranking, read sentence by sentence and put into a new order.

What is seen of a passage is in CLUES; beside them stands how each number of its dense vector agrees with that of the
question's. A passage's value is their weighted sum. The weights are a conditional logit (McFadden 1974) of the relevant
passages among the READ best (searching/fit/reranking_fitting.py). Those of FILE are fitted on judged questions of the
collection (`anagnosis fit-reranking`); where there is none, those below, which were fitted on SciFact's training
queries and leave single numbers of vectors alone (design/search.md). Trained readers of sentences are not asked:
beside these clues they bring nothing that can be told from chance.

A share is the IDF of the question's words that are found, over the IDF of all of them: 0 to 1 (overlap.py).
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import msgspec

from anagnosis.checksums import read_checked_json
from anagnosis.errors import InputError
from anagnosis.progress import tell
from anagnosis.searching.analysis import meaningful
from anagnosis.searching.engines import Engine
from anagnosis.searching.records.passage import Passage
from anagnosis.searching.sentences import overlap
from anagnosis.searching.sentences.sentences import cut
from anagnosis.searching.words import words_of

FILE = "reranking.json"
READ = 20  # passages
CLUES = ("first", "cosine", "whole", "best", "pairs", "numbers")
_AGAIN = "fit them again with `anagnosis fit-reranking`, or remove the file"
_NUMBER = re.compile(r"[0-9]+(?:[.,][0-9]+)*")


class Weights(msgspec.Struct, frozen=True):
    """clues: of CLUES. vector: of the products of a question's and a passage's numbers, none or one a number.

    encoder: the digest of what made those numbers, "" where the first ranking was by words.
    """

    clues: tuple[float, ...]
    vector: tuple[float, ...] = ()
    encoder: str = ""


# Fitted on SciFact's training queries.
BY_WORDS = Weights((7.02, 0.0, 1.1, 1.44, 1.33, 0.13))
BY_BOTH = Weights((10.83, 4.63, 1.94, 1.14, 1.55, 0.54))


def clues(
    engine: Engine, question: str, found: Sequence[tuple[Passage, float]], cosines: Sequence[float]
) -> list[list[float]]:
    """A number for each of CLUES, of every passage in its order. found: passages with their score, the best first.

    first: the score by the best one's. cosine: of question and passage, 0 where there is no vector. whole: the share in
    title, heading and text. best: the greatest in a sentence. pairs: of the question's neighbouring words, how many are
    neighbours in the passage, words of no meaning passed over. numbers: how many of the question's it has.
    """
    asked = words_of(meaningful(question))
    pairs, numbers = set(pairwise(asked)), set(_NUMBER.findall(question))
    weights = overlap.weights(engine, question)
    highest = max((score for _, score in found), default=0.0) or 1.0
    rows: list[list[float]] = []
    for (passage, score), cosine in zip(found, cosines, strict=True):
        above = f"{passage.title}\n{passage.heading}"
        sentences = [passage.text[begin:end] for begin, end in cut(passage)]
        words = [words_of(meaningful(text)) for text in (above, *sentences)]
        near = pairs.intersection(pair for own in words for pair in pairwise(own))
        shares = [overlap.share(weights, own) for own in words[1:]]
        there = numbers.intersection(_NUMBER.findall(f"{above}\n{passage.text}"))
        rows.append(
            [
                score / highest,
                cosine,
                overlap.share(weights, [word for own in words for word in own]),
                max(shares, default=0.0),
                len(near) / max(1, len(pairs)),
                len(there) / max(1, len(numbers)),
            ]
        )
    return rows


def value(weights: Weights, row: Sequence[float]) -> float:
    """Of a passage, by its clues."""
    return math.fsum(weight * clue for weight, clue in zip(weights.clues, row, strict=True))


def load_weights(folder: Path, encoder: str, width: int = 0) -> Weights:
    """Those fitted for an index, or those that come with the program.

    encoder: the digest, "" for words alone. width: of its vectors. Refused (InputError): what was fitted on another
    first ranking or on vectors of another width, or by another version.
    """
    path = folder / FILE
    if not path.exists():
        return BY_BOTH if encoder else BY_WORDS
    weights, _ = read_checked_json(path, Weights, _AGAIN)
    if weights.encoder != encoder:
        if not weights.encoder:
            what = "the weights were fitted on a ranking by words alone, and vectors are used here"
        elif not encoder:
            what = "the weights were fitted with vectors, which are not here or need torch"
        else:
            what = "the weights were fitted on other vectors"
        raise InputError(what, str(path), _AGAIN)
    if len(weights.clues) != len(CLUES):
        raise InputError("the weights were made by another version", str(path), _AGAIN)
    if weights.vector and len(weights.vector) != width:
        what = f"the weights are of {len(weights.vector)} numbers of a vector, which has {width} here"
        raise InputError(what, str(path), _AGAIN)
    return weights


def drop_weights_of_vectors(folder: Path) -> None:
    """Remove those that were fitted with vectors, and say so. What cannot be read stays, and is refused when used."""
    path = folder / FILE
    try:
        fitted = path.exists() and read_checked_json(path, Weights, _AGAIN)[0].encoder
    except InputError:
        return
    if fitted:
        path.unlink()
        tell(f"{FILE} went with the vectors that it was fitted with; `anagnosis fit-reranking` makes another")
