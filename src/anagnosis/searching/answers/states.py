"""Whether a collection answers a question: answered here, closest passages only, or nothing about this here.

A logit of FEATURES says how likely the first sentence is right, and with another constant how likely the collection
holds the answer (proportional odds, McCullagh 1980).

    nothing     below a split-conformal threshold that aims at NOTHING_LIMIT of the answerable questions
    answered    from 0: the first sentence is likelier right than wrong, and its score is at least SURE

With vectors another logit says what is nothing, since their cosines tell papers on the question from others.

`python benchmarks/answer_states.py fit` fits the first on questions of BioASQ's editions 7 and 8, asked with and
without the documents that answer them, and on questions of ours. The other was fitted on editions 2 to 6. Both
thresholds were chosen on editions 7 and 8. docs/results_search.md has rates on other questions.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from anagnosis.searching.records.hits import ANSWERED, CLOSEST, NOTHING, Hit, State
from anagnosis.searching.sentences.evidence_order import ReadSentence
from anagnosis.searching.sentences.overlap import AskedWords

# Passages that a smaller collection counts as: in a few papers on one topic all its words are common.
SMALLEST = 20
NOTHING_LIMIT = 0.04
SURE = 0.75  # of the first sentences of our questions for tuning four in five were right from there
FEATURES = ("paper", "passage", "first", "first_passage", "nearest", "lead")


class Logit(NamedTuple):
    """weights: of FEATURES, 0 for one that is not used. nothing: below it there is nothing."""

    weights: tuple[float, ...]
    intercept: float
    nothing: float


BY_WORDS = Logit((2.41, 2.43, 0.23, 0.0, 0.0, 0.0), -5.03, -1.83)
WITH_VECTORS = Logit((1.513, 2.049, 0.0, 3.911, 3.431, 6.161), -8.059, -1.556)


def state(row: Sequence[float], here: Logit) -> State:
    """The state of an answer. row: FEATURES. here: what says whether there is nothing."""
    if _value(row, here) < here.nothing:
        return NOTHING
    return ANSWERED if _value(row, BY_WORDS) >= 0 else CLOSEST


def _value(row: Sequence[float], of: Logit) -> float:
    return math.fsum(weight * feature for weight, feature in zip(of.weights, row, strict=True)) + of.intercept


def features(
    asked: AskedWords,
    hits: Sequence[Hit],
    sentences: Sequence[ReadSentence],
    passages: int,
    cosines: Sequence[float] = (),
) -> list[float]:
    """FEATURES, all 0 without sentences or words.

    asked: the question's words, with their IDF among `passages`. sentences: of the hits. cosines: of the question and
    each hit; () without vectors. A word weighs the square of its IDF.

    paper: of the paper with most of the question, the share of its weight, where a word in s sentences counts s / (s +
    1). passage: of the best passage, the weight that it has, divided by the root of the whole weight and by ln(passages
    + 1): a share that a question of many names raises. first: the greatest value of a sentence. first_passage: as
    `paper`, of the first passage. nearest: the greatest cosine. lead: by how much it is greater than that of the last
    passage.
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
        repeated(in_hit[0]),
        max(cosines, default=0.0),
        max(cosines, default=0.0) - min(cosines, default=0.0),
    ]
