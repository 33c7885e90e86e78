"""The gold side of instances with the same few labels: withheld answers."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anagnosis.datasets.gold import from_batches
from anagnosis.datasets.kinds.fixed_labels import gold_side
from anagnosis.errors import InputError

LABELS = ("yes", "no", "maybe")
RIGHT = st.sampled_from([*LABELS, "", None])


def batch(right: list[str | None]) -> pa.RecordBatch:
    columns = {
        "id": pa.array([f"q{number}" for number in range(len(right))], pa.string()),
        "label": pa.array(right, pa.string()),
    }
    return pa.RecordBatch.from_pydict(columns)


@given(st.lists(RIGHT, max_size=8))
def test_every_instance_has_all_labels_and_its_own_answer(right: list[str | None]) -> None:
    gold = from_batches([gold_side(batch(right), LABELS, "label")], "made", "test")
    assert gold.keys(np.arange(len(right))) == [[*LABELS] for _ in right]
    assert gold.answer.tolist() == [LABELS.index(one) if one else -1 for one in right]
    assert set(gold.number.tolist()) <= {-1}
    assert gold.first_names(np.arange(3 * len(right))) == [*LABELS] * len(right)


def test_a_label_that_is_none_of_them_is_no_answer() -> None:
    with pytest.raises(InputError, match="id q1: the label 'perhaps' is none of yes, no, maybe"):
        gold_side(batch(["no", "perhaps"]), LABELS, "label")
