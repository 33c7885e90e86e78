"""`anagnosis evaluate-search`: what rankings of documents are worth."""

from __future__ import annotations

from typing import Any

import click

from anagnosis.cli import output_options, scoring_options, search_options
from anagnosis.cli.numbers import WholeNumber


@click.command(
    "evaluate-search",
    epilog="\b\nExample:\n  anagnosis evaluate-search built/index --topics t.tsv --judgements qrels.txt\n"
    "  anagnosis evaluate-search built/index bm25s=other.run --topics t.tsv --judgements qrels.txt --runs runs\n"
    "  anagnosis evaluate-search a.run b.run --judgements qrels.txt --measure ndcg@10 --measure recall@1000",
)
@click.argument("systems", nargs=-1, required=True, metavar="INDEX_FOLDER|RUN_FILE...")
@click.option("--judgements", metavar="FILE", required=True, help="TREC's qrels, or BEIR's with its header.")
@click.option(
    "--topics", metavar="FILE", help="Queries for an index: ID<tab>QUERY, BEIR's queries.jsonl, TREC's XML."
)
@click.option("--field", metavar="NAME", help="The part of a topic to ask (default: text; in XML, query).")
@click.option(
    "--measure",
    "measures",
    multiple=True,
    metavar="NAME[@K]",
    help="ndcg, ndcg_exp, map, recall, precision, reciprocal_rank, judged; repeatable "
    "(default: ndcg@10 map reciprocal_rank@10 recall@100 judged@10).",
)
@click.option(
    "--depth",
    type=WholeNumber(1),
    default=1000,
    show_default=True,
    help="Number of documents to request from an index.",
)
@click.option(
    "--ties",
    type=click.Choice(["trec", "rank"]),
    default="trec",
    show_default=True,
    help="Order of equal scores: the greater id first, as trec_eval, or as ranked.",
)
@click.option(
    "--ranking",
    "rankings",
    multiple=True,
    metavar="NAME",
    help="How an index ranks: lexical, dense, hybrid, reranked. Repeat to compare several.",
)
@click.option("--runs", type=click.Path(), metavar="FOLDER", help="Write a run file of each index.")
@scoring_options.draws
@output_options.OUT
@output_options.REPLACE
@output_options.JSON
@search_options.expanding
def evaluate_search(
    systems: tuple[str, ...],
    measures: tuple[str, ...],
    out: str | None,
    replace: bool,
    as_json: bool,
    **how: Any,
) -> None:
    """Score rankings against judgements: means over queries with 95 % intervals, and paired tests.

    The command asks an index each topic, and reads run files in TREC's form; NAME=PATH names either. Each system is
    tested against the best and the next one, by query, with Holm's correction for all pairs.

    Queries without judgements or results, and relevant documents in no result, are counted by name. --json has the
    values of every query.
    """
    from anagnosis import api

    target = output_options.output_file(out, replace=replace)

    found = api.evaluate_search(systems, measures=measures or None, replace=replace, **how)
    output_options.give(found, target, as_json=as_json)
