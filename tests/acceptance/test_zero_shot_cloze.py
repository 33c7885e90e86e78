"""Zero-shot cloze as its users drive it: from cloze questions to experts' questions; and one line for each mistake."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.golden_files import TEXT, gson, question, questions, written
from tests.refusals import refused
from tests.training.conftest import dataset
from tests.typed import Said

from anagnosis import predictions
from anagnosis.cli import run

BEGIN = len("Salt.\n") + TEXT.index("XYZ1")


@pytest.fixture(scope="module")
def golden(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("golden")
    asked = [*questions(4), question(9, "list", body="Which genes are stopped by salt water?")]
    written(folder / "8B1_golden.json", gson(asked))
    assert run(["-q", "import", str(folder), "--layout", "bioasq", "--out", str(folder / "built")]) == 0
    return folder / "built"


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("torch", reason="the extra train is not installed")
    folder = tmp_path_factory.mktemp("trained")
    dataset(folder / "cues", train=60, dev=20, test=20)
    how = ("embedding=8", "hidden=8", "epochs=1", "rate=0.02")
    settings = [part for each in how for part in ("--set", each)]
    given = ["train", "biomrc-attention-sum-local", "--data", str(folder / "cues"), *settings]
    assert run(["-q", *given, "--out", str(folder / "run")]) == 0
    return folder / "run"


def texts(path: Path) -> dict[int, list[str]]:
    return {
        int(line.id, 16): [answer.text for answer in line.answers or ()] for line in predictions.read(path)
    }


def test_factoid_and_list_questions_are_answered_from_their_snippets(
    said: Said, golden: Path, trained: Path, tmp_path: Path
) -> None:
    given = ("predict", "snippet-cloze", golden, "--split", "train", "--set", f"cloze={trained}")
    assert "zero.jsonl (5 lines)" in said(*given, "--out", tmp_path / "zero.jsonl")
    answers = texts(tmp_path / "zero.jsonl")
    assert {number for number, each in answers.items() if each} == {1, 2, 9}
    for line in predictions.read(tmp_path / "zero.jsonl"):
        for answer in line.answers or ():
            assert answer.snippet is not None
            assert (TEXT, "Blue mice.")[answer.snippet][answer.begin : answer.end] == answer.text
    before = (tmp_path / "zero.jsonl").read_bytes()
    said(*given, "--out", tmp_path / "again.jsonl")
    assert (tmp_path / "again.jsonl").read_bytes() == before


def test_the_controls_and_the_places_of_the_gap_give_other_scores(
    said: Said, golden: Path, trained: Path, tmp_path: Path
) -> None:
    scores: dict[str, object] = {}
    for name, option in (
        ("end", "gap=end"),
        ("start", "gap=start"),
        ("random", "weights=random"),
        ("mean", "score=mean"),
    ):
        out = tmp_path / f"{name}.jsonl"
        said(
            *("predict", "snippet-cloze", golden, "--split", "train", "--set", f"cloze={trained}"),
            *("--set", option, "--out", out),
        )
        scores[name] = [[answer.score for answer in line.answers or ()] for line in predictions.read(out)]
    assert len({str(each) for each in scores.values()}) == len(scores)


def test_a_dataset_of_cloze_questions_is_refused(
    trained: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    given = ["predict", "snippet-cloze", str(trained.parent / "cues"), "--set", f"cloze={trained}"]
    line = refused(["-q", *given, "--out", str(tmp_path / "out.jsonl")], capfd)
    assert "holds cloze questions, and questions with snippets and exact answers are needed here" in line
