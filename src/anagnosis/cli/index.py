"""`anagnosis index`: make a collection that can be searched, or take what is new into it."""

from __future__ import annotations

import click

from anagnosis.cli import options


@click.command(
    epilog="\b\nExample:\n  anagnosis index papers/ --out built/index\n"
    "  anagnosis index pubmed26n1400.xml.gz oa_comm.tar.gz --out built/index   # again, with what is new"
)
@click.argument("inputs", nargs=-1, metavar="FILE|FOLDER|-...")
@click.option("--out", required=True, type=click.Path(), help="The folder of the index.")
@click.option("--remove", multiple=True, metavar="ID", help="Take this document out. Can be repeated.")
@options.input_options
@options.JSON
def index(
    inputs: tuple[str, ...],
    out: str,
    remove: tuple[str, ...],
    format: str | None,
    encoding: str | None,
    as_json: bool,
) -> None:
    """Index documents for `search` and `ask`; a folder that is there takes in what is new or has changed.

    Interrupted or killed, it keeps what was committed, and the same line goes on.
    """
    from anagnosis import api

    done = api.index(inputs, out, remove=remove, format=format, encoding=encoding)
    if as_json:
        options.print_json(done)
        return
    print(f"{done.documents:,} documents, {done.passages:,} passages in {out}")
    options.counts("documents read", done.counts)
    if done.refused:
        print(f"{done.refused:,} refused")
        for where, why in done.refusals[: options.SHOWN_PLACES]:
            print(f"  {where}: {why}")
    options.counts("mended or noticed", done.repairs)
