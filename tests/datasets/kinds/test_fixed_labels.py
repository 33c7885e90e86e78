"""Batches of instances with the same few labels as cloze questions: their columns, withheld answers, contexts."""

from __future__ import annotations

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anagnosis.datasets.gold import from_batches
from anagnosis.datasets.kinds.cloze_instance import CLOZE_SCHEMA
from anagnosis.datasets.kinds.fixed_labels import with_candidates

LABELS = ("yes", "no", "maybe")
RIGHT = st.sampled_from([*LABELS, "", None])


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


def test_an_instance_by_hand() -> None:
    (row,) = with_candidates(batch(["no"], [["One two.", "Three."]]), LABELS, "label").to_pylist()
    assert row == {
        "id": "q0",
        "document": "q0",
        "candidates": [{"key": label, "type": "", "number": -1, "names": []} for label in LABELS],
        "answer": 1,
        "passage": "One two. Three.",
    }


@given(st.lists(RIGHT, max_size=8))
def test_every_instance_has_all_labels_and_its_own_answer(right: list[str | None]) -> None:
    found = with_candidates(batch(right), LABELS, "label")
    assert set(found.schema.names) == {"id", "document", "candidates", "answer"}
    assert [[one["key"] for one in own] for own in found.column("candidates").to_pylist()] == [
        [*LABELS] for _ in right
    ]
    assert found.column("answer").to_pylist() == [LABELS.index(one) if one else None for one in right]


def test_the_columns_are_those_of_cloze_questions() -> None:
    found = with_candidates(batch(["yes"]), LABELS, "label")
    for name in ("candidates", "answer"):
        assert found.schema.field(name).type == CLOZE_SCHEMA.field(name).type


def test_gold_reads_them_and_counts_the_words_of_the_context() -> None:
    made = with_candidates(batch(["maybe", None], [["a b"], ["c", "d e"]]), LABELS, "label")
    gold = from_batches([made], "made", "test")
    assert gold.answer.tolist() == [2, -1]
    assert gold.starts.tolist() == [0, 3, 6]
    assert gold.tokens is not None
    assert gold.tokens.tolist() == [2, 3]


def test_a_label_that_is_none_of_them_is_no_answer() -> None:
    with pytest.raises(ValueError, match="not in tuple"):
        with_candidates(batch(["perhaps"]), LABELS, "label")
