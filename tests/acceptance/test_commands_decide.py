"""`decide` as its users drive it: trained folds become calibrated decisions, which are compared with the plain ones."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from tests.decisions import rows_apart, written
from tests.typed import Said, json_table

import anagnosis
from anagnosis.cli import run
from anagnosis.datasets.gold import Gold


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
    assert "answer_not_on_top" in page.read_text()


@pytest.mark.parametrize(
    ("rule", "calibrate", "title"),
    [
        ("plain", "temperature", "Rule plain: temperature chosen on development questions"),
        ("never-maybe", "none", "Rule never-maybe: nothing was chosen"),
        ("macro-f1", "none", "Rule macro-f1: offsets chosen on development questions"),
    ],
)
def test_the_table_says_what_was_chosen(
    rule: str, calibrate: str, title: str, said: Said, trained: Path, tmp_path: Path
) -> None:
    given = ("--rule", rule, "--calibrate", calibrate, "--out", tmp_path / "out")
    out = said("decide", trained / "runs", trained / "built", *given)
    assert title in out
    assert ("too high" in out) == (rule == "macro-f1")


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
    assert all(0 <= model["ruled"]["macro_f1"] <= 1 for model in told["models"])
    assert len(out.read_text().splitlines()) == 60
    assert (tmp_path / "mean.run.json").is_file()
    assert "How sure systems are" in said("score", trained / "built", out)


BAD = [
    (["decide", "RUNS", "BUILT", "--rule", "best", "--out", "o"], "unknown rule 'best'"),
    (["decide", "RUNS", "BUILT", "--calibrate", "no", "--out", "o"], "unknown calibration 'no'"),
    (["decide", "RUNS", "BUILT", "--out", "o.jsonl"], "name a folder, or give --average"),
    (
        ["decide", "BUILT", "BUILT", "--out", "o"],
        "is the folder of a dataset, not of a run",
    ),
    (["decide", "none", "BUILT", "--out", "o"], "no such run folder"),
    (["decide", "RUNS", "none", "--out", "o"], "none"),
    (["decide", "RUNS", "BUILT", "--split", "dev", "--out", "o"], "dev"),
    (["decide", "RUNS", "BUILT"], "--out"),
]


@pytest.mark.parametrize(("typed", "what"), BAD)
def test_what_cannot_be_decided_is_one_line(
    trained: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    typed: list[str],
    what: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    places = {"RUNS": str(trained / "runs"), "BUILT": str(trained / "built")}
    assert run([places.get(word, word) for word in typed]) == 2
    error = capsys.readouterr().err
    assert what in error
    assert error.count("\n") == 1
    assert not list(tmp_path.iterdir())


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


def test_the_majority_stands_in_every_ranking(said: Said, trained: Path, tmp_path: Path) -> None:
    """At its place, below what is above it, without a rank or a test of its own."""
    built = trained / "built"
    gold = Gold.of(anagnosis.load(built), "test")
    labels = {
        ident: gold.labels[answer]
        for ident, answer in zip(gold.ids.texts.to_pylist(), gold.answer, strict=True)
    }
    files = {"right": labels, "never": dict.fromkeys(labels, "maybe")}
    for name, answers in files.items():
        lines = (json.dumps({"id": ident, "answer": answer}) for ident, answer in answers.items())
        (tmp_path / f"{name}.jsonl").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    given = [tmp_path / "never.jsonl", tmp_path / "right.jsonl"]
    found = json_table(said("compare", built, *given, "--json"), "Ranking")
    assert [row["system"] for row in found] == ["right", "majority (yes)", "never"]
    assert [row["rank"] for row in found] == [1, None, 2]
    assert found[1]["accuracy (%)"] == 0.5
    said("report", built, *given, "--out", tmp_path / "page.md")
    page = (tmp_path / "page.md").read_text(encoding="utf-8")
    ranking = page[page.index("**Ranking**") :]
    assert ranking.index("| right |") < ranking.index("| majority (yes) |") < ranking.index("| never |")
    assert "Not above it in accuracy: never. The majority is neither ranked nor tested." in " ".join(
        page.split()
    )
