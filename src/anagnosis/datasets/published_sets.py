"""Sizes of the sets that a paper published, read from a table beside the dataset's rules.

    table = "Table 1 of BioRead"      # where the figures stand
    passage = "context"               # what its rows call a passage
    question = "question"             # and a question

    [sets.bioread-lite]
    name = "BioReadLite"
    vocabulary = 597_000
    rounded = ["vocabulary"]

    [sets.bioread-lite.columns]
    train = [800_000, 18.89, 30, 2, 317.2, 400, 30, 16.8, 25, 5]

The ten figures of a column are the instances; the mean, maximum and minimum of the candidates; those of the passages'
lengths; and those of the questions' lengths. A paper may print the instances alone. What else it prints of case reports
stands in [sets.NAME.case_reports] and [sets.NAME.answer_types], by the fields of `CaseReportStatistics`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any, Protocol

VOCABULARY = "vocabulary"


@dataclass(frozen=True, slots=True)
class Lengths:
    """Of what is counted in each instance: the mean, the largest and the smallest number; 0 of no instance."""

    mean: float
    largest: int
    smallest: int


@dataclass(frozen=True, slots=True)
class Size:
    """The size of a split. candidates: how many an instance has; passage, question: white-space tokens. None: the paper
    prints none.
    """

    instances: int
    candidates: Lengths | None = None
    passage: Lengths | None = None
    question: Lengths | None = None


@dataclass(frozen=True, slots=True)
class PublishedSet:
    """A published set, as its paper describes it."""

    key: str  # by which `show --beside` finds it
    name: str  # as the paper prints it
    table: str  # where the figures stand
    passage: str  # what the table's rows call it
    question: str
    columns: dict[str, Size]  # split (or "total") → size
    vocabulary: int | None  # words, None where the paper gives no number
    rounded: tuple[str, ...]  # which of "instances" and "vocabulary" the paper gives rounded
    case_reports: dict[str, float] = field(
        default_factory=dict[str, float]
    )  # of `CaseReportStatistics`, by field
    answer_types: dict[str, float] = field(default_factory=dict[str, float])  # share of each


class WordCounter(Protocol):
    """Counts a dataset's vocabulary by the rule of its paper. rule: which words are in it."""

    rule: str

    def add(self, words: Iterable[str]) -> None:
        """The white-space tokens of a passage or a question of train."""

    def size(self) -> int:
        """Words of the vocabulary so far."""
        ...


@dataclass(frozen=True, slots=True)
class PublishedSets:
    """The published sets of a dataset's paper. sets: reads them, key → set. words: begins to count a vocabulary, None
    where the paper describes none.

    usual: an open dataset → the key of the set that it is compared with unless a user names another, "" for none.
    """

    sets: Callable[[], Mapping[str, PublishedSet]]
    usual: Callable[[Any], str]
    words: Callable[[], WordCounter] | None = None


@cache
def sets_of(package: str) -> Mapping[str, PublishedSet]:
    """The sets of the table in a package, in its order: key → set."""
    table = tomllib.loads(files(package).joinpath("published_sizes.toml").read_text(encoding="utf-8"))
    return {
        key: PublishedSet(
            key,
            each["name"],
            table["table"],
            table["passage"],
            table["question"],
            {column: _size(figures) for column, figures in each["columns"].items()},
            each.get("vocabulary"),
            tuple(each.get("rounded", ())),
            each.get("case_reports", {}),
            each.get("answer_types", {}),
        )
        for key, each in table["sets"].items()
    }


def _size(figures: Sequence[float]) -> Size:
    instances, *lengths = figures
    if not lengths:
        return Size(int(instances))
    candidates, passage, question = (
        Lengths(mean, int(largest), int(smallest))
        for mean, largest, smallest in zip(lengths[0::3], lengths[1::3], lengths[2::3], strict=True)
    )
    return Size(int(instances), candidates, passage, question)
