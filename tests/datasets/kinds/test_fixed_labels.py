"""The gold side of instances with the same few labels: withheld answers."""

from __future__ import annotations

import pyarrow as pa
import pytest

from anagnosis.datasets.kinds.fixed_labels import gold_side
from anagnosis.errors import InputError

LABELS = ("yes", "no", "maybe")


def batch(right: list[str | None]) -> pa.RecordBatch:
    columns = {
        "id": pa.array([f"q{number}" for number in range(len(right))], pa.string()),
        "label": pa.array(right, pa.string()),
    }
    return pa.RecordBatch.from_pydict(columns)


def test_a_label_that_is_none_of_them_is_no_answer() -> None:
    with pytest.raises(InputError, match="id q1: the label 'perhaps' is none of yes, no, maybe"):
        gold_side(batch(["no", "perhaps"]), LABELS, "label")
