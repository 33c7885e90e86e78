"""Are probabilities what they say? The temperature that mends them, a reliability diagram's bins, their mean error.

*Temperature scaling* (Guo et al. 2017): log-probabilities divided by one number, chosen to minimise the negative
log-likelihood of labels that the model was not trained on. It changes no order of the answers, and the loss is convex
in 1/temperature, so that a bisection of its slope finds the one minimum.

*Expected calibration error*: answers sorted by confidence (the probability of the answer that was given) and cut into
bins of equal mass (Nguyen and O'Connor 2015); the mean over bins, by their size, of |accuracy − confidence|. Equal
confidences are never parted, so that the order of the instances says nothing. Even a perfect forecaster has an error
above 0 in bins of a few dozen answers; what it would have is told beside it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from anagnosis.evaluation.intervals import LEVEL, Estimate, Interval, estimate, percentiles

BINS = 10
DRAWS = 1000
_BLOCK = 1 << 22  # numbers in memory while units are drawn anew
COLDEST = 0.1  # the temperature where all labels are right
HOTTEST = 20.0  # where all are wrong
_HALVINGS = 60
_LOWEST = -1000.0  # for the logarithm of 0
_FLAT = 1e-12

Floats = npt.NDArray[np.float64]
Longs = npt.NDArray[np.int64]
Codes = npt.NDArray[np.integer[Any]]


@dataclass(frozen=True, slots=True)
class Bin:
    """Answers of like confidence. confidence: their mean; accuracy: with its interval."""

    confidence: float
    accuracy: Estimate


@dataclass(frozen=True, slots=True)
class Calibration:
    """error: the expected calibration error. by_chance: what a perfect forecaster would have in such bins.

    interval: of the error, by units drawn anew into the same bins. A draw adds noise of its own, so that it lies high.
    """

    bins: tuple[Bin, ...]
    confidence: float
    error: float
    by_chance: float
    interval: Interval


def temperature(log_probabilities: Floats, labels: Longs) -> float:
    """What to divide log-probabilities by, from COLDEST to HOTTEST; 1 where no temperature has a lower loss.

    log_probabilities: float64 [n, k], -inf for 0; need not be normalised. labels: int64 [n], places among the k.
    """
    bounded = np.maximum(log_probabilities, _LOWEST)
    own = bounded[np.arange(len(labels)), labels]
    low, high = 1 / HOTTEST, 1 / COLDEST

    def slope(inverse: float) -> float:
        return float(((np.exp(tempered(bounded, 1 / inverse)) * bounded).sum(1) - own).mean())

    for _ in range(_HALVINGS):
        middle = math.sqrt(low * high)
        low, high = (middle, high) if slope(middle) < 0 else (low, middle)
    found = 1 / math.sqrt(low * high)
    gain = likelihood_loss(bounded, labels) - likelihood_loss(tempered(bounded, found), labels)
    return found if gain > _FLAT else 1.0


def tempered(log_probabilities: Floats, temperature: float) -> Floats:
    """float64 [n, k]: log-probabilities at that temperature, normalised."""
    scaled = np.maximum(log_probabilities, _LOWEST) / temperature
    return scaled - np.logaddexp.reduce(scaled, axis=1, keepdims=True)


def likelihood_loss(log_probabilities: Floats, labels: Longs) -> float:
    """The mean negative log-likelihood of labels int64 [n] under log-probabilities float64 [n, k]."""
    return -float(tempered(log_probabilities, 1.0)[np.arange(len(labels)), labels].mean())


def calibration(confidence: Floats, credits: Floats, units: Codes, bins: int = BINS) -> Calibration:
    """Of n answers, float64 [n] each, in [0, 1]. units: int [n], the same for answers that stand or fall together."""
    order = np.argsort(confidence, kind="stable")
    cuts = _cuts(confidence[order], bins)
    found: list[Bin] = []
    chance = 0.0
    for start, stop in zip((0, *cuts[:-1]), cuts, strict=True):
        own = order[start:stop]
        said = confidence[own]
        right = estimate(credits[own], units[own])
        found.append(Bin(float(said.mean()), right))
        variance = float((said * (1 - said)).mean()) / right.effective
        chance += len(own) * math.sqrt(2 * variance / math.pi)
    n = len(confidence)
    gaps = _gaps_by_unit(confidence - credits, units, order, cuts)
    return Calibration(
        bins=tuple(found),
        confidence=math.fsum(confidence.tolist()) / n,
        error=sum(each.accuracy.n * abs(each.accuracy.value - each.confidence) for each in found) / n,
        by_chance=chance / n,
        interval=percentiles(_drawn_errors(gaps, n), LEVEL, "bootstrap by unit"),
    )


def _gaps_by_unit(gaps: Floats, units: Codes, order: Longs, cuts: list[int]) -> Floats:
    """float64 [units, bins]: the sum of confidence − credit of a unit's answers in a bin."""
    place = np.empty(len(gaps), np.int64)
    place[order] = np.repeat(np.arange(len(cuts)), np.diff([0, *cuts]))
    _, unit = np.unique(units, return_inverse=True)
    found = np.zeros((int(unit.max()) + 1, len(cuts)))
    np.add.at(found, (unit, place), gaps)
    return found


def _drawn_errors(gaps: Floats, n: int) -> Floats:
    """float64 [DRAWS]: the error of as many units, drawn anew. gaps: float64 [units, bins]; n: answers."""
    random, number = np.random.default_rng(0), len(gaps)
    found: list[Floats] = []
    for size in _sizes(max(1, _BLOCK // number)):
        drawn = random.integers(0, number, (size, number))
        times = np.array([np.bincount(row, minlength=number) for row in drawn], np.float64)
        found.append(np.abs(times @ gaps).sum(1) / n)
    return np.concatenate(found)


def _sizes(most: int) -> list[int]:
    return [min(most, DRAWS - begin) for begin in range(0, DRAWS, most)]


def _cuts(ordered: Floats, bins: int) -> list[int]:
    """Where the bins end: after every n/bins-th answer, moved on to where its value ends."""
    n = len(ordered)
    wanted = [n * number // bins for number in range(1, bins + 1)]
    ends = (int(np.searchsorted(ordered, ordered[end - 1], side="right")) for end in wanted if end)
    return sorted(set(ends))
