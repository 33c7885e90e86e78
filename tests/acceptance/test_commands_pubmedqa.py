"""PubMedQA as its users drive it: import, look, export, score under both protocols, set people beside systems."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from tests.decisions import rows, written
from tests.typed import Said

from anagnosis.cli import run


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pqa")
    source = written(folder / "ori_pqal.json", rows())
    assert run(["import", str(source), "--layout", "pubmedqa", "--out", str(folder / "built")]) == 0
    return folder / "built"


def label(ident: str) -> str:
    return str(rows()[ident]["final_decision"])


@pytest.fixture(scope="module")
def test_ids(built: Path) -> list[str]:
    from anagnosis.datasets.folder import store

    return [instance.id for instance in store.instances(store.load(built), "test")]


def test_show_has_table_1_and_one_instance(said: Said, built: Path, test_ids: list[str]) -> None:
    out = said("show", built, "--full")
    assert "Number of QA pairs" in out
    assert re.search(r"Prop. of yes \(%\) +55.00 +55.20", out)
    one = said("show", built, "--instance", test_ids[0])
    assert f"label: {label(test_ids[0])}" in one
    assert "reasoning_free (with the long answer)" in one


def test_all_splits_are_scored_as_one(said: Said, built: Path, tmp_path: Path) -> None:
    said("predict", "majority", built, "--split", "all", "--out", tmp_path / "m.jsonl")
    out = said("score", built, tmp_path / "m.jsonl", "--split", "all")
    assert "all accuracy (%)" in out
    assert re.search(r"\nm +55.00 \[", out)
    assert "split:all" in out
    assert "n:40" in out
    people = said("agreement", built, "--people", "--split", "all")
    assert "40 instances were asked of people" in people


def people_row(said: Said, folder: Path) -> dict[str, tuple[float, float]]:
    """Annotator → accuracy and macro-F1 on test, in percent with the two decimals of the paper."""
    found = json.loads(said("agreement", folder, "--people", "--split", "test", "--json"))
    return {
        each["name"]: (
            round(100 * each["accuracy"]["wrong"]["value"], 2),
            round(100 * each["macro_f1"]["value"], 2),
        )
        for each in found["people"]
    }


@pytest.mark.shared
def test_the_paper_s_row_of_people_is_recomputed(said: Said, shared: Path, tmp_path: Path) -> None:
    """Table 4 of the paper: only these people's labels are published."""
    said(
        "import",
        shared / "data/pubmedqa/ori_pqal.json.gz",
        "--layout",
        "pubmedqa",
        "--out",
        tmp_path / "pqal",
    )
    published = {"reasoning_required": (78.00, 72.19), "reasoning_free": (90.40, 84.18)}
    assert people_row(said, tmp_path / "pqal") == published


@pytest.fixture
def labels(tmp_path: Path) -> Path:
    path = tmp_path / "table3.csv"
    kinds = ("inter-group", "subgroup", "group", "")
    lines = [f"{ident},{kinds[number % 4]}" for number, ident in enumerate(rows())]
    path.write_text("\n".join(["id,reasoning", *lines, "12,group"]))
    return path


def test_show_tells_question_types(said: Said, built: Path) -> None:
    out = said("show", built, "--full")
    assert re.search(r"Does a factor influence the output\? +40 +100.00 +36.50 +55.00", out)
    assert "Samples" not in out


def test_show_draws_samples_by_a_seed(said: Said, built: Path, tmp_path: Path) -> None:
    two = said("show", built, "--samples", "2")
    assert two.count("PQA-L: 300000") == 2
    assert two == said("show", built, "--samples", "2", "--seed", "0")
    assert two != said("show", built, "--samples", "2", "--seed", "1")
    said("show", built, "--out", tmp_path / "a.html")
    assert (tmp_path / "a.html").read_text().count(
        "PQA-L: 300000"
    ) == 2 * 3  # a caption and what it is called
    said("show", built, "--out", tmp_path / "a.md")
    assert "Samples" not in (tmp_path / "a.md").read_text()


def test_plain_rows_and_tasks_hold_what_the_view_shows(said: Said, built: Path, tmp_path: Path) -> None:
    said("export", built, "--layout", "jsonl", "--out", tmp_path / "rows")
    row = json.loads((tmp_path / "rows" / "test.jsonl").read_text().partition("\n")[0])
    gold = rows()[row["id"]]
    assert row["passage"].split("\n") == gold["CONTEXTS"]
    assert (row["sections"], row["answer"]) == (gold["LABELS"], gold["final_decision"])
    assert row["long_answer"] == gold["LONG_ANSWER"]
    out = said("export", built, "--layout", "lm-eval", "--view", "question-only", "--out", tmp_path / "tasks")
    assert "--tasks anagnosis_pubmedqa_question-only_test" in out
    task = (tmp_path / "tasks" / "anagnosis_pubmedqa_question-only_test.yaml").read_text()
    assert "doc_to_text: |-\n  Question: {{question}}\n  Answer:\n" in task
    asked = json.loads((tmp_path / "tasks" / "anagnosis_pubmedqa_question-only_test.jsonl").open().readline())
    assert (asked["passage"], asked["keys"]) == ("", ["yes", "no", "maybe"])
