"""`anagnosis ask`: the sentences of a collection that fit a question best."""

from __future__ import annotations

from typing import Any

import click

from anagnosis.cli import output_options, search_options
from anagnosis.cli.numbers import WholeNumber
from anagnosis.cli.search_options import QueryCommand


@click.command(
    cls=QueryCommand,
    epilog='\b\nExample:\n  anagnosis ask built/index "Does cold brew coffee raise gastric pH less than espresso?"\n'
    '  anagnosis ask built/index "Do statins prevent stroke?" --readers readers',
)
@click.argument("folder", metavar="INDEX_FOLDER")
@click.argument("question")
@search_options.filtering
@click.option("--limit", type=WholeNumber(1, 100), default=5, show_default=True, help="Number of sentences.")
@search_options.answering
@search_options.RANKING
@output_options.OUT
@output_options.REPLACE
@output_options.JSON
@search_options.expanding
def ask(
    folder: str,
    question: str,
    limit: int,
    readers: str | None,
    encoder: str | None,
    device: str,
    threads: int | None,
    ranking: str | None,
    no_synonyms: bool,
    without: tuple[str, ...],
    out: str | None,
    replace: bool,
    as_json: bool,
    **filters: Any,
) -> None:
    """The sentences of a collection that fit a question best, each with its paper.

    A yes/no question also gets what each paper about it concludes. Trained readers (--readers) add whether a conclusion
    supports or opposes, and names with their sentences, and order the sentences: each where it was right often enough
    on held-out questions (`anagnosis readers show`).
    A question may have the signs of `anagnosis search`.
    """
    from anagnosis import api

    target = output_options.output_file(out, replace=replace)

    output_options.refuse_both(as_json, out)
    asked: dict[str, Any] = {
        "limit": limit,
        "filters": api.filters(**filters),
        "ranking": ranking,
        "no_synonyms": no_synonyms,
        "without": without,
        "readers": readers,
        "encoder": encoder,
        "device": device,
        "threads": threads,
    }
    output_options.give(api.ask(folder, question, **asked), target, as_json=as_json)
