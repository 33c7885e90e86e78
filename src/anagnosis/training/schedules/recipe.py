"""Recipes with a schedule: their phases, and the settings of each phase.

    phases = "multi-phase"
    [phase.final]
    rate = 1e-5

The recipe's settings hold for all phases. `[phase.NAME]` overrides them for one phase, `--set KEY=…` overrides both
for all phases, and `--set phase.NAME.KEY=…` overrides everything else for one phase.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from anagnosis.datasets.kinds.decision import FREE
from anagnosis.datasets.pubmedqa.pseudo_labels import HIGHEST, OVER_SHARE
from anagnosis.errors import InputError, unknown_name
from anagnosis.recipes import load as recipes
from anagnosis.training.loop.dev_measure import selecting_measure
from anagnosis.training.phases import NAMES, SCHEDULES, PhaseOf
from anagnosis.training.runs.run import configured

# Keys of a recipe: the schedule, the settings of a phase, and how answers become pseudo-labels.
SCHEDULE, SETTINGS, ANSWER = "phases", "phase", "pseudo_answer"
# Settings in which a phase may differ from the one whose weights it begins with.
MAY_DIFFER = frozenset(
    [
        *("view", "seed", "batch", "tokens", "optimizer", "rate", "decay", "schedule", "warmup", "clip"),
        *("epochs", "stop", "patience", "evaluate_every", "precision", "auxiliary", "dropout"),
        "attention_dropout",
    ]
)


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

    InputError: an unknown schedule, settings of an unknown phase, or a phase that cannot begin with another's weights.
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
        settings[phase.name] = {**of_all, **tables.get(phase.name, {}), **free}
        of_phase = f"{where}, phase {phase.name}"
        selecting_measure(configured(settings[phase.name], of_phase)[1], of_phase)
    _refuse_unlike(plan, settings, where)
    return plan, settings


def answer_of(recipe: Mapping[str, Any]) -> str:
    """How the bootstrapped model answers: HIGHEST or OVER_SHARE."""
    answer = recipe.get(ANSWER, HIGHEST)
    if answer not in (HIGHEST, OVER_SHARE):
        raise unknown_name(f"value of {ANSWER}", str(answer), (HIGHEST, OVER_SHARE))
    return answer


def _refuse_unlike(plan: Sequence[PhaseOf], settings: Mapping[str, Mapping[str, Any]], where: str) -> None:
    """InputError, before any training: a phase could not load the weights that it is to begin with."""
    values = {
        name: recipes.spelled_out({"reader": str(own["reader"])}, configured(own, where)[1])
        for name, own in settings.items()
    }
    for phase in plan:
        if phase.begins:
            current, earlier = values[phase.name], values[phase.begins]
            unlike = [key for key in current if key not in MAY_DIFFER and current[key] != earlier.get(key)]
            unlike += ["auxiliary"] * (bool(current.get("auxiliary")) != bool(earlier.get("auxiliary")))
            if unlike:
                what = f"the phase {phase.name} cannot begin with the weights of {phase.begins}"
                what += f": {', '.join(unlike)} differ"
                raise InputError(what, where, "give both the same; auxiliary to both or to neither")


def _tables(recipe: Mapping[str, Any], where: str) -> dict[str, dict[str, Any]]:
    """phase → its settings."""
    try:
        return msgspec.convert(recipe.get(SETTINGS, {}), dict[str, dict[str, Any]])
    except msgspec.ValidationError as fault:
        what = f"{SETTINGS} is no table of settings for each phase ({fault})"
        raise InputError(what, where, f"write for example [{SETTINGS}.final]") from fault
