"""The dataset that the verbs are tried on, and the folder where they write."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.typed import World, world

from anagnosis.datasets.folder import store
from anagnosis.datasets.folder.store import Dataset

__all__ = ["dataset", "here", "world"]


@pytest.fixture(scope="session")
def dataset(world: World) -> Dataset:
    return store.load(world.dataset)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, and the one where commands are given."""
    monkeypatch.chdir(tmp_path)
    return tmp_path
