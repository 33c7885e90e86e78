"""`anagnosis search`: the passages that fit a question."""

from __future__ import annotations

from typing import Any

import click

from anagnosis.cli import output_options, search_options
from anagnosis.cli.numbers import WholeNumber
from anagnosis.cli.search_options import QueryCommand, refuse_unused

_OF_LIKE = ("folder", "question", "like", "limit", "out", "replace", "as_json")


@click.command(
    cls=QueryCommand,
    epilog="\b\nExample:\n"
    '  anagnosis search built/index "pregnant women and COVID-19" --section results --since 2020-03\n'
    "  anagnosis search built/index BRCA1 --limit 3 --out found.html\n"
    """  anagnosis search built/index '"cold brew" coffee[ti] -tea 2015:2025[dp]'\n"""
    "  anagnosis search built/index --like 99000027",
)
@click.argument("folder", metavar="INDEX_FOLDER")
@click.argument("question", required=False)
@search_options.filtering
@click.option("--limit", type=WholeNumber(1, 1000), default=10, show_default=True, help="Number of papers.")
@search_options.RANKING
@search_options.ENCODER
@output_options.OUT
@output_options.REPLACE
@output_options.JSON
@search_options.SORT
@click.option("--facets", is_flag=True, help="Count the papers of each year, journal, type and section.")
@click.option("--like", metavar="ID", help="The papers related to this one, instead of a question's.")
@search_options.expanding
@click.option(
    "--by",
    type=click.Choice(["paper", "passage"]),
    default="paper",
    show_default=True,
    help="List each paper once, by its best passage; or all passages.",
)
def search(
    folder: str,
    question: str | None,
    like: str | None,
    limit: int,
    by: str,
    ranking: str | None,
    no_synonyms: bool,
    without: tuple[str, ...],
    encoder: str | None,
    out: str | None,
    replace: bool,
    as_json: bool,
    sort: str,
    facets: bool,
    **filters: Any,
) -> None:
    """The passages that fit a question best, with their best sentences highlighted.

    A question may have PubMed's and Google's signs: "a phrase", -word, word*, AND, OR, NOT, parentheses, and fields:
    [ti] [ab] [au] [ta] [dp] [pt] [mh]. A DOI, a PMID or a PMC number goes to its paper.
    """
    from anagnosis import api

    target = output_options.output_file(out, replace=replace)

    output_options.refuse_both(as_json, out)
    if (question is not None) == (like is not None):
        raise click.UsageError("give a question, or a paper with --like")
    if like is not None:
        refuse_unused("--like", _OF_LIKE)
        output_options.give(api.related(folder, like, limit=limit), target, as_json=as_json)
        return
    asked: dict[str, Any] = {
        "limit": limit,
        "by": by,
        "filters": api.filters(**filters),
        "ranking": ranking,
        "no_synonyms": no_synonyms,
        "without": without,
        "encoder": encoder,
        "sort": sort,
        "facets": facets,
    }
    output_options.give(api.search(folder, question or "", **asked), target, as_json=as_json)
