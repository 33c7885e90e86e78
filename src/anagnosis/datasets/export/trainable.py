"""One view of a dataset as plain rows for any trainer: Parquet or JSON lines, a file for each split.

The columns are those of the kind's `rows` (datasets/kinds/); docs/formats.md lists them.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq

from anagnosis.datasets.export.layouts import Exported
from anagnosis.datasets.folder import store, writing
from anagnosis.datasets.kinds.kind import Rows
from anagnosis.datasets.kinds.table import lacking, view_of
from anagnosis.io.files import atomic_write
from anagnosis.progress import Progress

_GROUP = 5_000


def parquet(dataset: store.Dataset, out: Path, view: str | None) -> list[Exported]:
    """Write OUT/{train,dev,test}.parquet. view: None for the kind's usual one."""
    return _export(dataset, out, view, "parquet")


def jsonl(dataset: store.Dataset, out: Path, view: str | None) -> list[Exported]:
    """Write OUT/{train,dev,test}.jsonl. view: None for the kind's usual one."""
    return _export(dataset, out, view, "jsonl")


def _export(dataset: store.Dataset, out: Path, view: str | None, format: str) -> list[Exported]:
    kind = dataset.kind
    if kind.rows is None:
        raise lacking(kind, "rows for trainers", str(dataset.folder))
    shown = view or kind.usual_view
    view_of(kind, shown)
    written: list[Exported] = []
    with Progress(f"export {shown}", sum(dataset.rows.values()), "instances") as progress:
        for split in dataset.rows:
            path = out / f"{split}.{format}"
            _write(path, _rows(dataset, kind.rows, split, shown, progress), format, kind.rows.schema)
            written.append(Exported(path, dataset.rows[split], {}))
    return written


def _rows(
    dataset: store.Dataset, rows: Rows, split: str, view: str, progress: Progress
) -> Iterator[dict[str, Any]]:
    viewed = dataset.viewer(view)
    for instance in store.instances(dataset, split):
        yield rows.row(instance, viewed(instance))
        progress.advance()


def _write(path: Path, rows: Iterator[dict[str, Any]], format: str, schema: pa.Schema) -> None:
    with atomic_write(path) as stream:
        if format == "jsonl":
            for row in rows:
                stream.write(msgspec.json.encode(row) + b"\n")
            return
        with pq.ParquetWriter(stream, schema, **writing.PARQUET) as writer:
            while group := list(islice(rows, _GROUP)):
                writer.write_table(pa.Table.from_pylist(group, schema))
