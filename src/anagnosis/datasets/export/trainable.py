"""One view of a dataset as plain rows for any trainer: Parquet or JSON lines, a file for each split.

The columns are those of the kind's `rows` (datasets/kinds/); docs/formats.md lists them.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import orjson
import pyarrow as pa
import pyarrow.parquet as pq

from anagnosis.datasets.folder import store, writing
from anagnosis.datasets.kinds.kind import Rows
from anagnosis.datasets.kinds.table import lacking, view_of
from anagnosis.errors import unknown_name
from anagnosis.files import atomic_write
from anagnosis.paths import PathLike
from anagnosis.progress import Progress

FORMATS = ("parquet", "jsonl")
_GROUP = 5_000


def export_view(dataset: store.Dataset, name: str | None, out: PathLike, format: str) -> list[Path]:
    """Write OUT/{train,dev,test}.{parquet,jsonl}; gives the files. name: of a view (None: the kind's usual one)."""
    if format not in FORMATS:
        raise unknown_name("layout", format, FORMATS)
    kind = dataset.kind
    if kind.rows is None:
        raise lacking(kind, "rows for trainers", str(dataset.folder))
    shown = name or kind.usual_view
    view_of(kind, shown)
    written: list[Path] = []
    with Progress(f"export {shown}", sum(dataset.rows.values()), "instances") as progress:
        for split in dataset.rows:
            path = Path(out) / f"{split}.{format}"
            _write(path, _rows(dataset, kind.rows, split, shown, progress), format, kind.rows.schema)
            written.append(path)
    return written


def _rows(
    dataset: store.Dataset, rows: Rows, split: str, view: str, progress: Progress
) -> Iterator[dict[str, Any]]:
    viewed = dataset.viewer(view)
    for instance in store.read(dataset, split):
        yield rows.row(instance, viewed(instance))
        progress.advance()


def _write(path: Path, rows: Iterator[dict[str, Any]], format: str, schema: pa.Schema) -> None:
    with atomic_write(path) as stream:
        if format == "jsonl":
            for row in rows:
                stream.write(orjson.dumps(row) + b"\n")
            return
        with pq.ParquetWriter(stream, schema, **writing.PARQUET) as writer:
            while group := list(islice(rows, _GROUP)):
                writer.write_table(pa.Table.from_pylist(group, schema))
