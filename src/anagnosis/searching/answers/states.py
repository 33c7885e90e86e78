"""Whether a collection answers a question: answered here, closest passages only, or nothing about this here.

Two logistic functions decide. The first one, of FEATURES, says how likely the collection holds the answer. The second,
of its score and OF_FIRST, says how likely the first sentence is right.

    nothing     the first is below a split-conformal threshold that aims at NOTHING_LIMIT of the answerable questions
    answered    the second is at least LIKELIER: the first sentence is likelier right than wrong

`python benchmarks/answer_states.py fit` fits both, on questions that it asks with and without the documents that answer
them. The first was fitted on BioASQ's editions 2 to 6, SciFact's training claims, PQA-L without headings and COVID-QA,
and with vectors on the editions alone; its threshold on editions 7 and 8. The second was fitted on these two editions
and on questions of ours, by words, and serves with vectors too. docs/results_search.md has rates on other questions.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from anagnosis.language.question_kinds import YESNO
from anagnosis.searching.records.hits import ANSWERED, CLOSEST, NOTHING, Hit, State
from anagnosis.searching.sentences.evidence_order import ReadSentence
from anagnosis.searching.sentences.overlap import AskedWords

# Passages that a smaller collection counts as: in a few papers on one topic all its words are common.
SMALLEST = 20
NOTHING_LIMIT = 0.04
FEATURES = ("paper", "passage", "first", "nearest", "lead")


OF_FIRST = ("stands_out", "value", "yesno")


class StateWeights(NamedTuple):
    """weights: of FEATURES, 0 for one that is not used. nothing: below it there is nothing."""

    weights: tuple[float, ...]
    intercept: float
    nothing: float


BY_WORDS = StateWeights((2.522, 3.19, 2.373, 0.0, 0.0), -5.03, 0.164)
WITH_VECTORS = StateWeights((1.513, 2.049, 3.911, 3.431, 6.161), -8.059, 0.1742)
# Of the logit of the first function, and of OF_FIRST.
FIRST_WEIGHTS = (0.72, 0.56, 0.19, -0.6)
FIRST_INTERCEPT = -1.03
LIKELIER = 0.5


def state(score: float, first: Sequence[float], fitted: StateWeights) -> State:
    """The state of a score. first: OF_FIRST."""
    if score < fitted.nothing:
        return NOTHING
    return ANSWERED if first_is_right(score, first) >= LIKELIER else CLOSEST


def first_is_right(score: float, first: Sequence[float]) -> float:
    """How likely the first sentence answers, 0 to 1. score: as of `score`. first: OF_FIRST."""
    within = min(max(score, 1e-9), 1 - 1e-9)
    return _logistic(FIRST_WEIGHTS, [math.log(within / (1 - within)), *first], FIRST_INTERCEPT)


def of_first(sentences: Sequence[ReadSentence]) -> list[float]:
    """OF_FIRST of the best of some different sentences, all 0 without any.

    stands_out: ln of the share that the sentence has of all of them, as in a conditional logit; 0 for yes or no, where
    each paper on the question has a sentence that answers. value: its weighted sum (evidence_order.py). yesno: 1 or 0.
    """
    if not sentences:
        return [0.0] * len(OF_FIRST)
    values, yesno = [one.value for one in sentences], sentences[0].kind == YESNO
    best = max(values)
    stands_out = -math.log(math.fsum(math.exp(value - best) for value in values))
    return [0.0 if yesno else stands_out, best, float(yesno)]


def score(row: Sequence[float], fitted: StateWeights) -> float:
    """How likely the collection holds the answer, 0 to 1. row: FEATURES."""
    return _logistic(fitted.weights, row, fitted.intercept)


def _logistic(weights: Sequence[float], row: Sequence[float], intercept: float) -> float:
    value = math.fsum(weight * feature for weight, feature in zip(weights, row, strict=True))
    return 1 / (1 + math.exp(-(value + intercept)))


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
