"""Commands that list what there is: formats, datasets, measures, recipes and readers."""

from __future__ import annotations

from collections.abc import Callable

import click

from anagnosis import api
from anagnosis.cli import output_options
from anagnosis.cli.output_options import JSON


def _command(example: str, *params: click.Parameter) -> Callable[[Callable[..., None]], click.Command]:
    def decorate(function: Callable[..., None]) -> click.Command:
        return click.Command(
            function.__name__,
            callback=function,
            params=[*params, JSON],
            help=function.__doc__,
            epilog=f"\b\nExample:\n{example}",
        )

    return decorate


def _list(rows: dict[str, str], *, as_json: bool) -> None:
    """Print names with their descriptions."""
    if as_json:
        output_options.print_json(rows)
        return
    width = max(map(len, rows), default=0)
    for name, what in rows.items():
        print(f"{name.ljust(width)}  {what}".rstrip())


@_command("  anagnosis formats")
def formats(as_json: bool) -> None:
    """List the formats of documents that can be read."""
    _list(api.described("formats"), as_json=as_json)


@_command("  anagnosis datasets")
def datasets(as_json: bool) -> None:
    """List the datasets."""
    _list(api.described("datasets"), as_json=as_json)


@_command("  anagnosis measures")
def measures(as_json: bool) -> None:
    """List the measures, each with what it judges.

    `score`, `compare`, `report`, `train` and `tune` take the measures of a dataset's kind (cloze, decision, question,
    evidence); `evaluate-search` those of a search's ranking, with @K or without.
    """
    _list(api.described("measures") | api.described("retrieval_measures"), as_json=as_json)


@_command("  anagnosis recipes\n  anagnosis recipes biomrc", click.Argument(["name"], required=False))
def recipes(name: str | None, as_json: bool) -> None:
    """List the recipes that come with anagnosis, or print one of them."""
    if name is None:
        _list(api.described("recipes"), as_json=as_json)
    elif as_json:
        output_options.print_json(api.recipe(name))
    else:
        print(api.recipe_text(name), end="")


@_command("  anagnosis readers")
def readers(as_json: bool) -> None:
    """List the readers."""
    _list(api.described("readers"), as_json=as_json)
