"""Instances that are all answered with the same few labels, as cloze questions whose candidates these are.

So fingerprints, intervals, paired tests and kappas are those of cloze questions (design/pubmedqa.md).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from anagnosis.datasets.arrays import from_numbers, from_texts
from anagnosis.datasets.kinds.cloze_columns import offsets
from anagnosis.datasets.kinds.cloze_instance import CLOZE_SCHEMA
from anagnosis.datasets.kinds.kind import EXACT

_NAMES = CLOZE_SCHEMA.field("candidates").type.value_type.field("names").type


def with_candidates(batch: pa.RecordBatch, labels: Sequence[str], right: str) -> pa.RecordBatch:
    """`id`, `document`, `candidates` and `answer` of a batch; `passage`, the texts of `context`, if that is there.

    right: the column of the right label; null or empty where nobody has said. A label has no type and no number.
    """
    count = len(batch)
    kind = CLOZE_SCHEMA.field("candidates").type
    keys = from_texts([*labels] * count)
    nameless = pa.ListArray.from_arrays(offsets([0] * len(keys)), pa.nulls(0, pa.string()), type=_NAMES)
    types, numbers = from_texts([""] * len(keys)), from_numbers(np.full(len(keys), -1, np.int32))
    structs = pa.StructArray.from_arrays([keys, types, numbers, nameless], fields=list(kind.value_type))
    given: list[str | None] = batch.column(right).to_pylist()
    answers = np.fromiter((labels.index(label) if label else -1 for label in given), np.int32, count)
    columns: dict[str, Any] = {
        "id": batch.column("id"),
        "document": batch.column("id"),
        "candidates": pa.ListArray.from_arrays(offsets([len(labels)] * count), structs, type=kind),
        "answer": from_numbers(answers, answers >= 0),
    }
    if "context" in batch.schema.names:
        contexts: list[list[dict[str, str]]] = batch.column("context").to_pylist()
        texts = [" ".join(section["text"] for section in context) for context in contexts]
        columns["passage"] = from_texts(texts)
    if EXACT in batch.schema.names:
        columns[EXACT] = batch.column(EXACT)
    return pa.RecordBatch.from_pydict(columns)


def batch_keys(labels: Sequence[str], batch: pa.RecordBatch) -> Iterator[list[str]]:
    """The labels, for each row."""
    return ([*labels] for _ in range(len(batch)))


def right(labels: Sequence[str], label: str | None) -> list[int]:
    """The place of the right label, none where nobody has labelled the instance."""
    return [labels.index(label)] if label else []
