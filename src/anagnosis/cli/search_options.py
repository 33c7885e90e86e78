"""Options of the commands that search or ask a collection.

A command names the options that it uses itself. `how` has the others, for the verb's arguments of the same names.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any, TypeVar

import click
from click.core import ParameterSource

from anagnosis.cli.numbers import WholeNumber

F = TypeVar("F", bound=Callable[..., Any])
RANKING = click.option(
    "--ranking",
    metavar="NAME",
    help="lexical, dense, hybrid or reranked (default: hybrid where an index has vectors, else lexical).",
)
SORT = click.option(
    "--sort",
    type=click.Choice(["score", "date"]),
    default="score",
    show_default=True,
    help="By date: the latest papers with all words of the question.",
)
ENCODER = click.option(
    "--encoder",
    metavar="NAME|FOLDER",
    help="The encoder of an index's vectors, if it was moved.",
)


def filtering(function: F) -> F:
    """`--section`, `--since`, `--until`, `--journal` and `--type`: which passages of an index count."""
    for option in (
        click.option(
            "--type",
            "types",
            multiple=True,
            metavar="NAME",
            help="A type of publication, as the papers' records name it. Repeatable.",
        ),
        click.option(
            "--journal",
            "journals",
            multiple=True,
            metavar="NAME",
            help="The journal's whole name. Repeatable.",
        ),
        click.option(
            "--until",
            default="",
            metavar="DATE",
            help="Published on or before this date: 2020, 2020-03 or 2020-03-11.",
        ),
        click.option("--since", default="", metavar="DATE", help="Published on or after this date."),
        click.option(
            "--section",
            "sections",
            multiple=True,
            metavar="NAME",
            help="abstract, background, methods, results, conclusion, figure, … Repeatable.",
        ),
    ):
        function = option(function)
    return function


def expanding(function: F) -> F:
    """`--no-synonyms` and `--without`: which names join a question's words."""
    for option in (
        click.option(
            "--without",
            multiple=True,
            metavar="NAME",
            help="Do not search for this name too; or leave these words of the question alone. Repeatable.",
        ),
        click.option(
            "--no-synonyms",
            is_flag=True,
            help="Search for the question's words alone, without other spellings and names.",
        ),
    ):
        function = option(function)
    return function


def answering(function: F) -> F:
    """`--readers`, `--encoder`, `--device`, `--threads`: what a collection is asked with."""
    for option in (
        click.option(
            "--threads",
            type=WholeNumber(1),
            help="Number of processor threads for readers (default: one per core).",
        ),
        click.option(
            "--device",
            default="auto",
            show_default=True,
            help="Where readers compute: cpu, cuda, cuda:N or mps.",
        ),
        ENCODER,
        click.option(
            "--readers",
            metavar="FOLDER",
            help="Trained readers: evidence/, stance/, names/ and question-type/ in it, or one of these folders.",
        ),
    ):
        function = option(function)
    return function


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


class QueryCommand(click.Command):
    """A command whose query is what begins with one minus sign and two characters; -q and -h are options."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the query behind "--", where it is no option."""
        at = self._query(args)
        if at >= 0:
            args = [*args[:at], *args[at + 1 :], "--", args[at]]
        return super().parse_args(ctx, args)

    def _query(self, args: list[str]) -> int:
        """The place of a query that begins with a minus sign; -1 for none."""
        if "--" in args:
            return -1
        flags = {name for each in self.params if getattr(each, "is_flag", False) for name in each.opts}
        for at, arg in enumerate(args):
            value_of_option = at > 0 and args[at - 1].startswith("--") and args[at - 1] not in flags
            is_value = value_of_option and "=" not in args[at - 1]
            if len(arg) > 2 and arg[0] == "-" and (arg[1].isalpha() or arg[1] in '"\u201c(') and not is_value:
                return at
        return -1
