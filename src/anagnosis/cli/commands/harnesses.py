"""`anagnosis harnesses`: the same predictions as others count them."""

from __future__ import annotations

import click

from anagnosis.cli import output_options, scoring_options


@click.command(
    epilog="\b\nExample:\n  anagnosis harnesses built/pqal answers.jsonl\n"
    "  anagnosis harnesses built/pqal answers.jsonl --view question-only --json"
)
@scoring_options.DATASET
@scoring_options.SYSTEMS
@click.option(
    "--view", metavar="NAME", help="The view that the systems read, where their lines do not name it."
)
@output_options.reported
def harnesses(dataset: str, files: tuple[str, ...], view: str | None) -> object:
    """Score PubMedQA predictions under other programs' protocols: their questions, inputs and counting.

    A SYSTEM is a predictions file, or NAME=FILE,FILE,… of several runs; the row of a harness is empty where the
    system did not answer all of its questions.
    """
    from anagnosis import api

    return api.harnesses(dataset, files, view=view)
