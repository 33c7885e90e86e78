"""`anagnosis ask`: the sentences of a collection that answer a question."""

from __future__ import annotations

from typing import Any

import click

from anagnosis.cli import options


@click.command(
    epilog='\b\nExample:\n  anagnosis ask built/index "Which gene is mutated in Huntington\'s disease?"\n'
    '  anagnosis ask built/index "Do statins prevent stroke?" --readers readers'
)
@click.argument("folder", metavar="INDEX_FOLDER")
@click.argument("question")
@options.filtering
@click.option(
    "--limit", type=click.IntRange(1, 100), default=5, show_default=True, help="How many sentences."
)
@options.answering
@options.RANKING
@options.OUT
@options.JSON
def ask(
    folder: str,
    question: str,
    limit: int,
    readers: str | None,
    encoder: str | None,
    device: str,
    threads: int | None,
    ranking: str | None,
    out: str | None,
    as_json: bool,
    **filters: Any,
) -> None:
    """The sentences of a collection that answer a question, each with the paper it stands in.

    Without --readers sentences are scored untrained, and that is all. Trained readers score them better, say yes, no or
    maybe with what each paper says, and give names and lists.
    """
    from anagnosis import api

    options.refuse_both(as_json, out)
    asked: dict[str, Any] = {
        "limit": limit,
        "filters": api.filters(**filters),
        "ranking": ranking,
        "readers": readers,
        "encoder": encoder,
        "device": device,
        "threads": threads,
    }
    if as_json:
        options.print_json(api.ask_answer(folder, question, **asked))
    else:
        options.give(api.ask_report(folder, question, **asked), out, as_json=False)
