"""`anagnosis show`: what is in a dataset, or one instance of it."""

from __future__ import annotations

import click

from anagnosis.cli import options


@click.command(
    epilog="\b\nExample:\n  anagnosis show built/mine\n"
    "  anagnosis show built/mine --instance ana0047:24 --view names base4.jsonl\n"
    "  anagnosis show built/mine --out mine.html"
)
@click.argument("dataset", metavar="DATASET_FOLDER")
@click.argument("files", nargs=-1, metavar="[PREDICTIONS...]")
@click.option("--instance", "ident", metavar="ID", help="Show this instance with its answers.")
@click.option("--view", help="How to show it: global, local or names.")
@click.option(
    "--beside", type=click.Choice(["large", "lite", "tiny"]), help="Which published set to show beside."
)
@click.option(
    "--against",
    multiple=True,
    metavar="FILE|FOLDER",
    help="Documents with MeSH headings: list the topics that the dataset has more often.",
)
@click.option("--out", type=click.Path(), help="Write it as .html, .md, .tex, .csv, .json or .txt instead.")
@options.JSON
def show(
    dataset: str,
    files: tuple[str, ...],
    ident: str | None,
    view: str | None,
    beside: str | None,
    against: tuple[str, ...],
    out: str | None,
    as_json: bool,
) -> None:
    """Show a dataset: its size beside the paper's, what each rule dropped, repairs; shortcuts or topics.

    With --instance: one of them, with gold, people's answers and those in the predictions files.
    """
    from anagnosis import api

    if ident is not None:
        report = api.show_instance(dataset, ident, files, view=view)
    elif files:
        raise click.UsageError(
            "predictions files are shown for one --instance; `anagnosis score` scores them"
        )
    elif view is not None:
        raise click.UsageError("--view is of one --instance; `anagnosis export` writes all in a view")
    else:
        report = api.show(dataset, beside=beside, against=against)
    options.give(report, out, as_json=as_json)
