"""`anagnosis annotate`: documents with the entities of vocabularies, or with those of other programs."""

from __future__ import annotations

import contextlib
import sys
from typing import Any

import click

from anagnosis.cli import input_options, messages, output_options
from anagnosis.cli.numbers import WholeNumber


def _pairs(
    ctx: click.Context, parameter: click.Parameter, pairs: tuple[tuple[str, str], ...]
) -> tuple[tuple[str, str], ...]:
    """The values of --from. UsageError: an option stands where a name or file is wanted."""
    options = {name for each in ctx.command.params for name in (*each.opts, *each.secondary_opts)}
    for pair in pairs:
        for value in pair:
            if value.startswith("-") and value.partition("=")[0] in options:
                raise click.UsageError(f"--from needs a NAME and a FILE, and {value} is an option", ctx)
    return pairs


@click.command(
    epilog="\b\nExample:\n  anagnosis annotate papers/ --full-text --terms mesh.tsv --terms hp.obo"
    " --out papers.jsonl.gz\n"
    "  anagnosis annotate corpus.pubtator --terms desc2025.xml --type disease --out diseases.jsonl\n"
    "  anagnosis annotate notes/ --from metamap metamap.mmi --minimum-score 10 --out notes.jsonl"
)
@click.argument("inputs", nargs=-1, required=True, metavar="FILE|FOLDER|-...")
@click.option(
    "--terms",
    multiple=True,
    type=click.Path(),
    metavar="FILE",
    help="A vocabulary: MeSH XML or ASCII, MRCONSO, MRSTY, OBO, a table with tabs, or what `terms` stored. Repeatable.",
)
@click.option(
    "--from",
    "annotations",
    nargs=2,
    multiple=True,
    metavar="NAME FILE|FOLDER",
    callback=_pairs,
    help="Annotations of another program, with their format: metamap, clamp, ctakes, knowtator, brat, or "
    "another format of papers. Repeatable.",
)
@click.option(
    "--minimum-score", type=float, help="Leave out annotations with a lower score (BioRead: 10 of MetaMap's)."
)
@click.option(
    "--accept-drift",
    is_flag=True,
    help="Leave out and count annotations that do not fit the text, instead of stopping at the first.",
)
@click.option(
    "--type",
    "types",
    multiple=True,
    metavar="NAME",
    help="A semantic type whose terms count (default: all). Repeatable.",
)
@click.option("--without", multiple=True, metavar="RULE", help="A rule that does not apply. Repeatable.")
@click.option(
    "--out",
    required=True,
    type=click.Path(allow_dash=True),
    help="The JSON lines to write; .gz and .zst compress.",
)
@click.option(
    "--full-text", is_flag=True, help="With the bodies of JATS articles, not their front matter alone."
)
@click.option("--workers", type=WholeNumber(1), help="Number of processes (default: one per processor).")
@input_options.REFERENCES
@click.option(
    "--cluster", metavar="ADDRESS", help="A dask scheduler, such as tcp://host:8786, that shares this disk."
)
@input_options.format_and_encoding
@input_options.ACCEPT_TRUNCATED
@input_options.SPECIALTIES
@output_options.REPLACE
@output_options.JSON
def annotate(inputs: tuple[str, ...], out: str, as_json: bool, **how: Any) -> None:
    """Write documents with mentions: names of vocabularies, or what another program annotated."""
    from anagnosis import api
    from anagnosis.wording import counted

    done = api.annotate(inputs, out, **how)
    if as_json:
        output_options.print_json(done)
        return
    if messages.quiet():
        return
    source = ", from a vocabulary of" if how["terms"] else " of"
    with contextlib.redirect_stdout(sys.stderr if out == "-" else sys.stdout):
        print(
            f"{counted(done.documents, 'document')} written, {done.refused:,} refused; "
            f"{counted(done.mentions, 'mention')}{source} {counted(done.concepts, 'concept')}"
        )
        messages.places(done.refusals)
        messages.counts("mentions by type", done.types)
        messages.counts("counted while matching", done.counts)
        if done.origin.score:
            print(f"the minimum score was applied to: {done.origin.score}")
        for stored in done.origin.terms:
            if stored.without:
                print(f"{stored.name} was stored without the rules {', '.join(stored.without)}")
        messages.counts("names left out", done.names_left_out)
        messages.counts("repairs and warnings", done.repairs)
        if out != "-":
            messages.wrote(out)
