"""The application as tests reach it: their client calls it `testserver`, which is no name of this machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

pytest.importorskip("fastapi", reason="the extra web is not installed")

from anagnosis.searching.answers.readers import NONE, Readers
from anagnosis.web import app
from anagnosis.web.hosts import hosts

if TYPE_CHECKING:
    from fastapi import FastAPI

    from anagnosis.searching.index.index import Index
    from anagnosis.web.limits import Limits


def web_app(index: Index, limits: Limits | None = None, readers: Readers = NONE) -> FastAPI:
    """Of this machine, and of the client."""
    return app.web_app(index, limits, readers, hosts(others=["testserver"]))
