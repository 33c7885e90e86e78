"""`anagnosis label`: two people's labels, from sheets to a dataset."""

from __future__ import annotations

import click

from anagnosis.cli import options
from anagnosis.cli.numbers import WholeNumber


@click.command(
    epilog="\b\nExample:\n  anagnosis label built/pqa --sheets sheets/ --draw 100\n"
    "  anagnosis label built/pqa --sheets sheets/                      # lists what was answered differently\n"
    "  anagnosis label built/pqa --sheets sheets/ --out built/pqal     # after the discussion"
)
@click.argument("dataset", metavar="DATASET_FOLDER")
@click.option(
    "--sheets", required=True, type=click.Path(), help="The folder of the annotators' spreadsheets."
)
@click.option("--draw", type=WholeNumber(1), help="Draw this many unlabelled questions and write the sheets.")
@click.option("--seed", type=WholeNumber(), default=0, show_default=True, help="Seed of the draw.")
@click.option("--out", type=click.Path(), help="Write the agreed labels as a dataset folder.")
@options.REPLACE
@options.JSON
def label(
    dataset: str, sheets: str, draw: int | None, seed: int, out: str | None, replace: bool, as_json: bool
) -> None:
    """Have two people label questions with yes, no or maybe (PubMedQA, Algorithm 1).

    Annotator 1 sees the long answer, annotator 2 does not. The command lists their disagreements for discussion, and
    removes questions without agreement.
    """
    from anagnosis import api

    if draw is not None and out is not None:
        raise click.UsageError("--draw writes sheets; --out reads them when they are filled in")
    found = api.label(dataset, sheets, draw=draw, seed=seed, out=out, replace=replace)
    if as_json:
        progress = {name: getattr(found, name) for name in found.__slots__ if name != "dataset"}
        options.print_json({**progress, "dataset": out})
        return
    if options.quiet():
        return
    if draw is not None:
        print(f"{found.drawn:,} questions drawn; give annotator-1.csv and annotator-2.csv to one person each")
        options.wrote(sheets, f"anagnosis label {dataset} --sheets {sheets}")
        return
    print(f"{found.drawn:,} questions, {sum(found.labels.values()):,} agreed on")
    options.counts("agreed on", found.labels)
    left = {"not labelled by both": found.unlabelled, "to discuss": found.to_discuss}
    options.counts("open", {name: count for name, count in left.items() if count})
    gone = {"not answerable by yes, no or maybe": found.unfit, "no agreement": found.no_agreement}
    options.counts("removed", {name: count for name, count in gone.items() if count})
    if out is not None:
        options.wrote(out, f"anagnosis agreement {out} --people", f"anagnosis show {out}")
    elif found.to_discuss:
        print(f"next: fill in {sheets}/discussion.csv, then run this command again")
    elif not found.unlabelled:
        print(f"next: anagnosis label {dataset} --sheets {sheets} --out FOLDER")
