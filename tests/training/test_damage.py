"""Stored readers are verified before they are believed: sixty faults each end in one line or change nothing."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("transformers", reason="the extra train is not installed")

from tests import damage
from tests.readers.tiny_readers import (
    ENCODER,
    TINY,
    VECTORS,
    data_of,
    dataset,
    tiny_models,
)

from anagnosis.datasets.folder.store import Dataset
from anagnosis.training.runs.predicting import predict
from anagnosis.training.runs.run import load
from anagnosis.training.train import train

ROWS = 12
# Small ones of each kind of dataset run always, the rest takes longer.
QUICK = ("attention-sum", "shallow-features")


@pytest.fixture(autouse=True)
def _quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANAGNOSIS_QUIET", "1")


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return tiny_models(tmp_path_factory.mktemp("places"))


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Dataset]:
    """A dataset of the kind that a reader reads."""
    made: dict[str, Dataset] = {}

    def of(name: str) -> Dataset:
        of_reader = data_of(name)
        key = str(of_reader)
        if key not in made:
            folder = tmp_path_factory.mktemp("data")
            made[key] = dataset(folder, signal=True, train=40, dev=16, test=ROWS, **of_reader)
        return made[key]

    return of


@pytest.fixture(scope="module")
def recipe(places: dict[str, str]) -> Callable[[str], dict[str, Any]]:
    def make(name: str) -> dict[str, Any]:
        given = {"batch": 16, **TINY[name].settings, "epochs": 1}
        return {"reader": name, **{key: places.get(str(value), value) for key, value in given.items()}}

    return make


def predicted(folder: Path, data: Dataset, kept: Path | None = None) -> object:
    found = load(folder)
    runs = found.runs
    return [list(predict(run, data, device="cpu", threads=1, kept=kept)) for run in runs]


@pytest.mark.parametrize(
    "name", [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in TINY]
)
def test_a_damaged_run_ends_in_one_line_or_predicts_the_same(
    name: str,
    data: Callable[[str], Dataset],
    recipe: Callable[[str], dict[str, Any]],
    tmp_path: Path,
) -> None:
    run = train(recipe(name), data(name), tmp_path / "run", device="cpu", threads=1)
    (tmp_path / "scratch").mkdir()
    refused, unharmed = damage.check(
        run.folder, tmp_path / "scratch", lambda folder: predicted(folder, data(name))
    )
    assert refused + unharmed == damage.FAULTS
    assert refused > damage.FAULTS // 2


@pytest.mark.slow
@pytest.mark.parametrize(("name", "what"), [("jpdrmm", VECTORS), ("masked-encoder", ENCODER)])
def test_a_damaged_file_that_a_run_only_remembers_ends_in_one_line_or_predicts_the_same(
    name: str,
    what: str,
    places: dict[str, str],
    data: Callable[[str], Dataset],
    recipe: Callable[[str], dict[str, Any]],
    tmp_path: Path,
) -> None:
    source, folder = Path(places[what]), tmp_path / "remembered"
    if source.is_dir():
        shutil.copytree(source, folder)
        place = folder
    else:
        folder.mkdir()
        place = Path(shutil.copy(source, folder))
    given = {key: str(place) if value == places[what] else value for key, value in recipe(name).items()}
    run = train(given, data(name), tmp_path / "run", device="cpu", threads=1)
    shutil.move(folder, tmp_path / "whole")
    (tmp_path / "scratch").mkdir()

    def use(copy: Path) -> object:
        shutil.copytree(copy, folder)
        try:
            return predicted(run.folder, data(name))
        finally:
            shutil.rmtree(folder)

    refused, _ = damage.check(tmp_path / "whole", tmp_path / "scratch", use)
    assert refused > damage.FAULTS // 2
