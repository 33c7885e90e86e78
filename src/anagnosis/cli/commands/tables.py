"""`anagnosis formats`, `datasets`, `measures` and `recipes`: what there is, by name."""

from __future__ import annotations

import click

from anagnosis.cli import output_options


def listed(rows: dict[str, str], *, as_json: bool) -> None:
    """Print names with their descriptions."""
    if as_json:
        output_options.print_json(rows)
        return
    width = max(map(len, rows), default=0)
    for name, what in rows.items():
        print(f"{name.ljust(width)}  {what}".rstrip())


@click.command(epilog="\b\nExample:\n  anagnosis formats")
@output_options.JSON
def formats(as_json: bool) -> None:
    """List the formats of documents that can be read."""
    from anagnosis import api

    listed(api.described("formats"), as_json=as_json)


@click.command(epilog="\b\nExample:\n  anagnosis datasets")
@output_options.JSON
def datasets(as_json: bool) -> None:
    """List the datasets."""
    from anagnosis import api

    listed(api.described("datasets"), as_json=as_json)


@click.command(epilog="\b\nExample:\n  anagnosis measures")
@output_options.JSON
def measures(as_json: bool) -> None:
    """List the measures, each with what it judges.

    `score`, `compare`, `report`, `train` and `tune` take the measures of a dataset's kind (cloze, decision, question,
    evidence); `evaluate-search` those of a search's ranking, with @K or without.
    """
    from anagnosis import api

    listed(api.described("measures") | api.described("retrieval_measures"), as_json=as_json)


@click.command(epilog="\b\nExample:\n  anagnosis recipes\n  anagnosis recipes biomrc")
@click.argument("name", required=False)
@output_options.JSON
def recipes(name: str | None, as_json: bool) -> None:
    """List the recipes that come with anagnosis, or print one of them."""
    from anagnosis import api

    if name is None:
        listed(api.described("recipes"), as_json=as_json)
    elif as_json:
        output_options.print_json(api.recipe(name))
    else:
        print(api.recipe_text(name), end="")
