"""`anagnosis score`: what predictions are worth."""

from __future__ import annotations

import click

from anagnosis.cli import options


@click.command(
    epilog="\b\nExample:\n  anagnosis score built/mine base3plus.jsonl base4.jsonl\n"
    "  anagnosis score built/mine own=own-0.jsonl,own-1.jsonl,own-2.jsonl"
)
@click.argument("dataset", metavar="DATASET_FOLDER")
@click.argument("files", nargs=-1, required=True, metavar="SYSTEM...")
@options.scoring
@options.UNIT
@options.LABELS
@options.OUT
@options.REPLACE
@options.JSON
@options.MEASURE
def score(
    dataset: str,
    files: tuple[str, ...],
    split: str | None,
    protocol: str | None,
    view: str | None,
    any_dataset: bool,
    unit: str,
    measures: tuple[str, ...],
    labels: str | None,
    out: str | None,
    replace: bool,
    as_json: bool,
) -> None:
    """Accuracy with a 95 % interval, by number of candidates, entity type, passage length, and familiarity.

    Decisions also have macro-F1, by type of question; sentences have AUC, by the numbers of sentences and of gold
    sentences. --labels adds the columns of a file.

    A SYSTEM is a predictions file, the folder of a trained run, or NAME=FILE,FILE,… of several runs, whose credits are
    averaged within each question first.

    The command counts missing, repeated, unknown and unmapped answers, and instances that a system was trained on.
    """
    from anagnosis import api

    target = options.output_file(out, replace=replace)

    found = api.score(
        dataset,
        files,
        split=split,
        protocol=protocol,
        measures=measures,
        unit=unit,
        labels=labels,
        view=view,
        check_fingerprint=not any_dataset,
    )
    options.give(found, target, as_json=as_json)
