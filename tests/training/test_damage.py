"""Stored readers are verified before they are believed: sixty faults each end in one line or change nothing."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("transformers", reason="the extra train is not installed")

from tests import damage
from tests.readers.tiny_readers import TINY, data_of, dataset, tiny_models

from anagnosis.datasets.folder.store import Dataset
from anagnosis.training.runs.predicting import predict
from anagnosis.training.runs.run import load_run
from anagnosis.training.train import train

# Small ones of each kind of dataset run always, the rest takes longer.
QUICK = ("attention-sum", "shallow-features")


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return tiny_models(tmp_path_factory.mktemp("places"))


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Makes a dataset of the kind that a reader reads."""

    @cache
    def of(name: str) -> Dataset:
        folder = tmp_path_factory.mktemp("data")
        return dataset(folder, signal=True, train=40, dev=16, test=12, **data_of(name))

    return of


def recipe(name: str, places: dict[str, str]) -> dict[str, Any]:
    given = {"batch": 16, **TINY[name].settings, "epochs": 1}
    return {"reader": name, **{key: places.get(str(value), value) for key, value in given.items()}}


def predicted(folder: Path, data: Dataset) -> object:
    return list(predict(load_run(folder), data, device="cpu", threads=1))


@pytest.mark.parametrize(
    "name", [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in TINY]
)
def test_a_damaged_run_ends_in_one_line_or_predicts_the_same(
    name: str, data: Any, places: dict[str, str], tmp_path: Path
) -> None:
    own, scratch = data(name), tmp_path / "scratch"
    run = train(recipe(name, places), own, tmp_path / "run", device="cpu", threads=1)
    scratch.mkdir()
    refused, unharmed = damage.check(run.folder, scratch, lambda folder: predicted(folder, own))
    assert refused + unharmed == damage.FAULTS
    assert refused > damage.FAULTS // 2
