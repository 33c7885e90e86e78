"""Made-up people whose answers have known properties, so that what statistics say of them can be wrong.

    lines(gold, [Reader("ann", "experts", accuracy=0.9), Reader("bea", accuracy=0.7)], seed=1)

gives their lines as the page saves them. No answer is of a person.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import NormalDist

import numpy as np

from anagnosis.datasets.gold import Gold
from anagnosis.datasets.sampling import rank
from anagnosis.io.counts import Counts
from anagnosis.predictions import Matched
from anagnosis.predictions.annotators import Matching
from anagnosis.predictions.lines import encoded
from anagnosis.predictions.prediction import Knowledge, Prediction

SOURCES: tuple[Knowledge, ...] = ("prior", "context", "both")


@dataclass(frozen=True)
class Reader:
    """One made-up person.

    accuracy: the chance to be right. unanswered: the chance to leave a question. prior, both: the share of answers from
    prior knowledge alone, and with the context; the others are from the context alone. prior_gain: what
    an answer from prior knowledge alone adds to the chance. seconds: the geometric mean of a right answer's;
    wrong_takes: the factor of a wrong one; spread: the deviation of log seconds.
    """

    name: str
    group: str = ""
    accuracy: float = 0.8
    unanswered: float = 0.0
    prior: float = 0.25
    both: float = 0.25
    prior_gain: float = 0.0
    seconds: float = 60.0
    wrong_takes: float = 1.0
    spread: float = 0.5


def lines(
    gold: Gold,
    readers: Sequence[Reader],
    *,
    seed: int,
    asked: Sequence[int] | None = None,
    shared: float = 0.5,
) -> list[Prediction]:
    """Their lines, each person's in the person's order. asked: rows of the split (default: all).

    shared: how far whether an answer is right depends on the question, 0 to 1: the correlation between people of normal
    variables whose lower parts are right answers.
    """
    dice = np.random.default_rng(seed)
    rows = np.arange(len(gold)) if asked is None else np.array(asked)
    ids = [gold.ids.between(row, row + 1)[0] for row in rows.tolist()]
    hardness = dice.standard_normal(len(rows))
    found: list[Prediction] = []
    for reader in readers:
        order = sorted(ids, key=lambda id, who=reader.name: rank(seed, f"{who}\n{id}"))
        place = {id: number for number, id in enumerate(order, 1)}
        own = dice.standard_normal(len(rows))
        given = [
            _line(
                reader,
                Question(id, tuple(keys), right, hard),
                place[id],
                dice,
            )
            for id, keys, right, hard in zip(
                ids,
                gold.keys(rows),
                gold.answer[rows].tolist(),
                shared**0.5 * hardness + (1 - shared) ** 0.5 * own,
                strict=True,
            )
        ]
        found += sorted(given, key=lambda line: line.place or 0)
    return found


@dataclass(frozen=True)
class Question:
    """For one person. right: the place among the keys. hard: a normal variable."""

    id: str
    keys: tuple[str, ...]
    right: int
    hard: float


def _line(reader: Reader, question: Question, place: int, dice: np.random.Generator) -> Prediction:
    chances = (reader.prior, 1 - reader.prior - reader.both, reader.both)
    source: Knowledge = SOURCES[int(dice.choice(3, p=chances))]
    chance = reader.accuracy + (reader.prior_gain if source == "prior" else 0)
    is_right = NormalDist().cdf(question.hard) < chance
    wrong = int(dice.integers(0, max(len(question.keys) - 1, 1)))
    choice = question.right if is_right else wrong + (wrong >= question.right)
    log_seconds = np.log(reader.seconds) + reader.spread * dice.standard_normal()
    seconds = float(np.exp(log_seconds)) * (1 if is_right else reader.wrong_takes)
    silent = dice.random() < reader.unanswered
    return Prediction(
        question.id,
        None if silent else question.keys[choice],
        annotator=reader.name,
        group=reader.group or None,
        knowledge="none" if silent else source,
        seconds=round(seconds, 1),
        place=place,
    )


def matched(gold: Gold, given: Sequence[Prediction]) -> list[Matched]:
    """The people of some lines, as `match_each` gives them."""
    matchings: dict[str | None, Matching] = {}
    rows = gold.ids.rows([line.id for line in given])
    for line, row, keys in zip(given, rows.tolist(), gold.keys(rows), strict=True):
        matching = matchings.setdefault(line.annotator, Matching(gold, line.annotator, line.group))
        matching.add(row, line, keys)
    return [matching.matched(name or "people", Counts()) for name, matching in matchings.items()]


def people(gold: Gold, readers: Sequence[Reader], **how: object) -> list[Matched]:
    """The made-up people, matched."""
    return matched(gold, lines(gold, readers, **how))  # pyright: ignore[reportArgumentType]  (arguments of lines)


def write(path: Path, given: Sequence[Prediction]) -> Path:
    """A file of their lines."""
    path.write_bytes(b"".join(encoded(line) + b"\n" for line in given))
    return path
