"""The words of commands and options: names, types, defaults and what must be given, as click knows them."""

from __future__ import annotations

from typing import Any

import click
from tests.pins.program import commands
from tests.pins.world import World


def found(world: World) -> dict[str, Any]:
    return {
        name or "before a command": [described(each) for each in own.params]
        for name, own in commands().items()
    }


def described(parameter: click.Parameter) -> dict[str, Any]:
    """An option or argument. No help: its words are free to improve."""
    kind = parameter.type
    made: dict[str, Any] = {
        "kind": parameter.param_type_name,
        "names": [*parameter.opts, *parameter.secondary_opts],
        "type": type(kind).__name__,
        "choices": [str(each) for each in kind.choices] if isinstance(kind, click.Choice) else None,
        "bounds": [getattr(kind, "min", None), getattr(kind, "max", None)],
        "metavar": parameter.metavar,
        "required": parameter.required,
        "default": parameter.to_info_dict()["default"],
        "repeated": parameter.multiple or parameter.nargs == -1,
        "flag": getattr(parameter, "is_flag", False),
    }
    assert made["default"] is None or isinstance(made["default"], str | int | float | bool | list | tuple)
    return {key: value for key, value in made.items() if value not in (None, [None, None], False, [], ())}
