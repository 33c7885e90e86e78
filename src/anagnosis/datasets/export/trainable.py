"""One view of a dataset as plain rows for any trainer: Parquet or JSON lines, a file for each split.

The columns are those of the kind's `rows` (datasets/kinds/); docs/formats.md lists them.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq

from anagnosis.datasets.export.layouts import Exported
from anagnosis.datasets.folder import store, writing
from anagnosis.io.files import atomic_write
from anagnosis.progress import Progress


def _export(dataset: store.Dataset, out: Path, view: str | None, format: str) -> list[Exported]:
    """Write OUT/{train,dev,test}.FORMAT. view: None for the kind's usual one."""
    kind = dataset.kind
    shown = view or kind.usual_view
    written: list[Exported] = []
    with Progress(f"export {shown}", sum(dataset.sizes.values()), "instances") as progress:

        def counted(rows: Iterator[dict[str, Any]]) -> Iterator[dict[str, Any]]:
            for row in rows:
                yield row
                progress.advance()

        for split in dataset:
            path = out / f"{split}.{format}"
            _write(path, counted(dataset[split].view(shown)), format, kind.rows.schema)
            written.append(Exported(path, dataset.sizes[split], {}))
    return written


parquet = partial(_export, format="parquet")
jsonl = partial(_export, format="jsonl")


def _write(path: Path, rows: Iterator[dict[str, Any]], format: str, schema: pa.Schema) -> None:
    with atomic_write(path) as stream:
        if format == "jsonl":
            for row in rows:
                stream.write(msgspec.json.encode(row) + b"\n")
            return
        with pq.ParquetWriter(stream, schema, **writing.PARQUET) as writer:
            for batch in store.row_batches(rows, schema):
                writer.write_batch(batch)
