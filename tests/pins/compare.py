"""Pinned values beside what is found now: one comparison.

A subject's values are a tree: dicts and lists with strings, numbers and nulls as leaves. A path names a leaf or a
branch by what stands on the way to it, `score > systems > 0 > accuracy`.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from anagnosis.version import __version__

STORED = Path(__file__).parent / "stored"
STEP = " > "
DIGITS = 7  # of a stored number

TreePath = tuple[str, ...]
LAST_DECIMAL = 1e-4


def stored(subject: str) -> dict[str, Any]:
    """The pinned values."""
    return json.loads((STORED / f"{subject}.json").read_text("utf-8"))


def plain(value: Any) -> Any:
    """As JSON has it, with numbers to so many digits as are stored; the version of this package reads VERSION."""
    if isinstance(value, dict):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    if isinstance(value, str):
        return value.replace(__version__, "VERSION")
    if isinstance(value, float):
        return float(f"{value:.{DIGITS}g}") if math.isfinite(value) else str(value)
    return value


def differences(pinned: Any, found: Any, tolerance: float = 1e-6) -> list[str]:
    """What is not as it was, a line each.

    tolerance: how far a number that is not whole may lie from the pinned one, relative to it; a hundredth of it,
    where the pinned one is near 0. Numbers of four decimals may differ by one step of the last.
    """
    old, new = dict(_walk(pinned, ())), dict(_walk(found, ()))
    said: list[str] = []
    for path in [*old, *(path for path in new if path not in old)]:
        if path not in new:
            said.append(f"{STEP.join(path)}: is gone; was {_short(old[path])}")
        elif path not in old:
            said.append(f"{STEP.join(path)}: is new: {_short(new[path])}")
        elif not _same(old[path], new[path], tolerance):
            said.append(f"{STEP.join(path)}: was {_short(old[path])}, is {_short(new[path])}")
    return said


def _walk(tree: Any, path: TreePath) -> Iterator[tuple[TreePath, Any]]:
    if isinstance(tree, dict | list) and tree:
        items = tree.items() if isinstance(tree, dict) else enumerate(tree)
        for step, each in items:
            yield from _walk(each, (*path, str(step)))
    else:
        yield path, tree


def _same(was: Any, now: Any, tolerance: float) -> bool:
    if isinstance(was, bool) or isinstance(now, bool) or not isinstance(was, int | float):
        return type(was) is type(now) and was == now
    if not isinstance(now, int | float):
        return False
    if isinstance(was, int) and isinstance(now, int):
        return was == now
    # Search prints four decimals, and the last one differs between processors.
    printed = tolerance >= LAST_DECIMAL and all(round(value, 4) == value for value in (was, now))
    return math.isclose(
        was, now, rel_tol=tolerance, abs_tol=1.01 * LAST_DECIMAL if printed else tolerance / 100
    )


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 160 else f"{text[:157]}…"
