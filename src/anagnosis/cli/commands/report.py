"""`anagnosis report`: everything about some predictions."""

from __future__ import annotations

from typing import Any

import click

from anagnosis.cli import messages, output_options, scoring_options


@click.command(
    epilog="\b\nExample:\n  anagnosis report built/mine base3plus.jsonl base4.jsonl --out report.html\n"
    "  anagnosis report built/mine base4.jsonl runs/as runs/aoa --out report.html\n"
    "  anagnosis report built/mine base4.jsonl --shortcuts --hard built/hard --out report.md"
)
@scoring_options.scoring
@scoring_options.draws
@click.option(
    "--shortcuts",
    is_flag=True,
    help="Add what heuristics and counting reach, and each system's gain over the best.",
)
@click.option(
    "--hard", type=click.Path(), metavar="FOLDER", help="Write the instances that no shortcut answers."
)
@output_options.REPLACE
@output_options.OUT
@output_options.JSON
@scoring_options.MEASURE
@scoring_options.VECTORS
@scoring_options.LABELS
def report(
    dataset: str,
    files: tuple[str, ...],
    hard: str | None,
    replace: bool,
    out: str | None,
    as_json: bool,
    **how: Any,
) -> None:
    """Scores, ranking, tests, break-downs and plots as .html, .md, .tex, .csv, .json or .txt (by --out's ending).

    A SYSTEM is a predictions file, the folder of a trained run, or NAME=FILE,FILE,… of several runs, whose credits are
    averaged within each question first.
    A run folder is shown on train, dev and test, with its training time and parameters.
    """
    from anagnosis import api

    target = output_options.output_file(out, replace=replace)
    # First, since it may be refused.
    hardest = (
        api.hard_subset(dataset, hard, split=how["split"], files=files, view=how["view"], replace=replace)
        if hard
        else None
    )
    output_options.give(api.evaluate(dataset, files, **how), target, as_json=as_json)
    if hardest is not None and not as_json:
        messages.wrote(f"{hard} ({hardest.receipt.instances.kept:,} instances that no shortcut answers)")
