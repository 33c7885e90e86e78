"""Stopping rules: what was measured on dev, which is best, when patience has run out; also measures of others."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest
from msgspec import structs
from tests.packages import installed
from tests.training.bags import evaluations
from tests.training.conftest import recipe

from anagnosis import api, predictions
from anagnosis.cli import run as command
from anagnosis.datasets.folder.store import Dataset
from anagnosis.evaluation.measures import GROUP
from anagnosis.training.loop import history
from anagnosis.training.loop.history import Evaluation
from anagnosis.training.runs.predicting import predict
from anagnosis.training.runs.run import load_run
from anagnosis.training.train import train

SOURCE = """
import numpy as np
from anagnosis.evaluation.measures.measure import Measure

SHARED = dict(kinds=("cloze",), unit="number", source="none")

def signs(gold, matched, protocol):
    return np.where(matched.choice == gold.answer, -0.25, -0.75)

def wrong(gold, matched, protocol):
    return (matched.choice != gold.answer).astype(float)

SIGNS = Measure(name="signs", what="-1/4 or -3/4.", values=signs, lowest=-0.75, highest=-0.25, **SHARED)
# What prefers the weights that accuracy likes least.
WRONG = Measure(name="wrong", what="Wrong answers.", values=wrong, **SHARED)
"""
POINTS = "".join(f"{name} = signed_measures:{name.upper()}\n" for name in ("signs", "wrong"))


@pytest.fixture(autouse=True)
def foreign(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Measures of another package: one with values below zero, one that errors raise."""
    monkeypatch.syspath_prepend(installed(tmp_path / "packages", "signed_measures", SOURCE, {GROUP: POINTS}))


def measured(*pairs: tuple[float, float]) -> list[Evaluation]:
    """(accuracy, loss) on dev of each."""
    return [
        Evaluation("all", place + 1, 10 * place, 1.0, 0.5, loss, accuracy, 0.001, 1.0, 0.1)
        for place, (accuracy, loss) in enumerate(pairs)
    ]


RISING = ((0.5, 0.9), (0.6, 0.8), (0.7, 0.7))
PLATEAU = ((0.5, 0.9), (0.7, 0.8), (0.7, 0.7), (0.7, 0.9))
FALLING = ((0.7, 0.9), (0.6, 1.0), (0.5, 1.1))


@pytest.mark.parametrize(
    ("stop", "patience", "seen", "best", "over"),
    [
        ("accuracy", 3, (), None, False),
        ("accuracy", 1, RISING, 2, False),
        ("accuracy", 2, PLATEAU, 1, True),
        ("accuracy", 3, PLATEAU, 1, False),
        ("accuracy", 2, FALLING, 0, True),
        ("accuracy", 3, FALLING, 0, False),
        ("loss", 1, PLATEAU, 2, True),
        ("loss", 2, PLATEAU, 2, False),
        ("loss", 1, FALLING, 0, True),
        ("epochs", 1, FALLING, None, False),
        # A measure of another package, with values below zero.
        ("signs", 2, PLATEAU, 1, True),
        ("signs", 3, PLATEAU, 1, False),
    ],
)
def test_rules(
    stop: str, patience: int, seen: tuple[tuple[float, float], ...], best: int | None, over: bool
) -> None:
    found = measured(*seen)
    if stop == "signs":
        values = zip(found, (-0.5, -0.25, None, -0.75), strict=True)
        found = [structs.replace(one, measure=stop, dev_value=value) for one, value in values]
    assert history.best(stop, found) == best
    assert history.run_out(stop, patience, found) == over


def test_a_measure_that_prefers_other_weights_keeps_other_weights(cues: Dataset, tmp_path: Path) -> None:
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


def test_a_measure_of_texts_stops_a_training_by_the_value_that_score_gives(
    cues: Dataset, tmp_path: Path
) -> None:
    done = train(recipe(stop="f1", epochs=2), cues, tmp_path / "run", device="cpu")
    path = tmp_path / "dev.jsonl"
    predictions.write(path, predict(done, cues, split="dev", device="cpu"))
    (scored,) = api.score(cues, [path], split="dev", measures=["f1"]).on("dev")
    assert (done.facts.measure, done.facts.dev_value) == ("f1", pytest.approx(scored.estimate.value))


def test_a_search_by_a_measure_keeps_the_best_trial_on_the_command_line(
    cues: Dataset, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    recipe, out = tmp_path / "mine.toml", tmp_path / "out"
    recipe.write_text('reader = "bags"\nepochs = 1\nbatch = 16\n[tune]\nrate = [1e-9, 0.01, 0.1]\n', "utf-8")
    words = ["tune", str(recipe), "--data", str(cues.folder), "--trials", "4", "--out", str(out), "--json"]
    assert command([*words, "--set", "stop=wrong"]) == 0
    found = json.loads(capsys.readouterr().out)
    values = [trial["value"] for trial in found["trials"]]
    assert len(set(values)) > 1
    assert (found["measure"], found["best"]["value"]) == ("wrong", max(values))
    kept = load_run(out / f"trial-{found['best']['number']}")
    assert (kept.facts.measure, kept.facts.dev_value) == ("wrong", found["best"]["value"])
    assert tomllib.loads((out / "best.toml").read_text())["stop"] == "wrong"
    assert command([*words, "--set", "stop=accuracy"]) == 2
    assert "another recipe, dataset, limit or seed" in capsys.readouterr().err
