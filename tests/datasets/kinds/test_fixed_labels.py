"""The gold side of instances with the same few labels: withheld answers, contexts."""

from __future__ import annotations

import pyarrow as pa
import pytest

from anagnosis.datasets.gold import from_batches
from anagnosis.datasets.kinds.fixed_labels import gold_side
from anagnosis.errors import InputError

LABELS = ("yes", "no", "maybe")


def batch(right: list[str | None], contexts: list[list[str]] | None = None) -> pa.RecordBatch:
    columns = {
        "id": pa.array([f"q{number}" for number in range(len(right))], pa.string()),
        "label": pa.array(right, pa.string()),
    }
    if contexts is not None:
        sections = pa.list_(pa.struct([("label", pa.string()), ("text", pa.string())]))
        rows = [[{"label": "", "text": text} for text in own] for own in contexts]
        columns["context"] = pa.array(rows, sections)
    return pa.RecordBatch.from_pydict(columns)


def test_gold_reads_them_and_counts_the_words_of_the_context() -> None:
    made = gold_side(batch(["maybe", None], [["a b"], ["c", "d e"]]), LABELS, "label")
    gold = from_batches([made], "made", "test")
    assert gold.answer.tolist() == [2, -1]
    assert gold.starts.tolist() == [0, 3, 6]
    assert gold.tokens is not None
    assert gold.tokens.tolist() == [2, 3]


def test_a_label_that_is_none_of_them_is_no_answer() -> None:
    with pytest.raises(InputError, match="id q1: the label 'perhaps' is none of yes, no, maybe"):
        gold_side(batch(["no", "perhaps"]), LABELS, "label")
