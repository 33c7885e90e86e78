"""`anagnosis harnesses`: the same predictions as others count them."""

from __future__ import annotations

import click

from anagnosis.cli import options


@click.command(
    epilog="\b\nExample:\n  anagnosis harnesses built/pqal answers.jsonl\n"
    "  anagnosis harnesses built/pqal answers.jsonl --view question-only --json"
)
@click.argument("dataset", metavar="DATASET_FOLDER")
@click.argument("files", nargs=-1, required=True, metavar="SYSTEM...")
@click.option(
    "--view", metavar="NAME", help="The view that the systems read, where their lines do not name it."
)
@options.OUT
@options.REPLACE
@options.JSON
def harnesses(
    dataset: str, files: tuple[str, ...], view: str | None, out: str | None, replace: bool, as_json: bool
) -> None:
    """Score PubMedQA predictions under other programs' protocols: their questions, inputs and counting.

    A SYSTEM is a predictions file, or NAME=FILE,FILE,… of several runs; the row of a harness is empty where the
    system did not answer all of its questions.
    """
    from anagnosis import api

    target = options.output_file(out, replace=replace)

    options.give(api.harnesses(dataset, files, view=view), target, as_json=as_json)
