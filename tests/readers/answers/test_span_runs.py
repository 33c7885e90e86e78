"""Runs of `span` on the command line: scored on what they were trained on, and given where another reader is meant."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

pytest.importorskip("transformers", reason="the extra train is not installed")

from click.testing import CliRunner
from tests.encoders.tiny import tiny_encoder
from tests.readers.tiny_readers import CONTRARY, CUE, WORDS, dataset
from tests.refusals import refused

from anagnosis.cli import cli
from anagnosis.datasets.folder import store, writing
from anagnosis.datasets.folder.store import Dataset
from anagnosis.datasets.kinds.question import SNIPPETS
from anagnosis.datasets.kinds.table import QUESTION


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    folder = tmp_path_factory.mktemp("questions") / "built"
    return dataset(folder, signal=True, kind=QUESTION, view=SNIPPETS, train=12, dev=8, test=6)


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    words = [*WORDS, CUE, CONTRARY, "?"]
    return tiny_encoder(tmp_path_factory.mktemp("encoders") / "tiny", words=words, limit=48)


@pytest.fixture(scope="module")
def run(data: Dataset, encoder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("runs") / "span"
    given = [
        "train",
        "span",
        "--data",
        data.folder,
        "--encoder",
        encoder,
        "--set",
        "epochs=1",
        "--threads",
        1,
    ]
    done = CliRunner().invoke(cli, [*map(str, given), "--out", str(out)])
    assert done.exit_code == 0, done.output
    return out


def test_a_run_that_was_trained_on_the_questions_says_so_where_it_is_scored(
    run: Path, data: Dataset, tmp_path: Path
) -> None:
    again = [*store.instances(data, "train", 4), *store.instances(data, "test")]
    both = writing.write(tmp_path / "again", {"test": again}, {"dataset": "again", "kind": "question"})
    lines_file = tmp_path / "lines.jsonl"
    done = CliRunner().invoke(cli, ["predict", str(run), str(both.folder), "--out", str(lines_file)])
    assert done.exit_code == 0, done.output
    for command, system in product(("score", "compare", "protocols"), (lines_file, run)):
        given = [command, both.folder, *[system] * (1 + (command == "compare"))]
        done = CliRunner().invoke(cli, [*map(str, given)])
        assert done.exit_code == 0, done.output
        count = 8 if command == "compare" else 4
        assert f"WARNING: Problems of the predictions: trained_on {count}." in done.output.splitlines()
    for given in (
        ["predict", run, data.folder, "--out", tmp_path / "other.jsonl"],
        ["score", data.folder, tmp_path / "other.jsonl", "--measure", "factoid_mrr"],
        ["protocols", data.folder, tmp_path / "other.jsonl"],
    ):
        done = CliRunner().invoke(cli, [*map(str, given)])
        assert done.exit_code == 0, done.output
        assert "Problems of the predictions" not in done.output


def test_a_reader_of_exact_answers_does_not_answer_cloze_questions(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cloze = dataset(tmp_path / "cloze", signal=True, test=4)
    line = refused(["predict", str(run), str(cloze.folder), "--out", str(tmp_path / "lines.jsonl")], capsys)
    assert "cloze: holds cloze questions, and questions with snippets" in line
    assert not (tmp_path / "lines.jsonl").exists()


def test_cloze_questions_do_not_judge_a_reader_of_exact_answers(
    encoder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cloze = dataset(tmp_path / "cloze", signal=True, train=4, dev=4)
    given = ["train", "span", "--data", cloze.folder, "--encoder", encoder, "--out", tmp_path / "run"]
    line = refused([*map(str, given)], capsys)
    assert (
        "questions with snippets and exact answers are needed here; name a dataset of them with --dev" in line
    )
    assert not (tmp_path / "run").exists()


def test_a_window_that_leaves_no_place_for_an_answer_is_refused(
    data: Dataset, encoder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = ["train", "span", "--data", data.folder, "--encoder", encoder, "--out", tmp_path / "run"]
    line = refused([*map(str, given), "--set", "window=3"], capsys)
    assert "window" in line
    assert "16" in line
