"""Calibration parameters of a run: fitted on its development questions, kept in its folder."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="the extra train is not installed")

from tests.decisions import rows_apart, written

from anagnosis import api
from anagnosis.cli import run as anagnosis
from anagnosis.datasets.folder import store
from anagnosis.evaluation.calibration.scaling import temperature
from anagnosis.training.calibration.decisions import development
from anagnosis.training.runs.run import RunParameters, load_run


@pytest.fixture(scope="module")
def labelled(tmp_path_factory: pytest.TempPathFactory) -> store.Dataset:
    folder = tmp_path_factory.mktemp("labelled")
    return api.import_dataset(
        written(folder / "l.json", rows_apart(60, 40, 20)), folder / "built", layout="pubmedqa"
    )


@pytest.fixture(scope="module")
def trained(labelled: store.Dataset, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("runs") / "shallow"
    settings = {"epochs": 4, "hidden": 4, "most": 50}
    api.train("pubmedqa-shallow-features", labelled, out, settings=settings, folds=2, threads=1)
    return out


@pytest.fixture
def runs(trained: Path, tmp_path: Path) -> Path:
    return shutil.copytree(trained, tmp_path / "shallow")


def fitted(run: Path) -> RunParameters | None:
    return load_run(run).facts.calibration


def test_each_run_is_fitted_on_its_own_fold(runs: Path, labelled: store.Dataset) -> None:
    assert fitted(runs / "fold-0") is None
    first, second = api.calibrate(runs, labelled).runs
    assert (first.parameters.split, second.parameters.split) == ("fold 0", "fold 1")
    scores, labels = development(load_run(runs / "fold-0"), labelled)
    assert first.parameters.questions == len(labels)
    assert first.parameters.temperature == temperature(scores, np.array(labels))
    assert first.parameters.after <= first.parameters.before
    assert fitted(runs / "fold-0") == first.parameters


def test_the_command_shows_what_it_fitted_and_the_same_comes_again(
    runs: Path, labelled: store.Dataset, capfd: pytest.CaptureFixture[str]
) -> None:
    folder = str(labelled.folder)
    assert anagnosis(["calibrate", str(runs), folder]) == 0
    assert "fold-1" in capfd.readouterr().out
    kept = (runs / "fold-0" / "run.json").read_bytes()
    assert anagnosis(["calibrate", str(runs), folder, "--json"]) == 0
    printed = json.loads(capfd.readouterr().out)
    assert printed["record"] == "calibrations"
    assert [run["name"] for run in printed["runs"]] == ["fold-0", "fold-1"]
    assert printed["runs"][0]["parameters"] == json.loads(kept)["calibration"]
    assert (runs / "fold-0" / "run.json").read_bytes() == kept
