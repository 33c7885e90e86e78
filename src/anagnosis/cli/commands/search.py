"""`anagnosis search`: the passages that fit a question."""

from __future__ import annotations

from typing import Any

import click

from anagnosis.cli import options
from anagnosis.cli.numbers import WholeNumber


@click.command(
    epilog="\b\nExample:\n"
    '  anagnosis search built/index "pregnant women and COVID-19" --section results --since 2020-03\n'
    "  anagnosis search built/index BRCA1 --limit 3 --out found.html"
)
@click.argument("folder", metavar="INDEX_FOLDER")
@click.argument("question")
@options.filtering
@click.option("--limit", type=WholeNumber(1, 1000), default=10, show_default=True, help="Number of passages.")
@options.RANKING
@options.ENCODER
@options.OUT
@options.REPLACE
@options.JSON
def search(
    folder: str,
    question: str,
    limit: int,
    ranking: str | None,
    encoder: str | None,
    out: str | None,
    replace: bool,
    as_json: bool,
    **filters: Any,
) -> None:
    """The passages that fit a question best, with their best sentences highlighted."""
    from anagnosis import api

    target = options.output_file(out, replace=replace)

    options.refuse_both(as_json, out)
    asked: dict[str, Any] = {
        "limit": limit,
        "filters": api.filters(**filters),
        "ranking": ranking,
        "encoder": encoder,
    }
    options.give(api.search(folder, question, **asked), target, as_json=as_json)
