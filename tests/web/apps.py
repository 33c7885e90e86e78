"""The application as tests reach it: their client calls it `testserver`, which is no name of this machine."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
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


def started(folder: Path, *options: str) -> tuple[subprocess.Popen[str], str]:
    """(the process of `anagnosis serve`, its address)."""
    command = [sys.executable, "-m", "anagnosis", "serve", str(folder), "--port", "0", *options]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout
    line = process.stdout.readline()
    found = re.search(r"at (http://127\.0\.0\.1:\d+/)", line)
    assert found, line + process.communicate()[1]
    return process, found[1]
