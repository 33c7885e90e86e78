"""Sizes of the sets that a paper published, read from published_sizes.toml beside the dataset's rules.

    table = "Table 1 of BioRead"      # where the figures stand
    passage = "context"               # what its rows call a passage
    question = "question"             # and a question

    [sets.bioread-lite]
    name = "BioReadLite"
    vocabulary = 597_000
    rounded = ["vocabulary"]
    columns.train = [800_000, 18.89, 30, 2, 317.2, 400, 30, 16.8, 25, 5]

The ten figures are the instances; the mean, maximum and minimum of the candidates; those of the passages' lengths; and
those of the questions' lengths. A paper may print the instances alone.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

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


@dataclass(frozen=True, slots=True)
class PublishedSets:
    """The published sets of a dataset's paper. sets: reads them, key → set.

    usual: an open dataset → the key of the set that it is compared with unless a user names another, "" for none.
    words: begins to count a vocabulary by the paper's rule; None where the paper describes none. It gets the
    white-space tokens of each passage and question of train by `add`, `size()` are the words so far, `rule` says which.
    """

    sets: Callable[[], Mapping[str, PublishedSet]]
    usual: Callable[[Any], str]
    words: Callable[[], Any] | None = None


@cache
def sets_of(package: str) -> Mapping[str, PublishedSet]:
    """The sets of the table in a package, in its order: key → set."""
    table = tomllib.loads(files(package).joinpath("published_sizes.toml").read_text(encoding="utf-8"))
    rows = {word: table[word] for word in ("table", "passage", "question")}
    found: dict[str, PublishedSet] = {}
    for key, each in table["sets"].items():
        columns = {column: _size(*figures) for column, figures in each.pop("columns").items()}
        vocabulary, rounded = each.pop("vocabulary", None), tuple(each.pop("rounded", ()))
        found[key] = PublishedSet(
            key=key, columns=columns, vocabulary=vocabulary, rounded=rounded, **rows, **each
        )
    return found


def _size(instances: float, *lengths: float) -> Size:
    each = (
        Lengths(lengths[at], int(lengths[at + 1]), int(lengths[at + 2])) for at in range(0, len(lengths), 3)
    )
    return Size(int(instances), *each)
