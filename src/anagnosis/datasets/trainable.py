"""One view of a dataset as plain rows for any trainer: Parquet or JSON lines, a file for each split.

A row is `id`, `document`, `passage` and `question` (both as the view shows them), `candidates` (a list of strings),
their `keys` (what a prediction's answer is) and `names` (a list of lists), `answer` (the candidate's string, null
where none), `answer_index` and `labels`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from anagnosis.datasets import store
from anagnosis.datasets.views import view
from anagnosis.errors import unknown_name
from anagnosis.files import atomic_write
from anagnosis.progress import Progress

KINDS = ("parquet", "jsonl")
_GROUP = 5_000


def export_view(dataset: store.Dataset, name: str, out: str | Path, kind: str) -> list[Path]:
    """Write OUT/{train,dev,test}.{parquet,jsonl}; gives the files."""
    if kind not in KINDS:
        raise unknown_name("layout", kind, KINDS)
    written: list[Path] = []
    with Progress(f"export {name}", sum(dataset.rows.values()), "instances") as progress:
        for split in dataset.rows:
            path = Path(out) / f"{split}.{kind}"
            _write(path, _rows(dataset, split, name, progress), kind)
            written.append(path)
    return written


def _rows(dataset: store.Dataset, split: str, name: str, progress: Progress) -> Iterator[dict[str, Any]]:
    for instance in store.instances(dataset, split):
        viewed = view(instance, name, dataset.text_form, numbering=dataset.numbering)
        yield {
            "id": viewed.id,
            "document": instance.document,
            "passage": viewed.passage,
            "question": viewed.question,
            "candidates": list(viewed.candidates),
            "keys": [candidate.key for candidate in instance.candidates],
            "names": [list(names) for names in viewed.names],
            "answer": None if viewed.answer is None else viewed.candidates[viewed.answer],
            "answer_index": viewed.answer,
            "labels": list(instance.labels),
        }
        progress.advance()


def _write(path: Path, rows: Iterator[dict[str, Any]], kind: str) -> None:
    with atomic_write(path) as stream:
        if kind == "jsonl":
            import orjson

            for row in rows:
                stream.write(orjson.dumps(row) + b"\n")
            return
        from itertools import islice

        import pyarrow as pa
        import pyarrow.parquet as pq

        text = pa.string()
        schema = pa.schema(
            [
                *(pa.field(name, text) for name in ("id", "document", "passage", "question")),
                pa.field("candidates", pa.list_(text)),
                pa.field("keys", pa.list_(text)),
                pa.field("names", pa.list_(pa.list_(text))),
                pa.field("answer", text),
                pa.field("answer_index", pa.int32()),
                pa.field("labels", pa.list_(text)),
            ]
        )
        with pq.ParquetWriter(stream, schema, **store.PARQUET) as writer:
            while group := list(islice(rows, _GROUP)):
                writer.write_table(pa.Table.from_pylist(group, schema))
