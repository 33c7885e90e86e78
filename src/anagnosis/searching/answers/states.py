"""Whether a collection answers a question: answered here, closest passages only, or nothing about this here.

A logit of FEATURES says how likely the first sentence is right, and less another constant how likely the collection
holds the answer (proportional odds, McCullagh 1980).

    nothing     below NOTHING_BELOW, a split-conformal threshold that aims at NOTHING_LIMIT of the answerable questions
    answered    from 0: the first sentence is likelier right than wrong

`python benchmarks/answer_states.py fit` fits it on questions of BioASQ's editions 7 and 8, asked with and without the
documents that answer them, and on questions of ours; the threshold on the editions. docs/results_search.md has rates on
other questions.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence

from anagnosis.searching.records.hits import ANSWERED, CLOSEST, NOTHING, Hit, State
from anagnosis.searching.sentences.evidence_order import ReadSentence
from anagnosis.searching.sentences.overlap import AskedWords

# Passages that a smaller collection counts as: in a few papers on one topic all its words are common.
SMALLEST = 20
NOTHING_LIMIT = 0.04
FEATURES = ("paper", "passage", "first")
WEIGHTS, INTERCEPT, NOTHING_BELOW = (2.48, 2.34, 0.22), -4.94, -1.81


def state(row: Sequence[float]) -> State:
    """The state of an answer. row: FEATURES."""
    logit = math.fsum(weight * feature for weight, feature in zip(WEIGHTS, row, strict=True)) + INTERCEPT
    if logit < NOTHING_BELOW:
        return NOTHING
    return ANSWERED if logit >= 0 else CLOSEST


def features(
    asked: AskedWords, hits: Sequence[Hit], sentences: Sequence[ReadSentence], passages: int
) -> list[float]:
    """FEATURES, all 0 without sentences or words.

    asked: the question's words, with their IDF among `passages`. sentences: of the hits. A word weighs the square of
    its IDF.

    paper: of the paper with most of the question, the share of its weight, where a word in s sentences counts
    s / (s + 1). passage: of the best passage, the weight that it has, divided by the root of the whole weight and by
    ln(passages + 1): a share that a question of many names raises. first: the greatest value of a sentence.
    """
    size = max(passages, SMALLEST)
    lift = math.log((size + 1) / (passages + 1))
    squares = {word: (weight + lift) ** 2 for word, weight in asked.weights.items()}
    total = math.fsum(squares.values())
    if not sentences or not total:
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
        max(one.value for one in sentences),
    ]
