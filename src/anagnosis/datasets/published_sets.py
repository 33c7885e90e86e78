"""Sizes of the sets that papers published, read from published_sizes.toml beside this file.

    [bioread-lite]                    # by which `show --beside` finds it
    name = "BioReadLite"
    table = "Table 1 of BioRead"      # where the figures stand
    passage = "context"               # what its rows call a passage
    question = "question"             # and a question
    columns.train = [800_000, 18.89, 30, 2, 317.2, 400, 30, 16.8, 25, 5]

The ten figures are the instances; the mean, maximum and minimum of the candidates; those of the passages' lengths; and
those of the questions' lengths. A paper may print the instances alone.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from anagnosis.datasets.folder.store import Dataset


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

    key: str
    name: str  # as the paper prints it
    table: str
    passage: str
    question: str
    columns: dict[str, Size]  # split (or "total") → size; of TINY "setting-a" and "setting-b"
    rounded: bool = False  # whether the paper gives the instances rounded


@cache
def published_sets() -> Mapping[str, PublishedSet]:
    """The sets of all papers: key → set."""
    tables = tomllib.loads(files("anagnosis.datasets").joinpath("published_sizes.toml").read_text("utf-8"))
    found: dict[str, PublishedSet] = {}
    for key, each in tables.items():
        columns = {column: _size(*figures) for column, figures in each.pop("columns").items()}
        found[key] = PublishedSet(key=key, columns=columns, **each)
    return found


def _size(instances: float, *lengths: float) -> Size:
    each = (
        Lengths(lengths[at], int(lengths[at + 1]), int(lengths[at + 2])) for at in range(0, len(lengths), 3)
    )
    return Size(int(instances), *each)


def set_like(dataset: Dataset) -> str:
    """The key of the set of its paper that a dataset resembles; "" for none.

    BioReadLite stands beside passages no longer than its 400 tokens. A sample does not know the limits of what it was
    drawn from: one of BioRead or CliCR stands beside none.
    """
    if dataset.name == "biomrc":
        return biomrc_size(dataset)
    if dataset.name not in published_sets() or "sample_of" in dataset.recipe:
        return ""
    is_lite = dataset.name == "bioread" and dataset.recipe.get("maximum_passage_tokens", 401) <= 400
    return "bioread-lite" if is_lite else dataset.name


def biomrc_size(dataset: Dataset) -> str:
    """Which of BIOMRC's sets a dataset, or its files, should be called as."""
    if "_tiny" in _names(dataset) or dataset.recipe.get("groups"):
        return "tiny"
    return "lite" if "_small" in _names(dataset) or "sample_of" in dataset.recipe else "large"


def _names(dataset: Dataset) -> str:
    return " ".join(entry.name for entry in dataset.receipt.inputs)
