"""One view of a dataset as plain rows for any trainer: Parquet, JSON lines or CSV, a file for each split.

The columns are those of the kind's `rows` (datasets/kinds/); docs/formats.md lists them.
"""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterable
from csv import DictWriter
from pathlib import Path
from typing import Any

import msgspec
import pyarrow.parquet as pq

from anagnosis.datasets.export.layouts import Exported
from anagnosis.datasets.folder import store, writing
from anagnosis.datasets.kinds.cloze_instance import ENTITY
from anagnosis.io.files import atomic_write
from anagnosis.showing import without_formula


def parquet(dataset: store.Dataset, out: Path, view: str | None) -> list[Exported]:
    """Write OUT/{train,dev,test}.parquet. view: None for the kind's usual one."""
    schema = dataset.kind.rows.schema

    def write(path: Path, rows: Iterable[dict[str, Any]]) -> None:
        with atomic_write(path) as stream, pq.ParquetWriter(stream, schema, **writing.PARQUET) as writer:
            for batch in store.row_batches(rows, schema):
                writer.write_batch(batch)

    return _export(dataset, out, view, "parquet", write)


def jsonl(dataset: store.Dataset, out: Path, view: str | None) -> list[Exported]:
    """Write OUT/{train,dev,test}.jsonl. view: None for the kind's usual one."""
    return _export(dataset, out, view, "jsonl", _write_lines)


def csv(dataset: store.Dataset, out: Path, view: str | None) -> list[Exported]:
    """Write OUT/{train,dev,test}.csv with a header. view: None for the kind's usual one.

    A list or struct is JSON. A text that a spreadsheet would run has an apostrophe in front; `@entity57` runs nothing.
    """

    def write(path: Path, rows: Iterable[dict[str, Any]]) -> None:
        with atomic_write(path) as stream:
            names = dataset.kind.rows.schema.names
            writer = DictWriter(codecs.getwriter("utf-8")(stream), names, lineterminator="\n")
            writer.writeheader()
            writer.writerows({name: _cell(value) for name, value in row.items()} for row in rows)

    return _export(dataset, out, view, "csv", write)


def _cell(value: Any) -> Any:
    if isinstance(value, list | dict):
        return msgspec.json.encode(value).decode()
    return without_formula(value) if isinstance(value, str) and not value.startswith(ENTITY) else value


def _export(
    dataset: store.Dataset, out: Path, view: str | None, format: str, write: Callable[[Path, Any], Any]
) -> list[Exported]:
    made = [Exported(out / f"{split}.{format}", count, {}) for split, count in dataset.sizes.items()]
    for each in made:
        write(each.path, dataset[each.path.stem].view(view))
    return made


def _write_lines(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    """Write a row a line, as JSON."""
    with atomic_write(path) as stream:
        for row in rows:
            stream.write(msgspec.json.encode(row) + b"\n")
