"""`anagnosis index`: make a collection that can be searched, or take what is new into it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from anagnosis.cli import input_options, messages, output_options
from anagnosis.cli.unjoined_papers import print_unjoined

if TYPE_CHECKING:
    from anagnosis.api.indexing import Indexed


@click.command(
    epilog="\b\nExample:\n  anagnosis index papers/ --out built/index\n"
    "  anagnosis index pubmed26n1400.xml.gz oa_comm.tar.gz --out built/index   # again, with what is new\n"
    "  anagnosis index papers/ --out built/index --encoder sentence-transformers/all-MiniLM-L6-v2\n"
    "  anagnosis index papers/ --out built/index --terms mesh.tsv"
)
@click.argument("inputs", nargs=-1, metavar="FILE|FOLDER|-...")
@click.option("--out", required=True, type=click.Path(), help="The folder of the index.")
@click.option(
    "--remove",
    multiple=True,
    metavar="ID",
    help="Remove the records of this id, or FORMAT:ID the record of one format. Repeatable.",
)
@click.option(
    "--encoder",
    metavar="NAME|FOLDER",
    help="Also encode all passages with this sentence encoder; the index keeps it for later documents.",
)
@click.option(
    "--no-encoder",
    is_flag=True,
    help="Forget the encoder, and drop its vectors and what was fitted on them.",
)
@click.option(
    "--terms",
    multiple=True,
    type=click.Path(),
    metavar="FILE",
    help="A vocabulary, as of `annotate`: a search for one of its names finds the others. Repeatable.",
)
@click.option("--no-terms", is_flag=True, help="Drop the vocabulary.")
@click.option(
    "--device",
    default="auto",
    metavar="NAME",
    help="Where the encoder computes: auto (the default), cpu, cuda, cuda:N or mps.",
)
@click.option(
    "--engine",
    metavar="NAME",
    help="The search engine of a new index (default: embedded).",
)
@click.option("--engine-settings", type=click.Path(), help="A settings file for the engine, if it needs one.")
@input_options.format_and_encoding
@input_options.ACCEPT_TRUNCATED
@output_options.JSON
def index(
    inputs: tuple[str, ...],
    out: str,
    as_json: bool,
    **how: Any,
) -> None:
    """Index documents for `search` and `ask`, or add new and changed ones to an existing index.

    After an interrupt or kill the index keeps what was committed, and the same command continues. A truncated or
    unreadable input is an error, reported after everything else is indexed.
    """
    from anagnosis import api
    from anagnosis.api.indexing import IncompleteError

    try:
        done = api.index(inputs, out, **how)
    except IncompleteError as fault:
        _print(fault.done, out, as_json=as_json)
        raise
    _print(done, out, as_json=as_json)


def _print(done: Indexed, out: str, *, as_json: bool) -> None:
    if as_json:
        output_options.print_json(done)
        return
    if messages.quiet():
        return
    print(f"{done.documents:,} documents, {done.passages:,} passages in {out}")
    messages.counts("documents read", done.counts)
    if done.refused:
        print(f"{done.refused:,} refused")
    messages.places(done.refusals)
    if done.left_out:
        print("left out")
        messages.places(done.left_out)
    messages.counts("repairs and warnings", done.repairs)
    if done.terms is not None:
        files = ", ".join(f"{name} (SHA-256 {digest[:12]})" for name, digest in done.terms.files)
        print(f"terms: {done.terms.concepts:,} concepts, {done.terms.names:,} names, from {files}")
        messages.counts("names left out, and joined", done.terms.left_out)
    print_unjoined(done.joins_none)
    if done.vectors is not None:
        of = done.vectors
        print(
            f"{of.passages:,} vectors by {of.encoder}: {of.encoded:,} new, {of.dropped:,} documents dropped"
        )
        if of.cut:
            print(f"  of {of.cut:,} passages only the beginning was read")
