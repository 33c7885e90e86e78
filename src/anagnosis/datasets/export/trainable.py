"""One view of a dataset as plain rows for any trainer: Parquet or JSON lines, a file for each split.

The columns are those of the kind's `rows` (datasets/kinds/); docs/formats.md lists them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import msgspec
import pyarrow.parquet as pq

from anagnosis.datasets.export.layouts import Exported
from anagnosis.datasets.folder import store, writing
from anagnosis.io.files import atomic_write


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
    return _export(dataset, out, view, "jsonl", write_lines)


def _export(
    dataset: store.Dataset, out: Path, view: str | None, format: str, write: Callable[[Path, Any], Any]
) -> list[Exported]:
    made = [Exported(out / f"{split}.{format}", count, {}) for split, count in dataset.sizes.items()]
    for each in made:
        write(each.path, dataset[each.path.stem].view(view))
    return made


def write_lines(path: Path, rows: Iterable[dict[str, Any]]) -> int:
    """Write a row a line, as JSON; the number of rows."""
    count = 0
    with atomic_write(path) as stream:
        for row in rows:
            count += 1
            stream.write(msgspec.json.encode(row) + b"\n")
    return count
