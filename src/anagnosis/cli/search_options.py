"""Options of the commands that search or ask a collection.

A command names the options that it uses itself. `how` has the others, for the verb's arguments of the same names.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

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
