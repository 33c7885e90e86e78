"""`anagnosis tagger`: train a part-of-speech tagger on a treebank."""

from __future__ import annotations

import click

from anagnosis.cli import messages, output_options


@click.command(
    epilog="\b\nExample:\n  anagnosis tagger GENIAtrain.pos --out genia.crf\n"
    "  anagnosis build pubmedqa baseline/ --set tagger=crf --set model=genia.crf --out built/pqa"
)
@click.argument("treebank", nargs=-1, required=True, metavar="FILE|FOLDER...")
@click.option("--out", required=True, type=click.Path(), help="The model file to write.")
@output_options.REPLACE
@output_options.JSON
def tagger(treebank: tuple[str, ...], out: str, replace: bool, as_json: bool) -> None:
    """Train the tagger `crf` on a treebank with Penn tags: GENIA's .pos files, or CoNLL-U.

    `build pubmedqa` uses it to detect titles that state something. anagnosis ships no model, since the treebank's
    licence covers models too.
    """
    from anagnosis import api

    made = api.train_tagger(treebank, out, replace=replace)
    if as_json:
        output_options.print_json(made)
        return
    if messages.quiet():
        return
    print(f"{made.sentences:,} sentences learnt")
    messages.counts("repaired or left out", made.repairs)
    messages.wrote(out, f"anagnosis build pubmedqa PAPERS --set tagger=crf --set model={out} --out DATASET")
