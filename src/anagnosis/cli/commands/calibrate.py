"""`anagnosis calibrate`: calibrate a trained reader's probabilities."""

from __future__ import annotations

from typing import Any

import click

from anagnosis.cli import output_options, training_options


@click.command(
    epilog="\b\nExample:\n  anagnosis calibrate runs/pubmedqa built/pqal\n"
    "  anagnosis calibrate readers/evidence built/scifact --index built/abstracts\n"
    '  anagnosis ask built/index "Which drug helps?" --readers readers'
)
@click.argument("run", metavar="RUN_FOLDER")
@click.argument("dataset", metavar="DATASET_FOLDER")
@click.option("--split", help="Sentence readers: a part that the reader was not trained on (default: dev).")
@click.option(
    "--index",
    metavar="INDEX_FOLDER",
    help="Sentence readers: also fit the probability of a sentence among all that a search of this index returns.",
)
@training_options.device
@output_options.JSON
def calibrate(
    run: str,
    dataset: str,
    device: str | None,
    as_json: bool,
    **how: Any,
) -> None:
    """Calibrate a trained reader's probabilities on the development questions of DATASET_FOLDER.

    RUN_FOLDER is a training, or a folder of --seeds or --folds, whose runs are calibrated one by one. The run folder
    keeps the result (calibration.json). For a reader of sentences, the command also chooses the thresholds of weak,
    fair and strong highlights; `ask` and `serve` use both. It refuses questions that the run was trained on, compared
    by their words; if they are at most one in twenty, it leaves them out.

    These probabilities hold where the paper is about the question. --index names an index of the questions' papers:
    the command asks it each question, and `ask` then gives the probability over a collection (over_collection.json).
    """
    from anagnosis import api

    output_options.give(api.calibrate(run, dataset, device=device or "auto", **how), None, as_json=as_json)
