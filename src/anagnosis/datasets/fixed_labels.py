"""Instances that are all answered with the same few labels, as cloze questions whose candidates these are.

So fingerprints, intervals, paired tests and kappas are those of cloze questions (design/decisions.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from anagnosis.datasets.columns import offsets
from anagnosis.datasets.instance import CLOZE_SCHEMA

_NAMES = CLOZE_SCHEMA.field("candidates").type.value_type.field("names").type


def with_candidates(batch: pa.RecordBatch, labels: Sequence[str], right: str) -> pa.RecordBatch:
    """`id`, `document`, `candidates` and `answer` of a batch; `passage`, the texts of `context`, if that is there.

    right: the column of the right label; null or empty where nobody has said. A label has no type and no number.
    """
    count = len(batch)
    kind = CLOZE_SCHEMA.field("candidates").type
    keys = pa.array([*labels] * count, pa.string())
    nameless = pa.ListArray.from_arrays(offsets([0] * len(keys)), pa.array([], pa.string()), type=_NAMES)
    types, numbers = pa.array([""] * len(keys), pa.string()), pa.array(np.full(len(keys), -1, np.int32))
    structs = pa.StructArray.from_arrays([keys, types, numbers, nameless], fields=list(kind.value_type))
    answers = [labels.index(label) if label else None for label in batch.column(right).to_pylist()]
    columns: dict[str, Any] = {
        "id": batch.column("id"),
        "document": batch.column("id"),
        "candidates": pa.ListArray.from_arrays(offsets([len(labels)] * count), structs, type=kind),
        "answer": pa.array(answers, pa.int32()),
    }
    if "context" in batch.schema.names:
        contexts: list[list[dict[str, str]]] = batch.column("context").to_pylist()
        texts = [" ".join(section["text"] for section in context) for context in contexts]
        columns["passage"] = pa.array(texts, pa.string())
    return pa.RecordBatch.from_pydict(columns)
