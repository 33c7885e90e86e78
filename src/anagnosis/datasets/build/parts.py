"""The third phase of a build: one pass over the rows that the first left, which become the Parquet parts of a dataset.

Entities are numbered here, by their first appearance in the articles that stay.
"""

from __future__ import annotations

import pickle
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from itertools import pairwise
from pathlib import Path
from typing import Any, cast

import numpy as np
import pyarrow as pa

from anagnosis.array_types import Bools, Ints, Longs
from anagnosis.datasets.arrays import to_numbers
from anagnosis.datasets.build.resolving import DROPPED, Resolved
from anagnosis.datasets.build.screening import Articles, Entity
from anagnosis.datasets.folder import writing
from anagnosis.datasets.folder.entities import EntityRow
from anagnosis.datasets.kinds.cloze_instance import outside
from anagnosis.datasets.splits import SPLITS
from anagnosis.progress import Progress


def write(folder: Path, spool: Path, articles: Articles, resolved: Resolved) -> list[EntityRow]:
    """Write all parts of all splits into a folder; gives the entities. spool: a file with the rows of all blocks."""
    instances, numbering = np.asarray(articles.instances, np.int64), Numbering()
    with ExitStack() as stack:
        source = stack.enter_context(spool.open("rb"))
        count = int(instances[resolved.codes != DROPPED].sum())
        progress = stack.enter_context(Progress("write", count, "instances"))
        parts = [stack.enter_context(writing.Parts(folder, split)) for split in SPLITS]
        for first, behind in pairwise(articles.borders):
            of_article = np.repeat(np.arange(first, behind), instances[first:behind])
            of_row = resolved.codes[of_article]
            rows, entities = pickle.load(source)
            if not (of_row != DROPPED).any():
                continue
            table = pa.ipc.open_stream(rows).read_all().combine_chunks()
            numbers, types = np.zeros(0, np.int32), list[str]()
            if "candidates" in table.schema.names:
                numbers, types = numbering.add(entities, table, of_article, of_row != DROPPED)
            for code, its in enumerate(parts):
                chosen = np.flatnonzero(of_row == code)
                if len(chosen):
                    its.add(_resolved(table, chosen, numbers, types, articles.dates, of_article[chosen]))
                    progress.advance(len(chosen))
    return numbering.rows


class Numbering:
    """Numbers of entities, dense, by first appearance in the articles that stay; the first of several types counts."""

    def __init__(self) -> None:
        self.rows: list[EntityRow] = []
        self._numbers: dict[str, int] = {}

    def add(
        self, entities: Sequence[Entity], table: pa.Table, of_article: Longs, stays: Bools
    ) -> tuple[Ints, list[str]]:
        """(number, type) of each entity of a block; -1, "" where no row that stays has it. of_article, stays: of rows.

        A row names its candidates, then the entities of its question that are none.
        """
        size, keys = len(entities), dict[str, int]()
        same = np.array([keys.setdefault(each[0], at) for at, each in enumerate(entities)], np.int64)
        local, row = _field(table, "candidates", "number")
        asked, row_of_asked = _field(table, "question_mentions", "candidate")
        is_outside = asked < 0
        rows = np.concatenate([row, row_of_asked[is_outside]])
        named = np.concatenate([local, outside(asked[is_outside])])
        order = np.argsort(rows, kind="stable")
        distinct, first = np.unique(named[order][stays[rows[order]]], return_index=True)
        numbers, types = np.full(size, -1, np.int32), [""] * size
        for at in distinct[np.argsort(first, kind="stable")].tolist():
            key, entity_type, identifier = entities[at]
            number = numbers[at] = self._numbers.setdefault(key, len(self._numbers))
            if number == len(self.rows):
                self.rows.append(EntityRow(key, number, sys.intern(entity_type), identifier))
            types[at] = self.rows[number].type
        used, articles = same[local[stays[row]]], of_article[row][stays[row]]
        documents = np.bincount(np.unique(articles * size + used) % max(size, 1), minlength=size)
        instances = np.bincount(used, minlength=size)
        for at in np.flatnonzero(documents).tolist():
            entity = self.rows[self._numbers[entities[at][0]]]
            entity.documents += int(documents[at])
            entity.instances += int(instances[at])
        return numbers, types


def _field(table: pa.Table, name: str, field: str) -> tuple[Any, Longs]:
    """The values of a field of the items of a column, and the row of each."""
    counts: Longs = np.diff(to_numbers(cast(pa.ListArray, table.column(name).chunk(0)).offsets))
    values = _items(table, name).field(field).to_numpy().astype(np.int64)
    return values, np.repeat(np.arange(len(counts)), counts)


def _resolved(
    table: pa.Table,
    rows: Longs,
    numbers: Ints,
    types: Sequence[str],
    dates: Sequence[str],
    of_article: Longs,
) -> pa.Table:
    """These rows of a block, with the dates of their articles and, of cloze questions, entities as numbered."""
    table = table.take(pa.array(rows)).combine_chunks()
    if "candidates" in table.schema.names:
        table = _numbered(table, numbers, types)
    if dates:
        place = table.schema.get_field_index("date")
        of_rows = pa.array([dates[article] for article in of_article.tolist()], pa.string())
        table = table.set_column(place, table.schema.field(place), of_rows)
    return table


def _numbered(table: pa.Table, numbers: Ints, types: Sequence[str]) -> pa.Table:
    """With global numbers, also of a question's entities that are no candidates (`outside`), and one type for each."""
    local = _items(table, "candidates").field("number").to_numpy()
    of_candidates = pa.array(types, pa.string()).take(pa.array(local))
    table = _with_items(table, "candidates", number=pa.array(numbers[local]), type=of_candidates)
    candidate = _items(table, "question_mentions").field("candidate").to_numpy()
    is_outside = candidate < 0
    if not is_outside.any():
        return table
    renumbered = candidate.copy()
    renumbered[is_outside] = outside(numbers[outside(candidate[is_outside])])
    return _with_items(table, "question_mentions", candidate=pa.array(renumbered))


def _items(table: pa.Table, name: str) -> pa.StructArray:
    """The items of all lists of a column, one behind the other."""
    return cast(pa.ListArray, table.column(name).chunk(0)).values


def _with_items(table: pa.Table, name: str, **changed: pa.Array) -> pa.Table:
    """The table with other values in fields of the items of a column."""
    items, place = _items(table, name), table.schema.get_field_index(name)
    lists = cast(pa.ListArray, table.column(name).chunk(0))
    made = pa.StructArray.from_arrays(
        [changed.get(field.name, items.field(field.name)) for field in items.type], fields=list(items.type)
    )
    rebuilt = pa.ListArray.from_arrays(lists.offsets, made, type=lists.type)
    return table.set_column(place, table.schema.field(place), rebuilt)
