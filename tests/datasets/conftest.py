"""A small built dataset that the tests of datasets share; they look at it and copy it before they change it."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.articles import abstract, article, drug, text

from anagnosis import api
from anagnosis.datasets.folder import store
from anagnosis.datasets.folder.store import Dataset


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    """Forty articles of two instances each: 48 in train, 16 in dev and in test."""
    folder = tmp_path_factory.mktemp("dataset")
    articles = [
        article(
            f"{drug(n)} or {drug(n + 1)} in a trial",
            abstract([n, n + 1, n + 1, n, n + 2], 10 + n % 3),
            ident=str(100 + n),
        )
        for n in range(40)
    ]
    (folder / "a.pubtator").write_bytes(text(*articles))
    settings = {"split_weights": {"train": 3, "dev": 1, "test": 1}}
    return api.build("biomrc", [folder / "a.pubtator"], folder / "built", settings=settings, workers=1)


@pytest.fixture
def copied(built: Dataset, tmp_path: Path) -> Callable[[], Path]:
    """Makes a copy of its folder to be damaged."""

    def copy() -> Path:
        folder = tmp_path / "copy"
        shutil.copytree(built.folder, folder)
        return store.load(folder).folder

    return copy
