from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.golds import Row, gold_of, instance

from anagnosis.datasets import gold
from anagnosis.datasets.folder import store, writing
from anagnosis.datasets.folder.store import fingerprint_of
from anagnosis.datasets.gold import Gold, Ids
from anagnosis.datasets.kinds.decision import LABELS
from anagnosis.datasets.kinds.fixed_labels import gold_side
from anagnosis.errors import InputError

ROWS = [
    Row(
        "1:0",
        ["gene/1", "species/9606"],
        1,
        "1",
        [["a", "b"], []],
        [7, 3],
        ["Gene", "Species"],
        " one  two\n",
    ),
    Row("1:9", ["species/9606", "gene/1"], None, "1", [[], ["a"]], [3, 7], ["Species", "Gene"], "one"),
    Row("2:0", [], None, "2", [], [], [], ""),
    Row("3:0", ["disease/é"], 0, "3", [["c"]], [12], ["Disease"], "x\u00a0y z"),
]


def check(found: Gold) -> None:
    assert len(found) == 4
    assert found.ids.between(0, 9) == ["1:0", "1:9", "2:0", "3:0"]
    assert found.ids.between(1, 3) == ["1:9", "2:0"]
    assert found.starts.tolist() == [0, 2, 4, 4, 5]
    assert found.answer.tolist() == [1, -1, -1, 0]
    assert found.document.tolist() == [0, 0, 1, 2]
    assert found.number.tolist() == [7, 3, 3, 7, 12]
    assert found.key_texts.take(pa.array(found.key)).to_pylist() == [
        key for row in ROWS for key in row.candidates
    ]
    assert found.type_texts.take(pa.array(found.type)).to_pylist() == [
        type for row in ROWS for type in row.types
    ]
    assert found.names_between(0, 5) == [["a", "b"], [], [], ["a"], ["c"]]
    assert found.names_between(3, 4) == [["a"]]
    assert found.names_between(1, 1) == []
    assert found.keys(np.array([3, 0, 2])) == [["disease/é"], ["gene/1", "species/9606"], []]
    assert found.fingerprint == fingerprint_of((row.id, row.candidates) for row in ROWS)


@pytest.mark.parametrize("batch_rows", [1, 2, 3, 10])
@pytest.mark.parametrize("merged", [2, 16])
def test_a_split_in_batches_of_any_size_becomes_the_same_columns(
    batch_rows: int, merged: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gold, "MERGED", merged)
    found = gold_of(ROWS, batch_rows=batch_rows)
    check(found)


def test_a_stored_split_has_the_fingerprint_that_the_store_gives(tmp_path: Path) -> None:
    recipe = {"dataset": "biomrc"}
    dataset = writing.write(
        tmp_path / "built", {"test": map(instance, ROWS), "dev": [instance(ROWS[3])]}, recipe
    )
    found = Gold.of(dataset, "test")
    check(found)
    assert (found.dataset, found.split) == ("biomrc", "test")
    assert found.fingerprint == store.fingerprint(dataset, "test") != Gold.of(dataset, "dev").fingerprint
    assert found.exact is None
    assert gold.ids_of(dataset, "dev").between(0, 5) == ["3:0"]


def test_an_empty_split_is_a_split() -> None:
    found = gold_of([])
    assert len(found) == 0
    assert found.starts.tolist() == [0]
    assert found.ids.rows(["a"]).tolist() == [-1]
    assert found.keys(np.zeros(0, np.int64)) == []


@given(st.lists(st.text(max_size=3), unique=True), st.lists(st.text(max_size=3)))
def test_the_index_gives_the_row_of_every_id_and_minus_one_for_a_stranger(
    own: list[str], asked: list[str]
) -> None:
    own = [text for text in own if text.isprintable()]
    asked = [text for text in asked if text.isprintable()] + own
    expected = [own.index(id) if id in own else -1 for id in asked]
    assert Ids(pa.array(own, pa.string())).rows(asked).tolist() == expected


def test_the_first_name_of_a_candidate_stands_for_it_else_its_key() -> None:
    found = gold_of(ROWS)
    keys = [key for own in found.keys(np.arange(len(found))) for key in own]
    assert found.first_names(np.array([3, 0, 1, 4])) == ["a", "a", keys[1], "c"]
    assert found.first_names(np.zeros(0, np.int64)) == []


def test_a_label_that_is_none_of_them_is_no_answer() -> None:
    batch = pa.RecordBatch.from_pydict({"id": ["q0", "q1"], "label": ["no", "perhaps"]})
    with pytest.raises(InputError, match="id q1: the label 'perhaps' is none of yes, no, maybe"):
        gold_side(batch, LABELS, "label")
