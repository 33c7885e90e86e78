"""`anagnosis check`: is a dataset folder what its receipt says?"""

from __future__ import annotations

import sys

import click

from anagnosis.cli import options


@click.command(epilog="\b\nExample:\n  anagnosis check built/mine")
@click.argument("dataset", metavar="DATASET_FOLDER")
@options.JSON
def check(dataset: str, as_json: bool) -> None:
    """Verify the hashes of all files, the sums of the receipt, and what must hold of every instance.

    Ends with exit code 2 if anything is wrong, each problem on a line.
    """
    from anagnosis import api

    findings = api.check(dataset)
    if as_json:
        options.print_json(findings)
    else:
        for problem in findings.problems:
            print(problem)
        options.counts("problems", findings.counts)
        verdict = "sound" if findings.sound else "NOT sound"
        print(f"{verdict}: {findings.files} files and {findings.instances:,} instances looked at")
    if not findings.sound:
        sys.exit(2)
