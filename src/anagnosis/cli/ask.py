"""`anagnosis ask`: the sentences of a collection that answer a question."""

from __future__ import annotations

from typing import Any

import click

from anagnosis.cli import options


@click.command(
    epilog='\b\nExample:\n  anagnosis ask built/index "Which gene is mutated in Huntington\'s disease?"'
)
@click.argument("folder", metavar="INDEX_FOLDER")
@click.argument("question")
@options.filtering
@click.option(
    "--limit", type=click.IntRange(1, 100), default=5, show_default=True, help="How many sentences."
)
@options.OUT
@options.JSON
def ask(folder: str, question: str, limit: int, out: str | None, as_json: bool, **filters: Any) -> None:
    """The sentences of a collection that answer a question, each with the paper it stands in.

    Sentences are scored without training, and exact answers (yes, a name, a list) are not given yet.
    """
    from anagnosis import api

    chosen = api.filters(**filters)
    if as_json:
        options.print_json(api.ask(folder, question, limit=limit, filters=chosen))
        return
    options.give(api.ask_report(folder, question, limit=limit, filters=chosen), out, as_json=False)
