"""`anagnosis score`: what predictions are worth."""

from __future__ import annotations

from typing import Any

import click

from anagnosis.cli import output_options, scoring_options


@click.command(
    epilog="\b\nExample:\n  anagnosis score built/mine base3plus.jsonl base4.jsonl\n"
    "  anagnosis score built/mine sum=sum-0.jsonl,sum-1.jsonl,sum-2.jsonl"
)
@scoring_options.scoring
@scoring_options.LABELS
@output_options.reported
@scoring_options.MEASURE
@scoring_options.VECTORS
def score(dataset: str, files: tuple[str, ...], **how: Any) -> object:
    """Scores with 95 % intervals, by number of candidates, entity type, passage length, and familiarity.

    Decisions also have macro-F1, by type of question; sentences have AUC, by the numbers of sentences and of gold
    sentences. --labels adds the columns of a file. --measure f1, exact-match, bleu-2 and others judge the answers of
    cloze questions as texts.

    A SYSTEM is a predictions file, the folder of a trained run, or NAME=FILE,FILE,… of several runs, whose credits are
    averaged within each question first.

    The command counts missing, repeated, unknown and unmapped answers, and instances that a system was trained on.
    """
    from anagnosis import api

    return api.score(dataset, files, **how)
