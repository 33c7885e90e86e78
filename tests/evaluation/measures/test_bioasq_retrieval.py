"""`score` and `compare` give the figures of the organisers' program for phase A, and see by the lines what to score."""

from __future__ import annotations

import json
from math import inf
from pathlib import Path
from typing import Any

import pytest
from tests.golden_files import ADDRESS, ident, python2, question, snippet, written

from anagnosis import api
from anagnosis.datasets.folder.store import Dataset
from anagnosis.errors import InputError
from anagnosis.evaluation.measures.measure import named

OURS = {"precision": "MPrec", "recall": "MRec", "f1": "MF1", "map": "MAP", "gmap": "GMAP"}
KINDS = ("document", "snippet")


def imported(folder: Path, questions: list[dict[str, Any]]) -> Dataset:
    written(folder / "golden/8B1_golden.json", python2(questions))
    return api.import_dataset(folder / "golden", folder / "built", layout="bioasq", split="test")


def submitted(path: Path, *questions: dict[str, Any]) -> Path:
    return written(path, json.dumps({"questions": questions}))


@pytest.fixture
def dataset(tmp_path: Path) -> Dataset:
    """Two documents and two snippets are gold of each question."""
    return imported(tmp_path, [question(1), question(2)])


def line(number: int, *documents: int, **other: Any) -> dict[str, Any]:
    return {"id": ident(number), "documents": [f"{ADDRESS}{n}" for n in documents], **other}


def values(dataset: Dataset, file: Path, **how: Any) -> dict[str, float]:
    (system,) = api.score(dataset, [file], **how).systems
    return {name: measured.value for name, measured in system.measures.items()}


def test_a_submission_of_phase_a_is_scored_by_its_measures(dataset: Dataset, tmp_path: Path) -> None:
    first = line(1, 101, 9, 201, snippets=[snippet()])
    results = api.score(dataset, [submitted(tmp_path / "s.json", first, line(2, 8))])
    (system,) = results.systems
    found = {name: measured.value for name, measured in system.measures.items()}
    assert next(iter(found)) == "document_map"
    assert found["document_precision"] == pytest.approx((2 / 3 + 0) / 2)
    assert found["document_recall"] == 1 / 2
    assert found["document_map"] == pytest.approx((1 + 2 / 3) / 2 / 2)
    assert found["snippet_precision"] == 1 / 2
    assert found["snippet_f1"] == pytest.approx((2 * 71 / (71 + 71 + 11)) / 2)
    assert (system.instances, system.unanswered) == (2, 0)
    assert results.settings.protocol == "organisers-9"
    assert system.measures["document_map"].signature.startswith("bioasq@")
    assert "protocol:organisers-9|measure:document_map|n:2" in system.measures["document_map"].signature


def test_other_protocols_are_refused(dataset: Dataset, tmp_path: Path) -> None:
    file = submitted(tmp_path / "s.json", line(1, 101, 201))
    with pytest.raises(InputError, match="the protocol 'thesis' is not for the measures document_map"):
        values(dataset, file, protocol="thesis", measures=["document_map"])


def test_a_question_without_a_line_is_left_out_and_one_without_items_counts(
    dataset: Dataset, tmp_path: Path
) -> None:
    alone = submitted(tmp_path / "alone.json", line(1, 101, 201))
    assert values(dataset, alone)["document_recall"] == 1
    empty = submitted(tmp_path / "empty.json", line(1, 101, 201), line(2))
    assert values(dataset, empty)["document_recall"] == 1 / 2
    other = submitted(tmp_path / "other.json", line(1, 101, 201), {"id": ident(2), "ideal_answer": "It is."})
    assert values(dataset, other)["document_recall"] == 1 / 2


def test_shares_of_documents_lie_in_a_range_and_other_values_may_pass_one() -> None:
    highest = {kind: [named(f"{kind}_{figure}").highest for figure in OURS] for kind in KINDS}
    assert highest == {"document": [1, 1, 1, inf, inf], "snippet": [inf] * 5}


def test_systems_are_compared(dataset: Dataset, tmp_path: Path) -> None:
    good = submitted(tmp_path / "good.json", line(1, 101), line(2, 202))
    bad = submitted(tmp_path / "bad.json", line(1, 7), line(2, 202))
    results = api.compare(dataset, [good, bad], measures=["document_map", "document_gmap"], draws=50)
    assert [[each.name for each in found.ranking] for found in results.comparisons] == [
        ["good.json", "bad.json"]
    ] * 2


def test_measures_of_answers_and_of_documents_are_scored_apart(dataset: Dataset, tmp_path: Path) -> None:
    file = submitted(
        tmp_path / "s.json", line(1, 101, exact_answer=[["XYZ1"]]), line(2, exact_answer=[["x"]])
    )
    assert "factoid_mrr" in values(dataset, file)
    assert values(dataset, file, measures=["document_map"])["document_map"] == 1 / 4
    with pytest.raises(InputError, match="'document_map' judges what was retrieved, and 'factoid_mrr' free"):
        values(dataset, file, measures=["document_map", "factoid_mrr"])


def test_a_test_set_without_documents_cannot_be_scored(tmp_path: Path) -> None:
    dataset = imported(tmp_path, [question(1, documents=[], snippets=[])])
    with pytest.raises(InputError, match="no gold documents or snippets to score against"):
        values(dataset, submitted(tmp_path / "s.json", line(1, 101)), measures=["document_map"])
