"""The best passages of a ranking, read sentence by sentence and put into a new order.

What is seen of a passage is in CLUES; beside them stands how each number of its dense vector agrees with that of the
question's. A passage's value is their weighted sum. The weights are a conditional logit (McFadden 1974) of the relevant
passages among the READ best (searching/reranking_fitting.py). Those of FILE are fitted on judged questions of the
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

from anagnosis.errors import InputError
from anagnosis.files import read_json
from anagnosis.searching import overlap
from anagnosis.searching.analysis import meaningful
from anagnosis.searching.engines import Engine
from anagnosis.searching.passages import Passage
from anagnosis.searching.sentences import cut

FILE = "reranking.json"
READ = 20  # passages
CLUES = ("first", "cosine", "whole", "best", "pairs", "numbers")
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
    asked = engine.words(meaningful(question))
    pairs, numbers = set(pairwise(asked)), set(_NUMBER.findall(question))
    weights = overlap.weights(engine, question)
    highest = max((score for _, score in found), default=0.0) or 1.0
    rows: list[list[float]] = []
    for (passage, score), cosine in zip(found, cosines, strict=True):
        above = f"{passage.title}\n{passage.heading}"
        sentences = [passage.text[begin:end] for begin, end in cut(passage)]
        words = [engine.words(meaningful(text)) for text in (above, *sentences)]
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


def load_weights(folder: Path, encoder: str) -> Weights:
    """Those fitted for an index, or those that come with the program. encoder: the digest, "" for words alone.

    Refused (InputError): what was fitted on another first ranking, or by another version.
    """
    path = folder / FILE
    if not path.exists():
        return BY_BOTH if encoder else BY_WORDS
    weights = read_json(path, Weights, "fit it again with `anagnosis fit-reranking`")
    if weights.encoder != encoder:
        what = (
            "was fitted on other vectors" if weights.encoder and encoder else "was fitted on another ranking"
        )
        raise InputError(what, str(path), "fit it again with `anagnosis fit-reranking`, or remove the file")
    if len(weights.clues) != len(CLUES):
        raise InputError(
            "was made by another version", str(path), "fit it again with `anagnosis fit-reranking`"
        )
    return weights
