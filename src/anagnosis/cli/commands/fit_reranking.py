"""`anagnosis fit-reranking`: teach an index to put its best passages into a better order."""

from __future__ import annotations

from typing import Any

import click

from anagnosis.cli import output_options, scoring_options


@click.command(
    "fit-reranking",
    epilog="\b\nExample:\n"
    "  anagnosis fit-reranking built/index --topics train.jsonl --judgements train.tsv\n"
    "  anagnosis evaluate-search built/index --topics test.jsonl --judgements test.tsv \\\n"
    "    --ranking hybrid --ranking reranked\n"
    '  anagnosis search built/index "pregnant women and COVID-19" --ranking reranked',
)
@click.argument("folder", metavar="INDEX_FOLDER")
@click.option("--topics", metavar="FILE", required=True, help="Questions, as evaluate-search takes them.")
@click.option("--judgements", metavar="FILE", required=True, help="TREC's qrels, or BEIR's with its header.")
@click.option("--field", metavar="NAME", help="The part of a topic to ask (default: text; in XML, query).")
@click.option(
    "--features-only",
    is_flag=True,
    help="Fit the six features alone, without a weight for each dimension of the vectors.",
)
@scoring_options.draws
@output_options.reported
def fit_reranking(folder: str, **how: Any) -> object:
    """Fit the order in which `--ranking reranked` shows the best passages, on questions with judgements.

    The twenty best passages of a question are read sentence by sentence. The weights of their features are kept in
    the index (reranking.json). The gain is measured on questions that the fit did not see. Fit on other questions than
    those you report.
    """
    from anagnosis import api

    return api.fit_reranking(folder, **how)
