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

from anagnosis import readers
from anagnosis.datasets.kinds.decision import FREE
from anagnosis.datasets.pubmedqa.pseudo_labels import HIGHEST, OVER_SHARE
from anagnosis.errors import InputError, unknown_name
from anagnosis.readers.learning import AnswerSettings
from anagnosis.recipes import load as recipes
from anagnosis.training.loop.dev_measure import selecting_measure
from anagnosis.training.phases import FURTHER_FIRST, NAMES, SCHEDULES, PhaseOf
from anagnosis.training.runs.run import configured
from anagnosis.wording import reworded

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


def with_further_data(recipe: Mapping[str, Any]) -> dict[str, Any]:
    """The recipe for training with further datasets: one of a reader of exact answers gets the schedule for them."""
    config = getattr(readers.find(str(recipe["reader"])), "Config", object)
    if not phased(recipe) and issubclass(config, AnswerSettings):
        return {**recipe, SCHEDULE: FURTHER_FIRST}
    return dict(recipe)


def settings_of(recipe: Mapping[str, Any], phase: PhaseOf, where: str) -> dict[str, Any]:
    """The checked recipe of one phase: the schedule's settings, overridden by this phase's.

    A phase that reads the long answer has no auxiliary loss (section 4.2).
    """
    prefix = f"{SETTINGS}."
    apart = {SCHEDULE, SETTINGS, ANSWER}
    settings = {
        key: value for key, value in recipe.items() if key not in apart and not key.startswith(prefix)
    }
    settings |= _tables(recipe, where).get(phase.name, {})
    prefix += f"{phase.name}."
    settings |= {key.removeprefix(prefix): value for key, value in recipe.items() if key.startswith(prefix)}
    if phase.free:
        settings |= {"view": FREE, "auxiliary": 0.0}
    of_phase = f"{where}, phase {phase.name}"
    selecting_measure(configured(settings, of_phase)[1], of_phase)
    return settings


def plan_of(recipe: Mapping[str, Any], where: str) -> tuple[tuple[PhaseOf, ...], dict[str, dict[str, Any]]]:
    """The phases of a recipe, and phase → its settings.

    InputError: an unknown schedule, settings of an unknown phase, or a phase that cannot begin with another's weights.
    """
    name = recipe[SCHEDULE]
    if not isinstance(name, str) or name not in SCHEDULES:
        raise unknown_name("schedule", str(name), SCHEDULES)
    single = [key for key in recipe if key.startswith(f"{SETTINGS}.")]
    for phase in (*_tables(recipe, where), *(key.split(".")[1] for key in single)):
        if phase not in NAMES:
            raise unknown_name("phase", phase, NAMES)
    for key in single:
        if key.count(".") < 2 or key.endswith("."):
            remedy = f"write for example {SETTINGS}.final.epochs=3"
            raise InputError(f"{key} names no setting", "--set", remedy)
    plan = SCHEDULES[name]
    settings = {phase.name: settings_of(recipe, phase, where) for phase in plan}
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
        if not phase.begins:
            continue
        current, earlier = values[phase.name], values[phase.begins]
        unlike = [key for key in current if key not in MAY_DIFFER and current[key] != earlier.get(key)]
        if bool(current.get("auxiliary")) != bool(earlier.get("auxiliary")):
            unlike.append("auxiliary")
        if unlike:
            raise InputError(
                f"the phase {phase.name} cannot begin with the weights of {phase.begins}: {', '.join(unlike)} differ",
                where,
                "give both the same; auxiliary to both or to neither",
            )


def _tables(recipe: Mapping[str, Any], where: str) -> dict[str, dict[str, Any]]:
    """phase → its settings."""
    try:
        return msgspec.convert(recipe.get(SETTINGS, {}), dict[str, dict[str, Any]])
    except msgspec.ValidationError as fault:
        what = f"{SETTINGS} is no table of settings for each phase ({reworded(fault)})"
        raise InputError(what, where, f"write for example [{SETTINGS}.final]") from fault
