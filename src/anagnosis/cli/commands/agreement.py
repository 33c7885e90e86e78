"""`anagnosis agreement`: people beside systems."""

from __future__ import annotations

from typing import Any

import click

from anagnosis.cli import output_options, scoring_options
from anagnosis.cli.numbers import WholeNumber


@click.command(
    epilog="\b\nExample:\n  anagnosis agreement built/tiny people.jsonl --systems base4.jsonl\n"
    "  anagnosis agreement built/pqal --people\n"
    "  anagnosis agreement built/clicr people.jsonl --systems ga.jsonl --measure f1 --labels skills.jsonl"
)
@click.argument("dataset", metavar="DATASET_FOLDER")
@click.argument("people", nargs=-1, metavar="[PREDICTIONS...]")
@click.option("--people", "stored", is_flag=True, help="Use the people whose labels the dataset holds.")
@click.option(
    "--systems",
    "systems",
    multiple=True,
    metavar="FILE",
    help="A system's predictions to show beside the people.",
)
@scoring_options.matching
@click.option("--seed", type=WholeNumber(), default=0, show_default=True, help="Seed of the bootstrap.")
@output_options.OUT
@output_options.REPLACE
@output_options.JSON
@scoring_options.MEASURE
@scoring_options.VECTORS
@scoring_options.LABELS
def agreement(
    dataset: str,
    people: tuple[str, ...],
    stored: bool,
    systems: tuple[str, ...],
    out: str | None,
    replace: bool,
    as_json: bool,
    **how: Any,
) -> None:
    """Cohen's kappa of people, pairwise and on average, and their accuracy beside systems (Tables 4 and 5).

    --measure scores people and systems on the instances that people were asked, --labels gives these scores by label.

    The people's view stands in the note that `label --collect` writes beside their file; --view is that of the systems.

    The questions are those of the collected study, else those for which anybody has a line. Unanswered ones count in
    three ways: as a separate label, left out, wrong. Lines carry `annotator` and `group`, and `"answer": null` for
    "could not answer"; several people may share a file.
    """
    from anagnosis import api

    target = output_options.output_file(out, replace=replace)

    if not people and not stored:
        raise click.UsageError("Name predictions files of people, or give --people for those in the dataset")
    found = api.agreement(dataset, people, systems, stored=stored, **how)
    output_options.give(found, target, as_json=as_json)
