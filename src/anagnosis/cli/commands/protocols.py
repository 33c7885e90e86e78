"""`anagnosis protocols`: every system under every protocol of exact answers."""

from __future__ import annotations

from typing import Any

import click

from anagnosis.cli import options


@click.command(
    epilog="\b\nExample:\n  anagnosis protocols built/held zero.jsonl runs/t5\n"
    "  anagnosis protocols built/held submission.json --json"
)
@click.argument("dataset", metavar="DATASET_FOLDER")
@click.argument("files", nargs=-1, required=True, metavar="SYSTEM...")
@click.option("--split", help="train, dev, test, or all of them (default: the one the ids lie in).")
@options.UNIT
@options.draws
@options.OUT
@options.REPLACE
@options.JSON
def protocols(
    dataset: str,
    files: tuple[str, ...],
    out: str | None,
    replace: bool,
    as_json: bool,
    **how: Any,
) -> None:
    """Score exact answers to BioASQ's questions under every protocol of theirs and every measure, in one table.

    Of protocols by similarity only fuzzy-90 is one of them.

    A SYSTEM is a predictions file, a submission, the folder of a trained run, or NAME=FILE,FILE,… of several runs.

    Two or more systems are tested in pairs by each measure, with Holm's correction. A row is empty where the
    organisers' program of that edition stops; the question is named below.
    """
    from anagnosis import api

    target = options.output_file(out, replace=replace)
    options.give(api.protocols(dataset, files, **how), target, as_json=as_json)
