"""BLEU of short answers as CliCR's program counts it (pycocoevalcap of Chen et al. 2015): sums over a set of answers.

    p_k = (matches of k-grams + 1e-15) / (k-grams + 1e-9)       matches: clipped by the most of any right answer
    r   = (words + 1e-15) / (words of the right answers closest in length + 1e-9)       of two as close the shorter
    BLEU-n = (p_1 · … · p_n)^(1/n) · exp(1 − 1/r) where r < 1

All are sums over the set, so that one-word answers that are all right have a BLEU-2 of 0.001. `bleu-2-mean` and
`bleu-4-mean` are Equation 4 of the paper instead: each answer alone beside each right answer alone, the best, and the
mean of those.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import partial

import numpy as np

from anagnosis.array_types import Floats
from anagnosis.datasets.gold import Gold
from anagnosis.evaluation.measures.answer_texts import (
    AS_PUBLISHED,
    Words,
    answered,
    declared,
    mean_of_best,
    words,
)
from anagnosis.evaluation.measures.measure import Measure, Statistics
from anagnosis.predictions import Matched

_ABOVE, _BELOW = 1e-15, 1e-9  # the program's: what keeps a product from 0, and a division from failing


def counts(answer: Words, right: Sequence[Words], n: int) -> list[float]:
    """[2 · n + 2]: matches of 1 to n words, runs of 1 to n words in the answer, its length, that of the closest."""
    length, own = len(answer), set(answer)
    lengths = [len(each) for each in right]
    closest = length if length in lengths else min([(abs(each - length), each) for each in lengths])[1]
    shared = [each for each in right if not own.isdisjoint(each)]
    matches = [_matches(answer, shared, size) for size in range(1, n + 1)] if shared else [0.0] * n
    return [*matches, *[max(0, length - size) for size in range(n)], length, closest]


def _matches(answer: Words, right: Sequence[Words], size: int) -> float:
    """How many runs of so many words the right answers have too, each at most as often as the one with the most."""
    if size > len(answer):
        return 0.0
    theirs = [_runs(each, size) for each in right]
    return float(
        sum(min(count, max([own[run] for own in theirs])) for run, count in _runs(answer, size).items())
    )


def _runs(text: Words, size: int) -> Counter[Words]:
    """The runs of so many words, and how often each stands in the text."""
    return Counter([text[start : start + size] for start in range(len(text) - size + 1)])


def bleu(sums: Floats) -> Floats:
    """BLEU-n of sums […, 2 · n + 2] of `counts`."""
    n = sums.shape[-1] // 2 - 1
    precisions = (sums[..., :n] + _ABOVE) / (sums[..., n : 2 * n] + _BELOW)
    ratio = (sums[..., -2] + _ABOVE) / (sums[..., -1] + _BELOW)
    return np.prod(precisions, axis=-1) ** (1 / n) * np.exp(np.minimum(0.0, 1 - 1 / ratio))


def best_bleu(answer: Words, right: Sequence[Words], n: int) -> float:
    """The highest BLEU-n of one answer beside each right one alone."""
    return float(bleu(np.array([counts(answer, [each], n) for each in right], np.float64)).max())


def statistics(n: int, gold: Gold, run: Matched, protocol: str) -> Statistics:
    """`counts` of each instance, means over tied texts; an instance without an answer has an empty one."""
    of_instances = np.zeros((len(gold), 2 * n + 2))
    rows: list[int] = []
    found: list[list[float]] = []
    for row, texts, right in answered(gold, run, protocol):
        sides = [words(text) for text in right]
        every = [counts(words(text), sides, n) for text in texts or ("",)]
        rows.append(row)
        found.append(every[0] if len(every) == 1 else np.mean(every, axis=0).tolist())
    counted = np.zeros(len(gold), np.bool_)
    counted[rows] = True
    if rows:
        of_instances[rows] = found
    return Statistics(of_instances, bleu, counted)


def _corpus_bleu(n: int) -> Measure:
    """BLEU-n over the whole set of answers."""
    return declared(
        name=f"bleu-{n}",
        title=f"BLEU-{n}",
        what=f"Runs of 1 to {n} words that the answers share with the right ones, counted over all answers together.",
        statistics=partial(statistics, n),
        complete=(AS_PUBLISHED,),
        unit="number",
        source="github.com/clips/clicr, pycocoevalcap",
    )


def _mean_bleu(n: int) -> Measure:
    """The mean of each answer's own BLEU-n."""
    return declared(
        name=f"bleu-{n}-mean",
        title=f"BLEU-{n} (mean)",
        what=f"The mean of each answer's own BLEU-{n}, beside the right answer that gives the highest.",
        values=partial(mean_of_best, partial(best_bleu, n=n)),
        unit="number",
        source="Šuster and Daelemans 2018, Equation 4; the epsilons of github.com/clips/clicr, pycocoevalcap",
    )


BLEU_2 = _corpus_bleu(2)
BLEU_4 = _corpus_bleu(4)
BLEU_2_MEAN = _mean_bleu(2)
BLEU_4_MEAN = _mean_bleu(4)
