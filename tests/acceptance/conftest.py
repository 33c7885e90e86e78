"""The worlds of `tests/typed.py` and `ground.py`."""

from __future__ import annotations

from tests.acceptance.ground import at, ground
from tests.typed import said, world

__all__ = ["at", "ground", "said", "world"]
