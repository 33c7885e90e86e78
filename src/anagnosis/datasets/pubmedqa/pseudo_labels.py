"""Labels for the unlabelled: a model's most confident answers, in the proportions of people's labels (section 4.3).

The paper keeps "a subset which has the same proportions": here the largest one that there are answers for. An answer
is the label of the highest probability. A model that has seen few instances hardly ever answers the rarest label;
ours, OVER_SHARE, answers the label whose probability is highest beside its share of people's labels.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from anagnosis.array_types import Floats, Longs

HIGHEST, OVER_SHARE = "highest", "over-share"


@dataclass(frozen=True, slots=True)
class Chosen:
    """rows: of those that are kept, in their order. labels: theirs. answered, kept: how many of each label."""

    rows: Longs
    labels: Longs
    answered: tuple[int, ...]
    kept: tuple[int, ...]


def choose(log_probabilities: Floats, people: Sequence[int], answer: str = HIGHEST) -> Chosen:
    """The most confident rows of each label.

    log_probabilities: float [n, labels]. people: how many of each label people gave. answer: HIGHEST or OVER_SHARE.
    Each label's share of what is kept is that of people's within one instance; where a label runs out, fewer of all
    are kept. Of rows as confident as each other the first is taken.
    """
    labels = len(people)
    shares = np.array([1.0 if answer == HIGHEST else max(count, 1) for count in people])
    answers = (log_probabilities.reshape(-1, labels) - np.log(shares)).argmax(1)
    answered = np.bincount(answers, minlength=labels)
    kept = largest(people, answered.tolist())
    rows: list[Longs] = []
    for label, count in enumerate(kept):
        own = np.flatnonzero(answers == label)
        order = np.argsort(-log_probabilities[own, label], kind="stable")
        rows.append(own[order[:count]])
    chosen = np.sort(np.concatenate(rows))
    return Chosen(chosen, answers[chosen], tuple(answered.tolist()), kept)


def largest(people: Sequence[int], there: Sequence[int]) -> tuple[int, ...]:
    """The largest counts in people's proportions of which there are enough; all 0 where there is none of a label.

    A label's count is its share of the whole, rounded up or down so that the counts add up: the largest remainders up.
    """
    if any(asked and not have for asked, have in zip(people, there, strict=True)):
        return (0,) * len(people)
    whole = sum(people)
    pairs = [(asked, have) for asked, have in zip(people, there, strict=True) if asked]
    # From here on some label's share would be more than there are even when it is rounded down.
    count = min(((have + 1) * whole - 1) // asked for asked, have in pairs)
    while any(asked > have for asked, have in zip(_shares(people, count), there, strict=True)):
        count -= 1
    return _shares(people, count)


def _shares(people: Sequence[int], count: int) -> tuple[int, ...]:
    """`count` divided in people's proportions by the largest remainders; of equal ones the first."""
    whole = sum(people)
    counts = [count * asked // whole for asked in people]
    remainders = sorted(range(len(people)), key=lambda label: -(count * people[label] % whole))
    for label in remainders[: count - sum(counts)]:
        counts[label] += 1
    return tuple(counts)
