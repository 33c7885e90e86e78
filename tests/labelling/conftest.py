"""A browser, and windows of it, for tests of pages."""

from __future__ import annotations

from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def window(browser: Any) -> Generator[Any]:
    from tests.labelling.browser import window

    with window(browser) as page:
        yield page


@pytest.fixture
def server(tmp_path: Path) -> Any:
    from tests.labelling.page_server import served

    return served(tmp_path)


@pytest.fixture
def tabs(browser: Any, server: Any) -> Generator[Callable[..., Any]]:
    from tests.labelling.page_server import tabs

    with tabs(browser, server) as another:
        yield another
