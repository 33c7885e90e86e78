"""Whether a collection answers a question: answered here, closest passages only, or nothing about this here.

A logistic score of FEATURES says how likely the collection holds the answer; two thresholds make three states of it.
The weights were fitted on BioASQ's editions 2 to 6, SciFact's training claims, PQA-L without headings and COVID-QA
(with vectors on the editions alone), each question asked with and without the documents that answer it, and the
thresholds chosen on editions 7 and 8 (`python benchmarks/answer_states.py fit`):

    nothing     a split-conformal threshold: it aims at NOTHING_LIMIT of the answerable questions below
    answered    from here on the first quoted sentence is right for ANSWERED_PRECISION of the questions, where half of
                all questions have no answer in the collection; by words, chosen among first sentences that hold an
                answer (held_answers.py) to every second question

Both are aims for questions like BioASQ's. docs/results_search.md has the rates that were measured on these and others.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from anagnosis.searching.records.hits import ANSWERED, CLOSEST, NOTHING, Hit, State
from anagnosis.searching.sentences.evidence_order import ReadSentence
from anagnosis.searching.sentences.overlap import AskedWords

# Passages that a smaller collection counts as: in a few papers on one topic all its words are common.
SMALLEST = 20
NOTHING_LIMIT = 0.04
ANSWERED_PRECISION = 0.75
FEATURES = ("paper", "passage", "first", "nearest", "lead")


class StateWeights(NamedTuple):
    """weights: of FEATURES, 0 for one that is not used. nothing: below it there is nothing; answered: from it on."""

    weights: tuple[float, ...]
    intercept: float
    nothing: float
    answered: float


BY_WORDS = StateWeights((2.522, 3.19, 2.373, 0.0, 0.0), -5.03, 0.164, 0.63)
WITH_VECTORS = StateWeights((1.513, 2.049, 3.911, 3.431, 6.161), -8.059, 0.1742, 0.62)


def state(score: float, fitted: StateWeights) -> State:
    """The state of a score."""
    return NOTHING if score < fitted.nothing else ANSWERED if score >= fitted.answered else CLOSEST


def score(row: Sequence[float], fitted: StateWeights) -> float:
    """How likely the collection holds the answer, 0 to 1. row: FEATURES."""
    value = math.fsum(weight * feature for weight, feature in zip(fitted.weights, row, strict=True))
    return 1 / (1 + math.exp(-(value + fitted.intercept)))


def features(
    asked: AskedWords,
    hits: Sequence[Hit],
    sentences: Iterable[ReadSentence],
    passages: int,
    cosines: Sequence[float] = (),
) -> list[float]:
    """FEATURES, all 0 without hits or words.

    asked: the question's words, with their IDF among `passages`. sentences: of the hits. cosines: of the question and
    each hit; () without vectors. A word weighs the square of its IDF.

    paper: of the paper with most of the question, the share of its weight, where a word in s sentences counts
    s / (s + 1). passage: of the best passage, the weight that it has, divided by the root of the whole weight and by
    ln(passages + 1): a share that a question of many names raises.
    first: as `paper`, of the first passage. nearest: the greatest cosine. lead: by how much it is greater than that of
    the last passage.
    """
    size = max(passages, SMALLEST)
    lift = math.log((size + 1) / (passages + 1))
    squares = {word: (weight + lift) ** 2 for word, weight in asked.weights.items()}
    total = math.fsum(squares.values())
    if not hits or not total:
        return [0.0] * len(FEATURES)
    in_hit = [Counter(asked.of(hit.passage.title)) for hit in hits]
    for one in sentences:
        in_hit[one.hit].update(one.words)
    in_paper: dict[str, Counter[str]] = {}
    for hit, counts in zip(hits, in_hit, strict=True):
        in_paper.setdefault(hit.passage.document, Counter()).update(counts)

    def repeated(counts: Mapping[str, int]) -> float:
        return math.fsum(squares[word] * count / (count + 1) for word, count in counts.items()) / total

    most = max(math.fsum(squares[word] for word in counts) for counts in in_hit)
    return [
        max(map(repeated, in_paper.values())),
        most / math.sqrt(total) / math.log(size + 1),
        repeated(in_hit[0]),
        max(cosines, default=0.0),
        max(cosines, default=0.0) - min(cosines, default=0.0),
    ]
