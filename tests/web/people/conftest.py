from __future__ import annotations

from collections.abc import Generator

import pytest
from tests.web.people.servers import end_all


@pytest.fixture(autouse=True)
def no_server_stays() -> Generator[None]:
    """A test that fails leaves no server behind."""
    yield
    end_all()
