"""Being a user who owns nothing, for what only the rights of files can show: where the process may become one."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

NOBODY = 65534


@contextmanager
def another_user() -> Generator[None]:
    """The block is run as NOBODY; what it imports must have been imported before."""
    if not hasattr(os, "geteuid") or os.geteuid() != 0:
        pytest.skip("only root can become another user")
    group = os.getegid()
    try:
        os.setegid(NOBODY)
        os.seteuid(NOBODY)
    except PermissionError:
        os.setegid(group)
        pytest.skip("this root may not become another user")
    try:
        yield
    finally:
        os.seteuid(0)
        os.setegid(group)


@contextmanager
def open_to_all() -> Generator[Path]:
    """A folder that others reach too, as pytest's own is not."""
    folder = Path(tempfile.mkdtemp(prefix="anagnosis-test-"))
    folder.chmod(0o755)
    try:
        yield folder
    finally:
        shutil.rmtree(folder)
