"""`anagnosis calibrate`: make a trained reader's probabilities what they say."""

from __future__ import annotations

import click

from anagnosis.cli import options


@click.command(
    epilog="\b\nExample:\n  anagnosis calibrate readers/decision built/pqal\n"
    "  anagnosis calibrate readers/evidence built/scifact\n"
    "  anagnosis calibrate readers/exact built/bioasq\n"
    '  anagnosis ask built/index "Does tea help?" --readers readers'
)
@click.argument("run", metavar="RUN_FOLDER")
@click.argument("dataset", metavar="DATASET_FOLDER")
@click.option("--split", help="Of a reader of sentences: a part that it was not trained on (default: dev).")
@options.device
@options.JSON
def calibrate(
    run: str,
    dataset: str,
    split: str | None,
    device: str | None,
    threads: int | None,
    kept: str | None,
    as_json: bool,
) -> None:
    """Fit what a trained reader says of its own answers, on the development questions of DATASET_FOLDER.

    RUN_FOLDER is a training, or one of --seeds or --folds, each of which is fitted for itself. What was fitted is kept
    there (calibration.json); `ask` and `serve` use it. Of a reader of sentences the marks are chosen too, from which
    probability on a sentence fits weakly, fairly, strongly.

    Of a reader of cloze questions DATASET_FOLDER holds BioASQ's questions: how names are ranked is fitted too, on all
    parts but test, and kept in answers.json.
    """
    from anagnosis import api

    made = api.calibrate(run, dataset, split=split, device=device or "auto", threads=threads, kept=kept)
    from anagnosis.reports.calibrated import calibrated_report, fitted_report

    report = calibrated_report(made) if isinstance(made, list) else fitted_report(made)
    options.give(report, None, as_json=as_json)
