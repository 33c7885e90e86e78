"""A disk that is full after so many bytes, without a disk of its own."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

import pytest


@contextmanager
def full_after(size: int) -> Generator[None]:
    """No file of this process grows beyond `size` bytes: the write fails as on a full disk ("file too large")."""
    resource = pytest.importorskip("resource", reason="limits on files are Unix's")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
