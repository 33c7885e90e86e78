"""The third phase of a build: ranges of the rows that blocks left become the Parquet parts of a dataset."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import msgspec
import numpy as np
import pyarrow as pa

from anagnosis import parallel
from anagnosis.array_types import Ints
from anagnosis.datasets.build import screening as screenings
from anagnosis.datasets.build.resolving import Resolved
from anagnosis.datasets.folder import writing
from anagnosis.datasets.kinds.cloze_columns import offsets
from anagnosis.datasets.kinds.cloze_instance import outside
from anagnosis.datasets.splits import SPLITS
from anagnosis.io.folders import DATA
from anagnosis.progress import Progress


class Rows(msgspec.Struct, frozen=True):
    """Rows of a block, by its number. rows: which, as int32.

    numbers: the global number of each entity of the block, as int32. types: the type of each entity, the same spelling
    in the whole dataset. dates: one a row, or none at all.
    """

    block: int
    rows: bytes
    numbers: bytes
    types: list[str]
    dates: list[str]


class WriteTask(msgspec.Struct, frozen=True):
    """A part to be written. work: the folder of partial results."""

    work: str
    path: str
    sources: list[Rows]


def write(out: Path, work: str, resolved: Resolved, make_pool: Callable[[], parallel.Pool]) -> int:
    """Write all parts of all splits of a dataset; gives their rows. work: the folder of partial results."""
    rows = [resolved.rows(code) for code in range(len(SPLITS))]
    tasks = (
        WriteTask(
            work, str(out / DATA / writing.part_name(split, index, -(-n // writing.PART_ROWS))), sources
        )
        for code, (split, n) in enumerate(zip(SPLITS, rows, strict=True))
        for index, sources in enumerate(_sources(resolved, code))
    )
    with Progress("write", sum(rows), "instances") as progress:
        for count in parallel.map(write_task, tasks, make_pool):
            progress.advance(count)
    return sum(rows)


def write_task(task: WriteTask) -> int:
    """Write one part; gives its rows."""
    tables = (_selected(task.work, source) for source in task.sources)
    # Parquet pages follow the chunks they come from; one chunk a group makes them independent of the blocks.
    groups = (group.combine_chunks() for group in writing.regrouped(tables, writing.GROUP_ROWS))
    return writing.write_part(Path(task.path), groups)


def _selected(work: str, source: Rows) -> pa.Table:
    """The wanted rows of a block, with dates in place and, of cloze questions, entities as resolved."""
    rows = pa.array(np.frombuffer(source.rows, np.int32))
    table = screenings.load_instances(work, source.block).take(rows).combine_chunks()
    if "candidates" in table.schema.names:
        table = _numbered(table, source)
    if source.dates:
        place = table.schema.get_field_index("date")
        table = table.set_column(place, table.schema.field(place), pa.array(source.dates, pa.string()))
    return table


def _numbered(table: pa.Table, source: Rows) -> pa.Table:
    """With global numbers, also of a question's entities that are no candidates (`outside`), and one type for each."""
    numbers = np.frombuffer(source.numbers, np.int32)
    local = _items(table, "candidates").field("number").to_numpy()
    types = pa.array(source.types, pa.string()).take(pa.array(local))
    table = _with_items(table, "candidates", {"number": pa.array(numbers[local]), "type": types})
    candidate = _items(table, "question_mentions").field("candidate").to_numpy()
    is_outside = candidate < 0
    if not is_outside.any():
        return table
    renumbered = candidate.copy()
    renumbered[is_outside] = outside(numbers[outside(candidate[is_outside])])
    return _with_items(table, "question_mentions", {"candidate": pa.array(renumbered)})


def _lists(table: pa.Table, name: str) -> pa.ListArray:
    column = table.column(name)
    return column.chunk(0) if column.num_chunks else pa.array([], column.type)


def _items(table: pa.Table, name: str) -> pa.StructArray:
    """The items of all lists of a column, one behind the other."""
    return _lists(table, name).flatten()


def _with_items(table: pa.Table, name: str, changed: Mapping[str, pa.Array]) -> pa.Table:
    """The table with other values in fields of the items of a column."""
    lists, items = _lists(table, name), _items(table, name)
    place, kind = table.schema.get_field_index(name), lists.type
    fields = [changed.get(f.name, items.field(f.name)) for f in kind.value_type]
    counts: Ints = np.asarray(lists.value_lengths(), np.int32)
    rebuilt = pa.ListArray.from_arrays(
        offsets(counts), pa.StructArray.from_arrays(fields, fields=list(kind.value_type)), type=kind
    )
    return table.set_column(place, table.schema.field(place), rebuilt)


def _sources(resolved: Resolved, split: int) -> Iterator[list[Rows]]:
    """What each part of one split is made of: ranges of PART_ROWS of its rows, in the input's order."""
    sources: list[Rows] = []
    room = writing.PART_ROWS
    for source, rows in _rows(resolved, split):
        begin = 0
        while begin < len(rows):
            part = rows[begin : begin + room]
            dates = source.dates and [source.dates[row] for row in part.tolist()]
            sources.append(msgspec.structs.replace(source, rows=part.tobytes(), dates=dates))
            begin += len(part)
            room -= len(part)
            if not room:
                yield sources
                sources, room = [], writing.PART_ROWS
    if sources:
        yield sources


def _rows(resolved: Resolved, split: int) -> Iterator[tuple[Rows, Ints]]:
    """Each block with the rows of it that belong to a split; its dates are those of all its rows."""
    for block, numbers in enumerate(resolved.numbers):
        begin, end = resolved.borders[block : block + 2]
        counts = resolved.instances[begin:end]
        rows = np.flatnonzero(np.repeat(resolved.codes[begin:end] == split, counts)).astype(np.int32)
        dates = [
            date for date, count in zip(resolved.dates[begin:end], counts.tolist()) for _ in range(count)
        ]
        types = [resolved.entities[number].type if number >= 0 else "" for number in numbers.tolist()]
        yield Rows(block, b"", numbers.tobytes(), types, dates), rows
