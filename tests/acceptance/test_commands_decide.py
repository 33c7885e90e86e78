"""`decide` as its users drive it: trained folds become calibrated decisions, which are compared with the plain ones."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from tests.decisions import rows_apart, written
from tests.typed import Said, json_table

from anagnosis.cli import run


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("torch")
    folder = tmp_path_factory.mktemp("decide")
    source = written(folder / "ori_pqal.json", rows_apart(60, 40, 20))
    assert run(["-q", "import", str(source), "--layout", "pubmedqa", "--out", str(folder / "built")]) == 0
    given = ["--folds", "2", "--threads", "1", "--set", "epochs=3", "--set", "hidden=4"]
    where = ["--data", str(folder / "built"), "--out", str(folder / "runs")]
    assert run(["-q", "train", "pubmedqa-shallow-features", *where, *given]) == 0
    return folder


def test_decide_then_compare_then_score(said: Said, trained: Path, tmp_path: Path) -> None:
    built, runs = trained / "built", trained / "runs"
    out = said("decide", runs, built, "--out", tmp_path / "macro")
    assert "Rule macro-f1: temperature and offsets chosen on development questions" in out
    assert "no test" not in out
    assert re.search(r"\nfold-1 +6 +\d", out)
    assert f"wrote {tmp_path / 'macro'} (2 files of 60 lines)" in out
    assert f"next: anagnosis compare {built} {runs} {tmp_path / 'macro'}" in out
    said("decide", runs, built, "--rule", "never-maybe", "--out", tmp_path / "never")
    compared = said("compare", built, runs, tmp_path / "macro", tmp_path / "never")
    assert "Which is better by macro-F1" in compared
    assert "runs:2,2,2" in compared
    page = tmp_path / "page.html"
    said("score", built, runs, tmp_path / "macro", tmp_path / "never", "--out", page)
    assert page.read_text().count("Reliability on test") >= 1
    assert "No problem, 8 times: lines whose answer" in page.read_text()


@pytest.mark.parametrize("split", ["train", "all"])
def test_answers_to_questions_that_models_were_trained_on_are_told(
    split: str, said: Said, trained: Path, tmp_path: Path
) -> None:
    out = said("decide", trained / "runs", trained / "built", "--split", split, "--out", tmp_path / "out")
    assert "Models were trained on some of these questions" in " ".join(out.split())


def test_one_averaged_file_and_plain_data(said: Said, trained: Path, tmp_path: Path) -> None:
    out = tmp_path / "mean.jsonl"
    told = json.loads(
        said("decide", trained / "runs", trained / "built", "--average", "--out", out, "--json")
    )
    assert (told["record"], told["lines"], told["files"]) == ("decisions", 60, [str(out)])
    assert len(out.read_text().splitlines()) == 60
    assert (tmp_path / "mean.run.json").is_file()
    assert "How sure systems are" in said("score", trained / "built", out, "--full")


def test_the_majority_stands_beside_every_system(said: Said, trained: Path, tmp_path: Path) -> None:
    """60 questions of test, half of them yes: 2a/(1 + a) is the F1 of yes, and the others have none."""
    built = trained / "built"
    said("predict", "majority", built, "--out", tmp_path / "same.jsonl")
    out = said("score", built, tmp_path / "same.jsonl", trained / "runs", "--json")
    same, _, level = json_table(out, "Accuracy and macro-F1 on test")
    assert level["system"] == "majority (yes)"
    assert level["accuracy (%)"] == pytest.approx(same["accuracy (%)"]["value"]) == 0.5
    assert level["macro-F1 (%)"] == pytest.approx(same["macro-F1 (%)"]["value"])
    page = said("score", built, tmp_path / "same.jsonl")
    assert "Not above it in accuracy: same." in page
