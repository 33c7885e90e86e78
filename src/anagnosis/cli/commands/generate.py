"""`anagnosis generate`: synthetic documents."""

from __future__ import annotations

import click

from anagnosis.cli import messages, output_options
from anagnosis.cli.numbers import WholeNumber


@click.command(
    epilog="\b\nExample:\n  anagnosis generate --documents 1000 --seed 1 --out synthetic.pubtator.gz"
)
@click.option("--documents", type=WholeNumber(1), required=True, help="Number of documents.")
@click.option(
    "--seed", type=WholeNumber(), default=0, show_default=True, help="Equal seeds give equal bytes."
)
@click.option(
    "--out",
    required=True,
    type=click.Path(allow_dash=True),
    help="The PubTator file to write; .gz and .zst compress.",
)
@output_options.REPLACE
def generate(documents: int, seed: int, out: str, replace: bool) -> None:
    """Write synthetic PubTator documents with a pattern that a reader can learn.

    Their words mean nothing. They serve benchmarks and tests; call every figure from them synthetic.
    """
    from anagnosis import api

    api.generate(documents, out, seed=seed, replace=replace)
    if out != "-":
        messages.wrote(
            f"{out} ({documents:,} synthetic documents)",
            f"anagnosis build biomrc {out} --out built/synthetic",
        )
