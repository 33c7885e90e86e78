"""The dataset that the verbs are tried on."""

from __future__ import annotations

from pathlib import Path

import pytest

from anagnosis import api
from anagnosis.corpus import carried
from anagnosis.datasets.folder.store import Dataset


@pytest.fixture(scope="session")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    out = tmp_path_factory.mktemp("dataset")
    return api.build("biomrc", [carried()], out, recipe="biomrc-demo", workers=1)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, and the one where commands are given."""
    monkeypatch.chdir(tmp_path)
    return tmp_path
