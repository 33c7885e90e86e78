"""The fixtures of `tests/typed.py`."""

from __future__ import annotations

from tests.typed import said, world

__all__ = ["said", "world"]
