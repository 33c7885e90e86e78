"""A dataset that all tests of leaderboards share; nothing changes it."""

from __future__ import annotations

import pytest
from tests.leaderboard import boards

from anagnosis.datasets.folder.store import Dataset


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    return boards.dataset(tmp_path_factory.mktemp("board"))
