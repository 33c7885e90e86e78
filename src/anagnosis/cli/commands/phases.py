"""`anagnosis phases`: what each phase of a schedule reached."""

from __future__ import annotations

import click

from anagnosis.cli import output_options


@click.command(epilog="\b\nExample:\n  anagnosis phases runs/pqa runs/pqa-single")
@click.argument("folders", nargs=-1, required=True, metavar="RUN_FOLDER...")
@output_options.reported
def phases(folders: tuple[str, ...]) -> object:
    """Each phase of a training: its training data, initial weights and scores.

    Accuracy and macro-F1, means over the folds: on the test part for phases trained on people's labels, else on the
    phase's development part (PubMedQA, Tables 5 to 8); the paper's figures beside them where the recipe has them.
    """
    from anagnosis import api

    return api.phases(folders)
