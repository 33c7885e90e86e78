"""Options that say how a question is searched, given where papers are named instead of a question."""

from __future__ import annotations

from collections.abc import Collection

import click
from click.core import ParameterSource


def refuse_unused(instead: str, obeyed: Collection[str]) -> None:
    """UsageError: an option was given, perhaps with its default, that has no effect.

    instead: the option that names papers. obeyed: the parameters that have an effect beside it.
    """
    context = click.get_current_context()
    given = [
        option.opts[0]
        for option in context.command.params
        if option.name not in obeyed
        and context.get_parameter_source(str(option.name)) is not ParameterSource.DEFAULT
    ]
    if given:
        raise click.UsageError(f"{instead} does not go with {', '.join(given)}")
