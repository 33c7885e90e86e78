"""`anagnosis protocols`: every system under every protocol of exact answers."""

from __future__ import annotations

from typing import Any

import click

from anagnosis.cli import output_options, scoring_options


@click.command(
    epilog="\b\nExample:\n  anagnosis protocols built/held zero.jsonl runs/t5\n"
    "  anagnosis protocols built/held submission.json --json\n"
    "  anagnosis protocols built/held zero.jsonl runs/t5 --similar --out similar.html"
)
@scoring_options.DATASET
@scoring_options.SYSTEMS
@scoring_options.SPLIT
@scoring_options.UNIT
@scoring_options.draws
@click.option(
    "--similar",
    is_flag=True,
    help="List the answers that fuzzy-90 accepts and thesis does not, each with the class that a rule gives it.",
)
@output_options.reported
def protocols(dataset: str, files: tuple[str, ...], **how: Any) -> object:
    """Score exact answers to BioASQ's questions under every protocol of theirs and every measure, in one table.

    Of protocols by similarity only fuzzy-90 is one of them.

    A SYSTEM is a predictions file, a submission, the folder of a trained run, or NAME=FILE,FILE,… of several runs.

    Two or more systems are tested in pairs by each measure, with Holm's correction. A row is empty where the
    organisers' program of that edition stops; the question is named below.

    With --similar the record (--out FILE.json) is the source of `anagnosis label FILE.json --kind similar-answers`,
    by which a person judges what the similarity accepts.
    """
    from anagnosis import api

    return api.protocols(dataset, files, **how)
