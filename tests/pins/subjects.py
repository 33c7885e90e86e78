"""The subjects that are pinned: each a module here whose `found(world)` gives the tree of what the program does now."""

from __future__ import annotations

import importlib
from typing import Any

from tests.pins.compare import plain
from tests.pins.program import float32, version
from tests.pins.world import World

# subject → relative tolerance of numbers that are not whole
SUBJECTS = {
    "datasets": 0.0,
    "heuristics": 0.0,
    "trained": 1e-4,
    "rankings": 1e-4,
}


def found(subject: str, world: World) -> dict[str, Any]:
    """What the program does now. The version of this package reads VERSION."""
    with float32():
        tree = importlib.import_module(f"tests.pins.{subject}").found(world)
    return plain(_without_version(tree, version()))


def _without_version(tree: Any, own: str) -> Any:
    if isinstance(tree, dict):
        return {key: _without_version(each, own) for key, each in tree.items()}
    if isinstance(tree, list | tuple):
        return [_without_version(each, own) for each in tree]
    return tree.replace(own, "VERSION") if isinstance(tree, str) else tree
