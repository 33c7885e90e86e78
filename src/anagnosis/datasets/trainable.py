"""One view of a dataset as plain rows for any trainer: Parquet or JSON lines, a file for each split.

A row is `id`, `document`, `passage` and `question` (both as the view shows them), `candidates` (a list of strings),
their `keys` (what a prediction's answer is) and `names` (a list of lists), `answer` (the candidate's string, null
where none), `answer_index` and `labels`. A row of a decision is `id`, `question`, `passage` (what is read beside it, a
line a section), `sections` (their labels), `long_answer` (null where it is read, withheld or none of the view's),
`candidates`, `answer`, `answer_index`, `subset` and `date`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa

from anagnosis.datasets import store
from anagnosis.datasets.decision import LABELS
from anagnosis.datasets.decision_views import passage, posed
from anagnosis.datasets.kinds import CLOZE, DECISION, demand
from anagnosis.datasets.views import view
from anagnosis.errors import unknown_name
from anagnosis.files import atomic_write
from anagnosis.progress import Progress

KINDS = ("parquet", "jsonl")
_GROUP = 5_000
_TEXT, _TEXTS = pa.string(), pa.list_(pa.string())
_CLOZE = pa.schema(
    [
        *(pa.field(name, _TEXT) for name in ("id", "document", "passage", "question")),
        pa.field("candidates", _TEXTS),
        pa.field("keys", _TEXTS),
        pa.field("names", pa.list_(_TEXTS)),
        pa.field("answer", _TEXT),
        pa.field("answer_index", pa.int32()),
        pa.field("labels", _TEXTS),
    ]
)
_DECISION = pa.schema(
    [
        *(pa.field(name, _TEXT) for name in ("id", "question", "passage")),
        pa.field("sections", _TEXTS),
        pa.field("long_answer", _TEXT),
        pa.field("candidates", _TEXTS),
        pa.field("answer", _TEXT),
        pa.field("answer_index", pa.int32()),
        pa.field("subset", _TEXT),
        pa.field("date", _TEXT),
    ]
)


def export_view(dataset: store.Dataset, name: str, out: str | Path, kind: str) -> list[Path]:
    """Write OUT/{train,dev,test}.{parquet,jsonl}; gives the files."""
    if kind not in KINDS:
        raise unknown_name("layout", kind, KINDS)
    demand(dataset.kind, CLOZE, str(dataset.folder), DECISION)
    written: list[Path] = []
    with Progress(f"export {name}", sum(dataset.rows.values()), "instances") as progress:
        for split in dataset.rows:
            path = Path(out) / f"{split}.{kind}"
            decides = dataset.kind.name == DECISION
            rows = (_decisions if decides else _rows)(dataset, split, name, progress)
            _write(path, rows, kind, _DECISION if decides else _CLOZE)
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


def _decisions(dataset: store.Dataset, split: str, name: str, progress: Progress) -> Iterator[dict[str, Any]]:
    for instance in store.decisions(dataset, split):
        viewed = posed(instance, name)
        yield {
            "id": viewed.id,
            "question": viewed.question,
            "passage": passage(viewed),
            "sections": [section.label for section in viewed.read],
            "long_answer": viewed.long_answer or None,
            "candidates": [*LABELS],
            "answer": instance.label,
            "answer_index": viewed.answer,
            "subset": instance.subset,
            "date": instance.date,
        }
        progress.advance()


def _write(path: Path, rows: Iterator[dict[str, Any]], kind: str, schema: pa.Schema) -> None:
    with atomic_write(path) as stream:
        if kind == "jsonl":
            import orjson

            for row in rows:
                stream.write(orjson.dumps(row) + b"\n")
            return
        from itertools import islice

        import pyarrow.parquet as pq

        with pq.ParquetWriter(stream, schema, **store.PARQUET) as writer:
            while group := list(islice(rows, _GROUP)):
                writer.write_table(pa.Table.from_pylist(group, schema))
