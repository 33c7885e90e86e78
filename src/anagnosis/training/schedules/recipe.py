"""Recipes with a schedule: their phases, and the settings of each phase.

    phases = "multi-phase"
    [phase.final]
    rate = 1e-5

The recipe's settings hold for all phases. `[phase.NAME]` overrides them for one phase, `--set KEY=…` overrides both
for all phases, and `--set phase.NAME.KEY=…` overrides everything else for one phase.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from anagnosis.datasets.kinds.decision import FREE
from anagnosis.datasets.pubmedqa.pseudo_labels import HIGHEST, OVER_SHARE
from anagnosis.errors import InputError, unknown_name
from anagnosis.readers.learning import Settings
from anagnosis.training.loop.dev_measure import selecting_measure
from anagnosis.training.phases import NAMES, SCHEDULES, PhaseOf
from anagnosis.training.runs.run import configured

# Keys of a recipe: the schedule, the settings of a phase, and how answers become pseudo-labels.
SCHEDULE, SETTINGS, ANSWER = "phases", "phase", "pseudo_answer"
# Keys that a phase may set for itself; in others it could not load the weights that it begins with.
MAY_DIFFER = {*Settings.__struct_fields__, "dropout", "attention_dropout", "pairs"}


def phased(recipe: Mapping[str, Any]) -> bool:
    """Whether the recipe names a schedule."""
    return SCHEDULE in recipe


def for_all_phases(recipe: Mapping[str, Any], settings: Mapping[str, Any], where: str) -> dict[str, Any]:
    """The recipe, with its tables of single phases cut to keys that the user has not set for all phases."""
    tables = _tables(recipe, where)
    kept = {name: {key: table[key] for key in table if key not in settings} for name, table in tables.items()}
    return {**recipe, SETTINGS: kept}


def plan_of(recipe: Mapping[str, Any], where: str) -> tuple[tuple[PhaseOf, ...], dict[str, dict[str, Any]]]:
    """The phases of a recipe, and phase → its settings.

    InputError: an unknown schedule, settings of an unknown phase, or such as all phases share.
    """
    name = recipe[SCHEDULE]
    if not isinstance(name, str) or name not in SCHEDULES:
        raise unknown_name("schedule", str(name), SCHEDULES)
    of_all, tables = {}, _tables(recipe, where)
    for key, value in recipe.items():
        if key.startswith(f"{SETTINGS}."):
            _, phase, *setting = key.split(".", 2)
            if not setting or not setting[0]:
                raise InputError(f"{key} names no setting", "--set", f"write for example {key}.epochs=3")
            tables[phase] = {**tables.get(phase, {}), setting[0]: value}
        elif key not in (SCHEDULE, SETTINGS, ANSWER):
            of_all[key] = value
    for phase in tables:
        if phase not in NAMES:
            raise unknown_name("phase", phase, NAMES)
    plan, settings = SCHEDULES[name], dict[str, dict[str, Any]]()
    for phase in plan:
        # A phase that reads the long answer has no auxiliary loss (section 4.2).
        free = {"view": FREE, "auxiliary": 0.0} if phase.free else {}
        own, of_phase = tables.get(phase.name, {}), f"{where}, phase {phase.name}"
        settings[phase.name] = {**of_all, **own, **free}
        selecting_measure(configured(settings[phase.name], of_phase)[1], of_phase)
        if unlike := [key for key in own if key not in MAY_DIFFER and own[key] != of_all.get(key)]:
            what = f"{', '.join(unlike)} must be the same in all phases"
            raise InputError(what, of_phase, "set it for the whole recipe")
    return plan, settings


def answer_of(recipe: Mapping[str, Any]) -> str:
    """How the bootstrapped model answers: HIGHEST or OVER_SHARE."""
    answer = recipe.get(ANSWER, HIGHEST)
    if answer not in (HIGHEST, OVER_SHARE):
        raise unknown_name(f"value of {ANSWER}", str(answer), (HIGHEST, OVER_SHARE))
    return answer


def _tables(recipe: Mapping[str, Any], where: str) -> dict[str, dict[str, Any]]:
    """phase → its settings."""
    try:
        return msgspec.convert(recipe.get(SETTINGS, {}), dict[str, dict[str, Any]])
    except msgspec.ValidationError as fault:
        what = f"{SETTINGS} is no table of settings for each phase ({fault})"
        raise InputError(what, where, f"write for example [{SETTINGS}.final]") from fault
