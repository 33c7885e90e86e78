"""Runs of `text-to-text` from the command line: untrained, trained on cloze questions first, on drawn inputs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from tests.encoders.tiny_text import tiny_text_model
from tests.readers.tiny_readers import CONTRARY, CUE, WORDS, dataset

from anagnosis.cli import cli
from anagnosis.datasets.kinds.table import QUESTION
from anagnosis.predictions import Prediction, read
from anagnosis.training.runs.run import load_run

SMALL = ("input_pieces=64", "answer_pieces=4", "precision=float32")


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """built: questions; cloze: cloze questions; t5: a model."""
    folder = tmp_path_factory.mktemp("places")
    dataset(folder / "built", signal=True, kind=QUESTION, train=24, dev=8, test=10)
    dataset(folder / "cloze", signal=True, train=20, dev=8, test=2)
    tiny_text_model(folder / "t5", words=[*WORDS, CUE, CONTRARY, "?"])
    return folder


def run(*words: object) -> str:
    result = CliRunner().invoke(cli, [*map(str, words)])
    assert result.exit_code == 0, result.output
    return result.output


def train(places: Path, out: Path, *options: object) -> str:
    given = ["train", "bioasq-text-to-text", "--data", places / "built", "--set", f"encoder={places / 't5'}"]
    small = [word for each in SMALL for word in ("--set", each)]
    return run(*given, "--out", out, "--threads", 1, *small, *options)


def predicted(places: Path, out: Path) -> list[Prediction]:
    run("predict", out, places / "built", "--out", out.with_suffix(".jsonl"), "--threads", "1")
    return list(read(out.with_suffix(".jsonl")))


def test_an_untrained_run_has_the_weights_of_its_model_and_answers(places: Path, tmp_path: Path) -> None:
    from safetensors.torch import load_file

    output = train(places, tmp_path / "run", "--set", "trained=none", "--set", "stop=epochs")
    assert "folder name run, epochs 0," in output
    facts = load_run(tmp_path / "run").facts
    assert (facts.parameters, facts.epochs, facts.dev_accuracy, facts.seconds) == (0, 0, None, 0.0)
    theirs = load_file(places / "t5" / "model.safetensors")
    ours = load_file(tmp_path / "run" / "model.safetensors")
    assert {name: ours[f"encoder.{name}"].tolist() for name in theirs} == {
        name: weight.tolist() for name, weight in theirs.items()
    }
    lines = predicted(places, tmp_path / "run")
    assert len(lines) == 10
    assert any(line.answers for line in lines)
    scored = run("score", places / "built", tmp_path / "run.jsonl", "--measure", "factoid_mrr")
    assert "factoid" in scored.lower()


def test_a_model_is_trained_on_cloze_questions_first_then_on_experts_questions(
    places: Path, tmp_path: Path
) -> None:
    phases = ["--also", places / "cloze", "--set", "phases=further-first"]
    train(places, tmp_path / "run", *phases, "--set", "epochs=1", "--set", "stop=loss")
    first, last = (load_run(tmp_path / "run" / name).facts for name in ("further", "final"))
    assert (first.train.rows, last.train.rows) == (20, 24)
    assert last.began == first.weights
    assert len(predicted(places, tmp_path / "run")) == 10


def test_only_drawn_inputs_are_trained_on(places: Path, tmp_path: Path) -> None:
    options = ["--set", "pairs=7", "--set", "epochs=1"]
    output = train(places, tmp_path / "run", *options)
    assert re.search(r"^folder name run, epochs 1, .*mrr, dev value [\d.]+, .*[\d,]+$", output, re.MULTILINE)
    assert "accuracy" not in output
    facts = load_run(tmp_path / "run").facts
    assert facts.train.rows - (facts.train.unanswered or 0) == 7
