"""Questions with sentences as a user drives them: import, look, predict, score, compare."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.encoders.tiny import tiny_encoder
from tests.evidence_sets import evidence, hinted, predictions, scifact, stored

from anagnosis import api
from anagnosis.cli import run

pytest.importorskip("tantivy", reason="the extra search is not installed")


@pytest.fixture
def built(tmp_path: Path) -> Path:
    found = [evidence(str(number), "+--" if number % 2 else "--+") for number in range(12)]
    return stored(tmp_path / "built", test=found, dev=[evidence("x", "+-")]).folder


def scores(path: Path, right: int) -> str:
    """Scores for twelve questions, of which the first so many are right."""
    found = {
        str(number): [
            1.0 if (place == (0 if number % 2 else 2)) == (number < right) else 0.0 for place in range(3)
        ]
        for number in range(12)
    }
    return str(predictions(path, found))


def test_from_the_authors_files_to_a_comparison(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = str(tmp_path / "built")
    assert (
        run(["import", str(scifact(tmp_path / "in")), "--layout", "scifact", "--split", "test", "--out", out])
        == 0
    )
    assert "no_evidence" in capsys.readouterr().out
    assert run(["check", out]) == 0
    assert run(["show", out]) == 0
    assert "instances with one kind of sentence" in capsys.readouterr().out
    overlap = str(tmp_path / "overlap.jsonl")
    assert run(["predict", "sentence-overlap", out, "--out", overlap]) == 0
    assert run(["score", out, overlap]) == 0
    told = capsys.readouterr().out
    assert "pooled AUC" in told
    assert "|protocol:sentences|measure:auc|n:3|" in told
    assert run(["show", out, overlap, "--instance", "1:11"]) == 0
    assert "(gold, overlap 1.000)" in capsys.readouterr().out


def test_the_hints_of_a_training_run(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pytest.importorskip("torch", reason="the extra train is not installed")
    monkeypatch.chdir(tmp_path)
    splits = ("train", "dev")
    stored(
        tmp_path / "own",
        **{split: [evidence(f"{split} {n}", "+-" if n % 2 else "-+") for n in range(4)] for split in splits},
    )
    encoder = str(tiny_encoder(tmp_path / "encoder"))
    command = [
        "train",
        "evidence-sentence-encoder",
        "--encoder",
        encoder,
        "--data",
        "own",
        "--out",
        "run",
        "--device",
        "cpu",
    ]
    assert run([*command, "--device", "cpu", "--set", "epochs=1"]) == 0
    told = capsys.readouterr().out
    for verb in ("predict", "report"):
        then = hinted(told, verb)
        assert verb == "report" or then[then.index("--split") + 1] == splits[-1]
        assert run(then) == 0
    assert (tmp_path / "predictions.jsonl").is_file()


@pytest.mark.parametrize(
    ("command", "told"),
    [
        (["predict", "neighbour-overlap", "{built}", "--out", "{tmp}/p"], "choose another dataset"),
        (["show", "{built}", "--instance", "0", "--view", "names"], "has no views"),
        (["export", "{built}", "--layout", "covid-qa", "--out", "{tmp}/o"], "export with --layout jsonl"),
    ],
)
def test_what_is_not_of_sentences_is_one_line(
    built: Path, tmp_path: Path, command: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    good = scores(tmp_path / "good.jsonl", 12)
    assert run([word.format(built=built, good=good, tmp=tmp_path) for word in command]) == 2
    said = capsys.readouterr().err.strip()
    assert told in said
    assert "\n" not in said


def test_shortcuts_of_sentences_are_the_overlap_of_words_by_each_measure(
    built: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good, hard = scores(tmp_path / "good.jsonl", 12), tmp_path / "hard"
    command = ["report", str(built), str(good), "--shortcuts", "--hard", str(hard), "--draws", "50", "--json"]
    assert run(command) == 0
    found = json.loads(capsys.readouterr().out)["shortcuts"]
    assert [*found["measures"]] == ["auc", "pooled_auc", "best_sentence"]
    assert [one["name"] for one in found["measures"]["auc"]["readers"]] == ["sentence-overlap"]
    assert api.load(hard).size("test") == found["hard"] <= found["instances"] == 12
