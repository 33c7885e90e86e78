"""One view of a dataset as plain rows for any trainer: Parquet or JSON lines, a file for each split.

A row is `id`, `document`, `passage` and `question` (both as the view shows them), `candidates` (a list of strings),
their `keys` (what a prediction's answer is) and `names` (a list of lists), `answer` (the candidate's string, null
where none), `answer_index` and `labels`. A row of a decision is `id`, `question`, `passage` (what is read beside it, a
line a section), `sections` (their labels), `long_answer` (null where it is read, withheld or none of the view's),
`candidates`, `answer`, `answer_index`, `subset` and `date`. A row of sentences is `id`, `question`, and, each a list
with an entry a sentence, `sentences`, `documents`, `titles` and `held`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa

from anagnosis.datasets.folder import store
from anagnosis.datasets.kinds.cloze_views import view
from anagnosis.datasets.kinds.decision import LABELS
from anagnosis.datasets.kinds.decision_views import passage, posed
from anagnosis.datasets.kinds.evidence import SENTENCES
from anagnosis.datasets.kinds.table import CLOZE, DECISION, EVIDENCE, demand
from anagnosis.errors import unknown_name
from anagnosis.files import atomic_write
from anagnosis.paths import PathLike
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

_EVIDENCE = pa.schema(
    [
        *(pa.field(name, _TEXT) for name in ("id", "question")),
        *(pa.field(name, _TEXTS) for name in ("sentences", "documents", "titles")),
        pa.field("held", pa.list_(pa.bool_())),
    ]
)
_Rows = Callable[[store.Dataset, str, str, Progress], Iterator[dict[str, Any]]]


def export_view(dataset: store.Dataset, name: str, out: PathLike, kind: str) -> list[Path]:
    """Write OUT/{train,dev,test}.{parquet,jsonl}; gives the files."""
    if kind not in KINDS:
        raise unknown_name("layout", kind, KINDS)
    demand(dataset.kind, CLOZE, str(dataset.folder), DECISION, EVIDENCE)
    ways: dict[str, tuple[_Rows, pa.Schema]] = {
        CLOZE: (_rows, _CLOZE),
        DECISION: (_decisions, _DECISION),
        EVIDENCE: (_evidence, _EVIDENCE),
    }
    rows, schema = ways[dataset.kind.name]
    written: list[Path] = []
    with Progress(f"export {name}", sum(dataset.rows.values()), "instances") as progress:
        for split in dataset.rows:
            path = Path(out) / f"{split}.{kind}"
            _write(path, rows(dataset, split, name, progress), kind, schema)
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


def _evidence(dataset: store.Dataset, split: str, name: str, progress: Progress) -> Iterator[dict[str, Any]]:
    if name != SENTENCES:
        raise unknown_name("view of sentences", name, (SENTENCES,))
    for instance in store.evidence_instances(dataset, split):
        yield {
            "id": instance.id,
            "question": instance.question,
            "sentences": [sentence.text for sentence in instance.sentences],
            "documents": [sentence.document for sentence in instance.sentences],
            "titles": [sentence.title for sentence in instance.sentences],
            "held": [sentence.held for sentence in instance.sentences],
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
