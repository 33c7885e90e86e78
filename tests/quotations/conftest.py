from __future__ import annotations

from pathlib import Path

import pytest
from tests.quotations.papers import indexed


@pytest.fixture(scope="session")
def papers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of an index."""
    return indexed(tmp_path_factory.mktemp("quoted") / "index")
