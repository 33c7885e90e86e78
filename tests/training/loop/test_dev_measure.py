"""A measure of another package chooses the weights of a training and the trial of a search."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from tests.packages import installed
from tests.training import signed_measures
from tests.training.bags import evaluations
from tests.training.conftest import Recipe

from anagnosis import api, predictions
from anagnosis.cli import cli
from anagnosis.cli import run as command
from anagnosis.datasets.folder.store import Dataset
from anagnosis.training.loop import history
from anagnosis.training.runs.predicting import predict
from anagnosis.training.runs.run import load_run
from anagnosis.training.train import train


@pytest.fixture(autouse=True)
def foreign(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    packages = installed(
        tmp_path / "packages", "signed_measures", signed_measures.SOURCE, signed_measures.POINTS
    )
    monkeypatch.syspath_prepend(packages)


def test_a_measure_that_prefers_other_weights_keeps_other_weights(
    cues: Dataset, recipe: Recipe, tmp_path: Path
) -> None:
    """The rate is so small that accuracy rises from epoch to epoch."""
    given = recipe(epochs=4, patience=4, rate=0.003)
    kept = {
        stop: train({**given, "stop": stop}, cues, tmp_path / stop, device="cpu")
        for stop in ("accuracy", "signs", "wrong")
    }
    assert kept["accuracy"].facts.weights == kept["signs"].facts.weights
    assert kept["wrong"].facts.best_epoch == 1
    assert (kept["accuracy"].facts.best_epoch or 0) > 1
    assert kept["accuracy"].facts.measure is None
    assert kept["signs"].facts.measure == "signs"
    for one, by_accuracy in zip(
        evaluations(tmp_path / "signs"), evaluations(tmp_path / "accuracy"), strict=True
    ):
        assert (one.measure, one.dev_accuracy, one.dev_loss) == ("signs", None, None)
        assert one.dev_value == pytest.approx(-0.75 + 0.5 * (by_accuracy.dev_accuracy or 0.0))
    assert b"measure" not in (tmp_path / "accuracy" / history.FILE).read_bytes()


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("auc", "the measure 'auc' judges evidence, and this dataset holds cloze"),
        ("embedding-average", "compares word vectors, and judges no training"),
        ("accurac", "unknown value of stop 'accurac'; did you mean accuracy"),
    ],
)
def test_what_is_no_measure_of_the_kind_is_refused_before_the_training(
    cues: Dataset, tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, says: str
) -> None:
    out = tmp_path / "run"
    words = ["train", "bags", "--data", str(cues.folder), "--out", str(out), "--set", f"stop={name}"]
    assert command(words) == 2
    told = capsys.readouterr().err
    assert says in told
    assert told.count("\n") == 1
    assert not out.exists()


@pytest.mark.parametrize("stop", ["wrong", "f1"])
def test_a_measure_of_texts_stops_a_training_by_the_value_that_score_gives(
    cues: Dataset, recipe: Recipe, tmp_path: Path, stop: str
) -> None:
    done = train(recipe(stop=stop, epochs=2), cues, tmp_path / "run", device="cpu")
    path = tmp_path / "dev.jsonl"
    predictions.write(path, predict(done, cues, split="dev", device="cpu"))
    (scored,) = api.score(cues, [path], split="dev", measures=[stop]).on("dev")
    assert done.facts.measure == stop
    assert done.facts.dev_value == pytest.approx(scored.estimate.value)


def run(*arguments: object) -> Any:
    return CliRunner().invoke(cli, [*map(str, arguments)])


@pytest.mark.parametrize("name", ["signs", "wrong"])
def test_a_search_by_a_measure_keeps_the_best_trial_on_the_command_line(
    cues: Dataset, tmp_path: Path, name: str
) -> None:
    recipe = tmp_path / "mine.toml"
    recipe.write_text('reader = "bags"\nepochs = 1\nbatch = 16\n[tune]\nrate = [1e-9, 0.01, 0.1]\n', "utf-8")
    words = ["tune", recipe, "--data", cues.folder, "--trials", 4, "--threads", 1, "--set", f"stop={name}"]
    ended = run(*words, "--out", tmp_path / "out", "--json")
    assert ended.exit_code == 0, ended.output
    found = json.loads(ended.stdout)
    values = [trial["value"] for trial in found["trials"]]
    assert len(set(values)) > 1
    assert (found["measure"], found["best"]["value"]) == (name, max(values))
    kept = load_run(tmp_path / "out" / f"trial-{found['best']['number']}")
    assert (kept.facts.measure, kept.facts.dev_value) == (name, found["best"]["value"])
    assert tomllib.loads((tmp_path / "out" / "best.toml").read_text())["stop"] == name
    again = run(*words[:-1], "stop=accuracy", "--out", tmp_path / "out")
    assert "another recipe, dataset, limit or seed" in str(again.exception)
