"""What several measures read of one run, computed once and let go with the run or its gold side."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar
from weakref import WeakKeyDictionary

from anagnosis.datasets.gold import Gold
from anagnosis.predictions import Matched

Value = TypeVar("Value")


def kept_with_run(compute: Callable[..., Value]) -> Callable[..., Value]:
    """The same function of (gold, run, names…); its values must refer neither to `gold` nor to `run`."""
    kept: WeakKeyDictionary[Matched, WeakKeyDictionary[Gold, dict[tuple[str, ...], Value]]] = (
        WeakKeyDictionary()
    )

    @wraps(compute)
    def remembered(gold: Gold, run: Matched, *names: str) -> Value:
        values = kept.setdefault(run, WeakKeyDictionary()).setdefault(gold, {})
        if names not in values:
            values[names] = compute(gold, run, *names)
        return values[names]

    return remembered
