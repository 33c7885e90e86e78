"""The ranges of a search for settings: `[tune]` of a recipe, checked against the reader's keys.

[tune]
measure = "f1"                                what compares the trials, unless the user names a measure
hidden = {low = 50, high = 160, log = true}
dropout = {low = 0.1, high = 0.6}
rate = {choice = [0.001, 0.003]}
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, cast

import msgspec

from anagnosis.errors import InputError
from anagnosis.training.runs.run import configured
from anagnosis.wording import reworded

if TYPE_CHECKING:
    from optuna.distributions import BaseDistribution

TUNE = "tune"
MEASURE = "measure"


class Range(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The range that a key's values are drawn from: one of `choice`, or evenly from low to high, both included.

    Values are whole numbers if both ends are. log: draw evenly on a logarithmic scale.
    """

    choice: list[str | int | float | bool] | None = None
    low: int | float | None = None
    high: int | float | None = None
    log: bool = False


Configure = Callable[[Mapping[str, Any], str], msgspec.Struct]  # (recipe, where) → its checked settings


def _of_reader(recipe: Mapping[str, Any], where: str) -> msgspec.Struct:
    return configured(recipe, where)[1]


def checked_space(
    recipe: Mapping[str, Any],
    space: Mapping[str, Any] | None,
    where: str,
    configure: Configure = _of_reader,
) -> dict[str, Range]:
    """The ranges of a search. InputError: lists all problems of the table."""
    given: Mapping[str, Any] = space if space is not None else recipe.get(TUNE, {})
    if not given.keys() - {MEASURE}:
        raise InputError("has no ranges to search", where, "add a table [tune], as docs/recipes.md shows")
    known = [field.name for field in msgspec.structs.fields(configure(recipe, where))]
    ranges: dict[str, Range] = {}
    faults: list[str] = []
    for key, value in given.items():
        if key == MEASURE:
            continue
        if key not in known:
            near = difflib.get_close_matches(key, known, n=2, cutoff=0.5)
            faults.append(f"unknown key {key!r}" + (f" (did you mean {' or '.join(near)}?)" if near else ""))
            continue
        try:
            ranges[key] = msgspec.convert(value, Range)
            faults.extend(
                f"{key}: {fault}" for fault in _problems(recipe, key, ranges[key], where, configure)
            )
        except msgspec.ValidationError as fault:
            faults.append(f"{key}: {reworded(fault)}")
    if faults:
        raise InputError(
            f"{len(faults)} problem{'s' if len(faults) > 1 else ''} in [tune]: {'; '.join(faults)}",
            where,
            "a range is {low = 1, high = 9}, {low = 1, high = 9, log = true} or {choice = [1, 3]}",
        )
    return ranges


def _problems(
    recipe: Mapping[str, Any], key: str, values: Range, where: str, configure: Configure
) -> list[str]:
    if values.choice is not None:
        if not values.choice or values.low is not None or values.high is not None or values.log:
            return ["a choice has values and nothing else"]
        ends = values.choice
    elif values.low is None or values.high is None:
        return ["low or high is missing"]
    elif values.low >= values.high or (values.log and values.low <= 0):
        return [f"no range from {values.low} to {values.high}"]
    else:
        ends = [values.low, values.high]
    faults: list[str] = []
    for value in ends:
        try:
            configure({**recipe, key: value}, where)
        except InputError as fault:
            faults.append(f"{value} will not do ({fault.what})")
    return faults


def distribution(values: Range) -> BaseDistribution:
    """The range as optuna draws from it."""
    from optuna.distributions import CategoricalDistribution, FloatDistribution, IntDistribution

    if values.choice is not None:
        return CategoricalDistribution(values.choice)
    if isinstance(values.low, int) and isinstance(values.high, int):
        return IntDistribution(values.low, values.high, log=values.log)
    return FloatDistribution(cast(float, values.low), cast(float, values.high), log=values.log)
