"""`anagnosis export-results`: references of papers for reference managers and tables."""

from __future__ import annotations

from typing import Any

import click

from anagnosis.cli import messages, output_options, search_options
from anagnosis.cli.numbers import WholeNumber
from anagnosis.cli.search_options import QueryCommand, refuse_unused

_OF_ID = ("folder", "question", "to", "ids", "out", "replace")


@click.command(
    cls=QueryCommand,
    epilog="\b\nExample:\n"
    '  anagnosis export-results built/index "pregnant women and COVID-19" --to ris --out papers.ris\n'
    "  anagnosis export-results built/index --id 99000027 --to bibtex",
)
@click.argument("folder", metavar="INDEX_FOLDER")
@click.argument("question", required=False, default="")
@click.option("--to", required=True, metavar="FORMAT", help="The format to write: ris, bibtex, csv or jsonl.")
@click.option("--id", "ids", multiple=True, metavar="ID", help="A paper, instead of a question. Repeatable.")
@search_options.filtering
@search_options.expanding
@click.option(
    "--limit", type=WholeNumber(1, 10_000), default=100, show_default=True, help="Most papers of a question."
)
@search_options.RANKING
@search_options.SORT
@search_options.ENCODER
@click.option(
    "--out",
    default="-",
    type=click.Path(allow_dash=True),
    help="The file to write (default: print); .gz and .zst compress.",
)
@output_options.REPLACE
def export_results(
    folder: str,
    question: str,
    to: str,
    ids: tuple[str, ...],
    limit: int,
    ranking: str | None,
    sort: str,
    no_synonyms: bool,
    without: tuple[str, ...],
    encoder: str | None,
    out: str,
    replace: bool,
    **filters: Any,
) -> None:
    """Write the papers that match a question as RIS, BibTeX, CSV or JSON lines."""
    from anagnosis import api
    from anagnosis.wording import counted

    if ids:
        refuse_unused("--id", _OF_ID)
    number = api.export_results(
        folder,
        question,
        to=to,
        out=out,
        ids=ids,
        limit=limit,
        filters=api.filters(**filters),
        ranking=ranking,
        sort=sort,
        no_synonyms=no_synonyms,
        without=without,
        encoder=encoder,
        replace=replace,
    )
    if out != "-":
        messages.wrote(f"{out}: {counted(number, 'paper')}")
