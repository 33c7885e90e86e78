"""Commands that list what there is: formats, datasets, measures, recipes and readers."""

from __future__ import annotations

import click

from anagnosis import api
from anagnosis.cli import output_options
from anagnosis.cli.output_options import JSON, QUIET


def _command(name: str, text: str, *tables: str, example: str = "") -> click.Command:
    """A command that lists tables; `recipes` also prints one entry."""

    def run(as_json: bool, name: str | None = None) -> None:
        if name is not None and not as_json:
            print(api.recipe_text(name), end="")
            return
        rows = {key: what for table in tables for key, what in api.described(table).items()}
        if as_json:
            output_options.print_json(rows if name is None else api.recipe(name))
            return
        width = max(map(len, rows), default=0)
        for key, what in rows.items():
            print(f"{key.ljust(width)}  {what}".rstrip())

    params = [click.Argument(["name"], required=False)] if name == "recipes" else []
    return click.Command(
        name,
        callback=run,
        params=[*params, JSON, QUIET],
        help=text,
        epilog=f"\b\nExample:\n  anagnosis {name}{example}",
    )


formats = _command("formats", "List the formats of documents that can be read.", "formats")
datasets = _command("datasets", "List the datasets.", "datasets")
readers = _command("readers", "List the readers.", "readers")
recipes = _command(
    "recipes",
    "List the recipes that come with anagnosis, or print one of them.",
    "recipes",
    example="\n  anagnosis recipes biomrc",
)
measures = _command(
    "measures",
    """List the measures, each with what it judges.

    `score`, `compare`, `report`, `train` and `tune` take the measures of a dataset's kind (cloze, decision, question,
    evidence); `evaluate-search` those of a search's ranking, with @K or without.
    """,
    "measures",
    "retrieval_measures",
)
