"""Which split an article belongs to: consecutive blocks, by document, or by date; and what recipes say of it.

All of an article's instances go to one split. Every function that splits takes the kept articles in the order of the
input and gives an int8 array, one code an article: 0 train, 1 dev, 2 test.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Annotated

import msgspec
import numpy as np

from anagnosis.array_types import Floats, Int8s, Longs, UInt64s

SPLITS = ("train", "dev", "test")  # by code
HUB_SPLITS = {"train": "train", "dev": "validation", "test": "test"}  # as Hugging Face calls them
Codes = Int8s
_Weight = Annotated[float, msgspec.Meta(ge=0, le=1e15)]
Since = Annotated[
    str,
    msgspec.Meta(pattern=r"^(\d{4}(-\d{2}(-\d{2})?)?)?$", description="write YYYY, YYYY-MM or YYYY-MM-DD"),
]


def head(instances: Longs, weights: Sequence[float]) -> Codes:
    """Consecutive blocks of the order, as the published BioMRC has them.

    instances: how many each article has. The border falls between articles: an article goes to the split in
    which its first instance would lie.
    """
    before = np.cumsum(instances) - instances
    return _cut(before, _borders(weights, int(instances.sum())))


def by_document(id_hashes: UInt64s, weights: Sequence[float], seed: int) -> Codes:
    """A seeded draw for each document id: stays the same when other documents come or go."""
    drawn = _mixed(id_hashes ^ _mixed(np.full(1, seed, np.uint64))) >> np.uint64(11)
    return _cut(drawn.astype(np.float64) / float(1 << 53), _borders(weights, 1.0))


def by_date(dates: Sequence[str], instances: Longs, weights: Sequence[float]) -> Codes:
    """Oldest to train, newest to test; articles of one date stay together, so no split looks ahead.

    dates: ISO dates; a shorter one (a year, a month) counts as its first day.
    """
    days, day = np.unique([first_day(date) for date in dates], return_inverse=True)
    each = np.bincount(day, weights=instances, minlength=len(days))
    before = np.cumsum(each) - each
    return _cut(before, _borders(weights, float(instances.sum())))[day]


def first_day(date: str) -> str:
    """The first day of an ISO date that may lack its day or its month: `2024` → `2024-01-01`."""
    return date + "0000-01-01"[len(date) :]


def _borders(weights: Sequence[float], total: float) -> tuple[float, float]:
    train, dev, test = weights
    whole = train + dev + test
    return total * train / whole, total * (train + dev) / whole


def _cut(positions: Longs | Floats, borders: tuple[float, float]) -> Codes:
    return ((positions >= borders[0]).astype(np.int8) + (positions >= borders[1])).astype(np.int8)


def _mixed(values: UInt64s) -> UInt64s:
    """splitmix64 (Steele, Lea and Flood 2014): every bit of the result depends on every bit given."""
    with np.errstate(over="ignore"):
        z = values + np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return z ^ (z >> np.uint64(31))


class SplitWeights(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How large the splits are, as any three numbers; only their ratio counts."""

    train: _Weight
    dev: _Weight
    test: _Weight

    def __post_init__(self) -> None:
        if not self.train + self.dev + self.test:
            raise ValueError("all three are 0")


def refuse_other_than_dates(since: str) -> None:
    """A date that the calendar does not have is a ValueError; none is a date too."""
    if since:
        try:
            date.fromisoformat(first_day(since))
        except ValueError as fault:
            raise ValueError(f"since: {since} is not in the calendar") from fault
