"""A window of a browser, for tests of pages."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import pytest


@pytest.fixture
def window(browser: Any) -> Generator[Any]:
    from tests.labelling.browser import window

    with window(browser) as page:
        yield page
