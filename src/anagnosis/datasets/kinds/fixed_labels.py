"""Instances that are all answered with the same few labels.

Their gold side has the labels as candidates, so fingerprints, intervals, paired tests and kappas are those of cloze
questions (design/pubmedqa.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from anagnosis.datasets.arrays import from_numbers, from_texts
from anagnosis.datasets.kinds.kind import EXACT
from anagnosis.errors import InputError


def gold_side(batch: pa.RecordBatch, labels: Sequence[str], right: str) -> dict[str, Any]:
    """The labels as candidates (`GoldColumns.convert`).

    right: the column of the right label; null or empty where nobody has said. A label that is none of them is an
    InputError.
    """
    count = len(batch)
    given: list[str | None] = batch.column(right).to_pylist()
    places = {label: place for place, label in enumerate(labels)}
    for row, label in enumerate(given):
        if label and label not in places:
            what = f"the label {label!r} is none of {', '.join(labels)}"
            raise InputError(what, f"id {batch.column('id')[row].as_py()}", "make the dataset again")
    answers = np.array([places[label] if label else -1 for label in given], np.int32)
    found: dict[str, Any] = {
        "id": batch.column("id"),
        "document": batch.column("id"),
        "candidates": from_numbers(np.full(count, len(labels), np.int32)),
        "answer": from_numbers(answers),
        "key": from_texts([*labels] * count),
    }
    if EXACT in batch.schema.names:
        found[EXACT] = batch.column(EXACT).to_pylist()
    return found
