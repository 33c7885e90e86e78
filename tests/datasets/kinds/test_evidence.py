"""Questions with sentences: as Parquet and back, their keys, what is checked, sampled, shown and exported of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.evidence_sets import evidence, stored

from anagnosis import api
from anagnosis.datasets.evidence_statistics import split_statistics
from anagnosis.datasets.folder import store
from anagnosis.datasets.gold import Gold
from anagnosis.datasets.kinds.evidence import keys
from anagnosis.errors import InputError


def test_a_prediction_has_a_score_for_the_place_of_each_sentence(tmp_path: Path) -> None:
    dataset = stored(tmp_path / "built", test=[evidence("a", "-+-"), evidence("b", "?"), evidence("c", "")])
    assert keys(evidence("a", "-+-")) == ["0", "1", "2"]
    assert dict(store.ids_and_keys(dataset, "test")) == {"a": ["0", "1", "2"], "b": ["0"], "c": []}
    gold = Gold.of(dataset, "test")
    assert gold.fingerprint == store.fingerprint(dataset, "test")
    assert gold.holds_answer is not None
    assert gold.holds_answer.tolist() == [False, True, False, False]
    assert gold.answer.tolist() == [1, -1, -1]


def test_instances_of_one_question_are_one_unit(tmp_path: Path) -> None:
    found = [evidence("a", "+-", "Q?"), evidence("b", "+-", "R?"), evidence("c", "+-", "Q?")]
    assert Gold.of(stored(tmp_path / "built", test=found), "test").document.tolist() == [0, 1, 0]


def test_statistics_count_kinds_of_sentences() -> None:
    given = [evidence("a", "+--?"), evidence("b", "++", "Question a?"), evidence("c", "-")]
    own, documents = split_statistics(given)
    assert [*own.values()] == [3, 1, None, 7, 3, 3 / 7]
    assert split_statistics(given, documents)[0]["documents_in_train"] == 1


def test_rows_have_a_list_a_sentence(tmp_path: Path) -> None:
    dataset = stored(tmp_path / "built", dev=[evidence("a", "+-?", texts=["x", "ä", "z"])])
    (made,) = api.export(dataset, tmp_path / "out")
    row = json.loads(made.path.read_text("utf-8"))
    assert (row["sentences"], row["held"], row["documents"]) == (
        ["x", "ä", "z"],
        [True, False, None],
        ["d"] * 3,
    )
    with pytest.raises(InputError, match="unknown view 'global'"):
        api.export(dataset, tmp_path / "other", view="global")
