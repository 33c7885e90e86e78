"""`anagnosis decide`: from what was trained to calibrated decisions."""

from __future__ import annotations

from typing import Any

import click

from anagnosis.cli import messages, output_options, training_options
from anagnosis.cli.numbers import WholeNumber


@click.command(
    epilog="\b\nExample:\n  anagnosis decide runs/shallow built/pqal --out decided/macro\n"
    "  anagnosis decide runs/shallow built/pqal --rule never-maybe --out decided/never\n"
    "  anagnosis compare built/pqal runs/shallow decided/macro decided/never"
)
@click.argument("run", metavar="RUN_FOLDER")
@click.argument("dataset", metavar="DATASET_FOLDER")
@click.option("--split", default="test", show_default=True, help="train, dev or test.")
@click.option(
    "--rule",
    default="macro-f1",
    show_default=True,
    help="macro-f1, never-maybe, or plain: the most probable label.",
)
@click.option("--calibrate", default="temperature", show_default=True, help="temperature or none.")
@click.option("--average", is_flag=True, help="One file, of the models' averaged probabilities.")
@click.option(
    "--out",
    required=True,
    type=click.Path(),
    help="The folder of one predictions file per model, or the only file.",
)
@click.option(
    "--seed", type=WholeNumber(), default=0, show_default=True, help="Seed of the draw between tied labels."
)
@training_options.device
@output_options.REPLACE
@output_options.JSON
def decide(
    run: str,
    dataset: str,
    out: str,
    device: str | None,
    as_json: bool,
    **how: Any,
) -> None:
    """Answer yes, no or maybe by calibrated probabilities and a rule, both chosen on development questions alone.

    RUN_FOLDER is a training on decisions. With --folds each model uses the 50 questions of its fold; the ten files
    are one system of ten runs. Scores are calibrated probabilities; a note beside each file says what was chosen.
    """
    from anagnosis import api

    made = api.decide(run, dataset, out, device=device or "auto", **how)
    output_options.give(made, None, as_json=as_json)
    if not as_json:
        files = f"{len(made.files)} files of " if len(made.files) > 1 else ""
        messages.wrote(f"{out} ({files}{made.lines:,} lines)", f"anagnosis compare {dataset} {run} {out}")
