"""`anagnosis compare`: is the difference real?"""

from __future__ import annotations

from typing import Any

import click

from anagnosis.cli import output_options, scoring_options


@click.command(
    epilog="\b\nExample:\n  anagnosis compare built/mine base3plus.jsonl base4.jsonl\n"
    "  anagnosis compare built/mine base3plus.jsonl base4.jsonl --unit instance --draws 100000\n"
    "  anagnosis compare built/mine sum=sum-0.jsonl,sum-1.jsonl max=max-0.jsonl,max-1.jsonl base4.jsonl"
)
@scoring_options.scoring
@scoring_options.draws
@output_options.reported
@scoring_options.MEASURE
@scoring_options.VECTORS
def compare(dataset: str, files: tuple[str, ...], **how: Any) -> object:
    """Rank systems and test each against the next best and against the first, on the same instances.

    A SYSTEM is a predictions file, the folder of a trained run, or NAME=FILE,FILE,… of several runs, whose credits are
    averaged within each question first.

    The tests: approximate randomisation as in the paper (one-tailed and two-tailed), for systems of several runs a
    test over runs and questions, McNemar, a bootstrap interval of the difference, Holm's correction for all pairs of
    the ranking, and the smallest detectable difference. A verdict on single runs holds for these models, not for
    their recipes.
    """
    from anagnosis import api

    return api.compare(dataset, files, **how)
