"""Pinned values beside what is found now: one comparison, and the table of what changes on purpose.

A subject's values are a tree: dicts and lists with strings, numbers and nulls as leaves. A path names a leaf or a
branch by what stands on the way to it, `score > systems > 0 > accuracy`; `*` stands for any one step.

changes.toml says what changed on purpose since the values were stored, in the order in which it is applied. The stored
values stay as they are, so that each still guards what the program says, wherever it says it now. Each entry has
`subject` (or `*` for all), `why`, and one of:

    old, new          the value moved: what is pinned at `old` must be found at `new`. The n-th `*` of `new` stands for
                      what the n-th `*` of `old` met. With `times` a number is multiplied (percent → share: 0.01).
    old               what is pinned there is gone.
    new               what is found there is new.
    old, value        another value stands there now, this one.
    words, becomes    in texts and in names of keys, `words` reads `becomes` now.
    moves             a list of pairs [old, new], "" for what is gone or new.

An entry that meets nothing is a fault: the table holds what is true, and no more.
"""

from __future__ import annotations

import json
import math
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
CHANGES = HERE / "changes.toml"
STORED = HERE / "stored"
STEP = " > "
DIGITS = 7  # of a stored number
SHOWN = 20  # differences

TreePath = tuple[str, ...]
LAST_DECIMAL = 1e-4


@dataclass(frozen=True, slots=True)
class Change:
    """One entry of the table; what it does not say is None."""

    subject: str
    why: str
    old: str | None = None
    new: str | None = None
    times: float | None = None
    value: Any = None
    words: str | None = None
    becomes: str | None = None

    def __post_init__(self) -> None:
        paths = self.old is not None or self.new is not None
        if paths == (self.words is not None) or (self.words is None) != (self.becomes is None):
            raise ValueError(f"says either old or new, or words and becomes: {self}")
        if not self.why.strip():
            raise ValueError(f"says no reason: {self}")


def changes(path: Path = CHANGES) -> list[Change]:
    """The table."""
    found: list[Change] = []
    for entry in tomllib.loads(path.read_text("utf-8")).get("change", []):
        moves = entry.pop("moves", None)
        if moves is None:
            found.append(Change(**entry))
        else:
            found += (Change(**entry, old=old or None, new=new or None) for old, new in moves)
    return found


def stored(subject: str) -> dict[str, Any]:
    """The pinned values."""
    return json.loads((STORED / f"{subject}.json").read_text("utf-8"))


def plain(value: Any) -> Any:
    """As JSON has it, with numbers to so many digits as are stored."""
    if isinstance(value, dict):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    if isinstance(value, float):
        return float(f"{value:.{DIGITS}g}") if math.isfinite(value) else str(value)
    return value


def differences(
    subject: str,
    pinned: dict[str, Any],
    found: dict[str, Any],
    table: Sequence[Change] = (),
    tolerance: float = 1e-6,
) -> list[str]:
    """What is not as it was and is in no table, a line each.

    tolerance: how far a number that is not whole may lie from the pinned one, relative to it; a hundredth of it,
    where the pinned one is near 0. Numbers of four decimals may differ by one step of the last.
    """
    mine = [change for change in table if change.subject in (subject, "*")]
    said: list[str] = []
    for change in mine:
        if change.words is not None:
            pinned, met = _reworded(pinned, change.words, change.becomes or "")
            if not met and change.subject != "*":
                said.append(f"changes.toml: {change.words!r} stands nowhere in {subject}")
    old, new = _leaves(pinned), _leaves(found)
    for change in mine:
        if change.words is None:
            said += _applied(change, old, new, tolerance)
    for path in [*old, *(path for path in new if path not in old)]:
        if path not in new:
            said.append(f"{STEP.join(path)}: is gone; was {_short(old[path])}")
        elif path not in old:
            said.append(f"{STEP.join(path)}: is new: {_short(new[path])}")
        elif not _same(old[path], new[path], tolerance):
            said.append(f"{STEP.join(path)}: was {_short(old[path])}, is {_short(new[path])}")
    return said


def _applied(
    change: Change, old: dict[TreePath, Any], new: dict[TreePath, Any], tolerance: float
) -> list[str]:
    """Take out of both sides what a change speaks of; what does not fit it."""
    said: list[str] = []
    met = False
    steps = (change.old or change.new or "").split(STEP)
    if change.old is None:
        for path in [path for path in new if _below(steps, path) is not None]:
            del new[path]
            met = True
    else:
        for path, below in [(path, below) for path in old if (below := _below(steps, path)) is not None]:
            met = True
            was = old.pop(path)
            if change.value is not None:
                was, there = change.value, path
            elif change.new is not None:
                there = _filled(change.new, *below)
            else:
                continue
            if change.times is not None and isinstance(was, int | float):
                was = was * change.times
            moved = f"{STEP.join(path)} (now {STEP.join(there)})"
            if there not in new:
                said.append(f"{moved}: is not there; was {_short(was)}")
            elif not _same(was, is_now := new.pop(there), tolerance):
                said.append(f"{moved}: was {_short(was)}, is {_short(is_now)}")
    return said if met else [f"changes.toml: {change.old or change.new!r} meets nothing"]


def _below(steps: list[str], path: TreePath) -> tuple[list[str], TreePath] | None:
    """What the stars met and what is left of a path behind the pattern; None where it does not lie below."""
    if len(path) < len(steps) or steps[0] not in ("*", path[0]):  # of most pairs the first step tells
        return None
    if any(step not in ("*", own) for step, own in zip(steps, path)):
        return None
    return [own for step, own in zip(steps, path) if step == "*"], path[len(steps) :]


def _filled(pattern: str, met: list[str], rest: TreePath) -> TreePath:
    stars = iter(met)
    return (*(next(stars) if step == "*" else step for step in pattern.split(STEP)), *rest)


def _leaves(tree: Any) -> dict[TreePath, Any]:
    return dict(_walk(tree, ()))


def _walk(tree: Any, path: TreePath) -> Iterator[tuple[TreePath, Any]]:
    if isinstance(tree, dict | list) and tree:
        items = tree.items() if isinstance(tree, dict) else enumerate(tree)
        for step, each in items:
            yield from _walk(each, (*path, str(step)))
    else:
        yield path, tree


def _reworded(tree: Any, words: str, becomes: str) -> tuple[Any, int]:
    """The tree with other words in texts and keys, and how often they stood there."""
    text = json.dumps(tree, ensure_ascii=False)
    inside = json.dumps(words, ensure_ascii=False)[1:-1]
    return json.loads(text.replace(inside, json.dumps(becomes, ensure_ascii=False)[1:-1])), text.count(inside)


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
