"""Recipes with a schedule: which phases they ask for, and each phase's own settings.

    phases = "multi-phase"
    [phase.final]
    rate = 1e-5

Settings of all phases are the recipe's; `[phase.NAME]` differs from them, `--set KEY=…` holds for all phases, and
`--set phase.NAME.KEY=…` comes last.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from anagnosis.datasets.kinds.decision import FREE
from anagnosis.datasets.pubmedqa.pseudo_labels import HIGHEST, OVER_SHARE
from anagnosis.errors import InputError, unknown_name
from anagnosis.recipes import load as recipes
from anagnosis.training.loop.dev_measure import selecting_measure
from anagnosis.training.phases import NAMES, SCHEDULES, PhaseOf
from anagnosis.training.runs.run import configured

# Of a recipe: the schedule, what differs in a phase, and how answers become pseudo-labels.
SCHEDULE, SETTINGS, ANSWER = "phases", "phase", "pseudo_answer"
# In what a phase may differ from the one whose weights it begins with.
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
    """The recipe, whose tables of single phases do not hold against what the user has set for all."""
    tables = _tables(recipe, where)
    kept = {name: {key: table[key] for key in table if key not in settings} for name, table in tables.items()}
    return {**recipe, SETTINGS: kept}


def schedule_of(recipe: Mapping[str, Any], where: str) -> tuple[PhaseOf, ...]:
    """The phases that a recipe asks for; settings of a phase that no schedule has are refused."""
    name = recipe[SCHEDULE]
    if not isinstance(name, str) or name not in SCHEDULES:
        raise unknown_name("schedule", str(name), SCHEDULES)
    for phase in _tables(recipe, where):
        if phase not in NAMES:
            raise unknown_name("phase", phase, NAMES)
    for key in _of_one_phase(recipe):
        phase, dot, setting = key.removeprefix(f"{SETTINGS}.").partition(".")
        if phase not in NAMES:
            raise unknown_name("phase", phase, NAMES)
        if not dot or not setting:
            raise InputError(f"{key} says nothing", "--set", f"write for example {SETTINGS}.{phase}.epochs=3")
    return SCHEDULES[name]


def settings_of(recipe: Mapping[str, Any], phase: PhaseOf, where: str) -> dict[str, Any]:
    """The recipe of one phase: the schedule's, with what differs in this phase; checked.

    A phase that reads the long answer has no auxiliary loss (section 4.2).
    """
    apart = {SCHEDULE, SETTINGS, ANSWER, *_of_one_phase(recipe)}
    prefix = f"{SETTINGS}.{phase.name}."
    found = {key: value for key, value in recipe.items() if key not in apart}
    found |= _tables(recipe, where).get(phase.name, {})
    found |= {key.removeprefix(prefix): value for key, value in recipe.items() if key.startswith(prefix)}
    if phase.free:
        found |= {"view": FREE, "auxiliary": 0.0}
    of_phase = f"{where}, phase {phase.name}"
    selecting_measure(configured(found, of_phase)[1], of_phase)
    return found


def answer_of(recipe: Mapping[str, Any]) -> str:
    """What the bootstrapped model's answer is: HIGHEST or OVER_SHARE."""
    answer = recipe.get(ANSWER, HIGHEST)
    if answer not in (HIGHEST, OVER_SHARE):
        raise unknown_name(f"value of {ANSWER}", str(answer), (HIGHEST, OVER_SHARE))
    return answer


def refuse_unlike(plan: Sequence[PhaseOf], settings: Mapping[str, Mapping[str, Any]], where: str) -> None:
    """A phase that could not take over the weights it is to begin with is refused before anything is trained."""
    for phase in plan:
        if not phase.begins:
            continue
        own, other = settings[phase.name], settings[phase.begins]
        values = [
            recipes.spelled_out({"reader": str(s["reader"])}, configured(s, where)[1]) for s in (own, other)
        ]
        unlike = [key for key in values[0] if key not in MAY_DIFFER and values[0][key] != values[1].get(key)]
        if bool(own.get("auxiliary")) != bool(other.get("auxiliary")):
            unlike.append("auxiliary")
        if unlike:
            raise InputError(
                f"the phase {phase.name} cannot begin with the weights of {phase.begins}: {', '.join(unlike)} differ",
                where,
                "give both the same; auxiliary to both or to neither",
            )


def _of_one_phase(recipe: Mapping[str, Any]) -> list[str]:
    return [key for key in recipe if key.startswith(f"{SETTINGS}.")]


def _tables(recipe: Mapping[str, Any], where: str) -> dict[str, Mapping[str, Any]]:
    """phase → its settings."""
    found = _table(SETTINGS, recipe.get(SETTINGS, {}), where)
    return {name: _table(f"{SETTINGS}.{name}", table, where) for name, table in found.items()}


def _table(name: str, given: object, where: str) -> Mapping[str, Any]:
    if not isinstance(given, Mapping):
        raise InputError(f"{name} is no table of settings", where, f"write for example [{SETTINGS}.final]")
    return cast("Mapping[str, Any]", given)
