"""The one system or person of a file, for the tests of predictions and evaluation."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from anagnosis.datasets.gold import Gold
from anagnosis.predictions import Matched, match_each


def match(path: Path, gold: Gold, **how: Any) -> Matched:
    """The file of one system or person against a split. how: options of `match_each`."""
    (found,) = match_each(path, gold, **how)
    return found
