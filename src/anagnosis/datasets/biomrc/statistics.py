"""Table 2 of BIOMRC for any cloze dataset: instances, candidates, and the lengths of abstracts and titles.

"All lengths are measured in tokens using a whitespace tokenizer": of the text with @entityN and XXXX in it,
so that an entity or the placeholder is one token. Global and local numbers give the same lengths.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import cast

from anagnosis.datasets.biomrc.layout import published_size
from anagnosis.datasets.folder import store
from anagnosis.datasets.folder.store import Dataset
from anagnosis.datasets.kinds.cloze_instance import ClozeInstance
from anagnosis.datasets.kinds.cloze_views import by_numbers, tokens, view
from anagnosis.datasets.kinds.kind import StatisticsOptions
from anagnosis.datasets.shortcuts import Shortcut, card
from anagnosis.errors import unknown_name

TOTAL = "total"
BIOMRC = "biomrc"


@dataclass(frozen=True, slots=True)
class Spread:
    """Sum, largest and smallest of a count over the instances; 0 of none."""

    instances: int = 0
    sum: int = 0
    largest: int = 0
    smallest: int = 0

    @property
    def mean(self) -> float:
        return self.sum / self.instances if self.instances else 0.0


@dataclass(frozen=True, slots=True)
class Column:
    """One column of the table. candidates: number of them; passage, question: white-space tokens."""

    instances: int = 0
    candidates: Spread = field(default_factory=Spread)
    passage: Spread = field(default_factory=Spread)
    question: Spread = field(default_factory=Spread)


@dataclass(frozen=True, slots=True)
class Lengths:
    """Of what is counted in each instance: the mean, the largest and the smallest number; 0 of no instance."""

    mean: float
    largest: int
    smallest: int


@dataclass(frozen=True, slots=True)
class Size:
    """Table 2's figures of a split. candidates: how many an instance has; passage, question: white-space tokens."""

    instances: int
    candidates: Lengths
    passage: Lengths
    question: Lengths


@dataclass(frozen=True, slots=True)
class ClozeStatistics:
    """Statistics of a dataset of cloze questions.

    splits: each split and "total". beside: the published set that the dataset is compared with, "" for none, and
    published: its columns as the paper prints them. shortcuts: what instances have that can be answered without
    reading.
    """

    splits: dict[str, Size]
    beside: str
    published: dict[str, Size]
    shortcuts: tuple[Shortcut, ...]


@dataclass(frozen=True, slots=True)
class TableRow:
    """One line of the table as the paper names it. values: split (or "total") → figure."""

    label: str
    values: dict[str, float]


# The paper's rows in its order → where the figure stands in a column.
ROWS = {
    "Instances": ("instances", ""),
    "Avg candidates": ("candidates", "mean"),
    "Max candidates": ("candidates", "largest"),
    "Min candidates": ("candidates", "smallest"),
    "Avg abstract len.": ("passage", "mean"),
    "Max abstract len.": ("passage", "largest"),
    "Min abstract len.": ("passage", "smallest"),
    "Avg title len.": ("question", "mean"),
    "Max title len.": ("question", "largest"),
    "Min title len.": ("question", "smallest"),
}


def cloze_statistics(dataset: Dataset, options: StatisticsOptions) -> ClozeStatistics:
    """The statistics of a dataset; each split is read twice."""
    options.refuse_labels(str(dataset.folder))

    def splits() -> dict[str, Iterator[ClozeInstance]]:
        return {split: store.instances(dataset, split, of=ClozeInstance) for split in dataset.rows}

    columns = statistics(splits(), text_form=dataset.text_form, numbering=dataset.numbering)
    sets = published()
    # Of another dataset BioMRC's figures say nothing, unless somebody asks for them.
    usual = published_size(dataset) if dataset.recipe.get("dataset", BIOMRC) == BIOMRC else ""
    beside = options.beside or usual
    if beside and beside not in sets:
        raise unknown_name("published set", beside, sets)
    sizes = {split: _size(column) for split, column in columns.items()}
    return ClozeStatistics(sizes, beside, sets.get(beside, {}), card(splits()))


def statistics(
    splits: Mapping[str, Iterable[ClozeInstance]], *, text_form: str, numbering: str = "global"
) -> dict[str, Column]:
    """A column for each split, in their order, and "total". Reads each split once, an instance at a time."""
    columns = {
        split: _column(instances, text_form=text_form, numbering=numbering)
        for split, instances in splits.items()
    }
    return {**columns, TOTAL: _joined(columns.values())}


def table(columns: Mapping[str, Size]) -> tuple[TableRow, ...]:
    """The lines of Table 2, for display."""
    return tuple(
        TableRow(label, {split: _figure(column, part, what) for split, column in columns.items()})
        for label, (part, what) in ROWS.items()
    )


@cache
def published() -> dict[str, dict[str, Size]]:
    """Table 2 as printed: "large", "lite" and "tiny" → its columns.

    TINY has the columns "setting-a", "setting-b" and "total", the others "train", "dev", "test" and "total".
    """
    text = files("anagnosis.datasets.biomrc").joinpath("statistics.toml").read_text(encoding="utf-8")
    sets = cast("dict[str, dict[str, list[float]]]", tomllib.loads(text)["table2"])
    return {
        name: {column: _printed(figures) for column, figures in columns.items()}
        for name, columns in sets.items()
    }


def _printed(figures: Sequence[float]) -> Size:
    """A column of statistics.toml, whose figures stand in the order of ROWS."""
    instances, *lengths = figures
    candidates, passage, question = (
        Lengths(mean, int(largest), int(smallest))
        for mean, largest, smallest in zip(lengths[0::3], lengths[1::3], lengths[2::3], strict=True)
    )
    return Size(int(instances), candidates, passage, question)


def _size(column: Column) -> Size:
    candidates, passage, question = (
        Lengths(each.mean, each.largest, each.smallest)
        for each in (column.candidates, column.passage, column.question)
    )
    return Size(column.instances, candidates, passage, question)


def _column(instances: Iterable[ClozeInstance], *, text_form: str, numbering: str) -> Column:
    candidates, passage, question = _Tally(), _Tally(), _Tally()
    for instance in instances:
        viewed = view(instance, by_numbers(numbering), text_form, numbering=numbering)
        candidates.add(len(instance.candidates))
        passage.add(len(tokens(viewed.passage)))
        question.add(len(tokens(viewed.question)))
    return Column(candidates.count, candidates.spread(), passage.spread(), question.spread())


class _Tally:
    """A spread while it grows."""

    def __init__(self) -> None:
        self.count = 0
        self._sum = 0
        self._largest = 0
        self._smallest = 0

    def add(self, value: int) -> None:
        self._largest = max(value, self._largest)
        self._smallest = value if not self.count else min(value, self._smallest)
        self._sum += value
        self.count += 1

    def spread(self) -> Spread:
        return Spread(self.count, self._sum, self._largest, self._smallest)


def _joined(columns: Iterable[Column]) -> Column:
    some = [column for column in columns if column.instances]
    return Column(
        sum(column.instances for column in some),
        _joined_spreads([column.candidates for column in some]),
        _joined_spreads([column.passage for column in some]),
        _joined_spreads([column.question for column in some]),
    )


def _joined_spreads(spreads: list[Spread]) -> Spread:
    if not spreads:
        return Spread()
    return Spread(
        sum(spread.instances for spread in spreads),
        sum(spread.sum for spread in spreads),
        max(spread.largest for spread in spreads),
        min(spread.smallest for spread in spreads),
    )


def _figure(column: Size, part: str, what: str) -> float:
    value = getattr(column, part)
    return getattr(value, what) if what else value
