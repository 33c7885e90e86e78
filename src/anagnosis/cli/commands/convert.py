"""`anagnosis convert`: documents from one format to another."""

from __future__ import annotations

import contextlib
import sys
from typing import Any

import click

from anagnosis.cli import input_options, messages, output_options


@click.command(
    epilog="\b\nExample:\n  anagnosis convert biored.bioc.xml.gz --out biored.pubtator.gz\n"
    "  anagnosis convert corpus.pubtator --out - | head\n"
    "  anagnosis convert articles.tar.gz --full-text --to jsonl --out articles.jsonl.gz"
)
@click.argument("inputs", nargs=-1, required=True, metavar="FILE|FOLDER|-...")
@click.option(
    "--to",
    default="pubtator",
    show_default=True,
    help="The format to write: pubtator, bioc-xml, bioc-json, medline, nbib or jsonl.",
)
@click.option(
    "--out", required=True, type=click.Path(allow_dash=True), help="The file to write; .gz and .zst compress."
)
@click.option(
    "--full-text", is_flag=True, help="With the bodies of JATS articles, not their front matter alone."
)
@input_options.REFERENCES
@input_options.format_and_encoding
@input_options.ACCEPT_TRUNCATED
@input_options.SPECIALTIES
@output_options.REPLACE
@output_options.JSON
def convert(
    inputs: tuple[str, ...],
    out: str,
    as_json: bool,
    **how: Any,
) -> None:
    """Read documents in any format and write them in another; count repairs and losses."""
    from anagnosis import api
    from anagnosis.wording import counted

    done = api.convert(inputs, out, **how)
    if as_json:
        output_options.print_json(done)
        return
    if messages.quiet():
        return
    with contextlib.redirect_stdout(sys.stderr if out == "-" else sys.stdout):
        print(f"{counted(done.documents, 'document')} written, {done.refused:,} refused")
        messages.places(done.refusals)
        if done.left_out:
            print("left out")
            messages.places(done.left_out)
        messages.counts("repairs and warnings", done.repairs)
        messages.counts("lost, since the format cannot hold it", done.losses)
        if out != "-":
            messages.wrote(out)
