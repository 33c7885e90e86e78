"""`anagnosis calibrate`: calibrate a trained reader's probabilities."""

from __future__ import annotations

import click

from anagnosis.cli import options


@click.command(
    epilog="\b\nExample:\n  anagnosis calibrate readers/decision built/pqal\n"
    "  anagnosis calibrate readers/evidence built/scifact --index built/abstracts\n"
    "  anagnosis calibrate readers/exact built/bioasq\n"
    '  anagnosis ask built/index "Does tea help?" --readers readers --answers'
)
@click.argument("run", metavar="RUN_FOLDER")
@click.argument("dataset", metavar="DATASET_FOLDER")
@click.option("--split", help="Of a reader of sentences: a part that it was not trained on (default: dev).")
@click.option(
    "--index",
    metavar="INDEX_FOLDER",
    help="Of a reader of sentences: fit what a sentence is worth among all that a search of this index brings, too.",
)
@options.device
@options.JSON
def calibrate(
    run: str,
    dataset: str,
    split: str | None,
    index: str | None,
    device: str | None,
    threads: int | None,
    kept: str | None,
    as_json: bool,
) -> None:
    """Calibrate a trained reader's probabilities on the development questions of DATASET_FOLDER.

    RUN_FOLDER is a training, or a folder of --seeds or --folds, whose runs are calibrated one by one. The run folder
    keeps the result (calibration.json); `ask` and `serve` use it. For a reader of sentences, the command also chooses
    the thresholds from which a sentence is marked weakly, fairly, strongly. It refuses questions that the run was
    trained on, compared by their words; it leaves out a few that files repeat by chance.

    Those probabilities are of papers that are about the question. With --index, an index of the papers that the
    questions are about, each question is asked of it too, and `ask` gives the probability that a sentence holds the
    answer over a collection (over_collection.json).

    Of a reader of cloze questions DATASET_FOLDER holds BioASQ's questions: how names are ranked is fitted too, on all
    parts but test, and kept in answers.json.

    Of readers that answer it also measures what they reach on questions that they were not trained on: macro-F1 on the
    test part of decisions (else on development questions), MRR on the newest questions of one name (held_out.json).
    `ask --answers` shows it, and shows no answer without it.
    """
    from anagnosis import api

    made = api.calibrate_report(
        run, dataset, split=split, index=index, device=device or "auto", threads=threads, kept=kept
    )
    options.give(made, None, as_json=as_json)
