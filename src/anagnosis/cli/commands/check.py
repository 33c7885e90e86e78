"""`anagnosis check`: is a dataset what its receipt says, and an index as it was written?"""

from __future__ import annotations

import sys

import click

from anagnosis.cli import options
from anagnosis.cli.unjoined_papers import print_unjoined


@click.command(epilog="\b\nExample:\n  anagnosis check built/mine\n  anagnosis check built/index")
@click.argument("folder", metavar="DATASET_FOLDER|INDEX_FOLDER")
@options.JSON
def check(folder: str, as_json: bool) -> None:
    """Verify the hashes of all files, the sums of the receipt, and what must hold of every instance.

    Of an index: the checksums of all files, passages and vectors, and whether indexing finished. Ends with exit code
    2 if anything is wrong, with one line per problem.
    """
    from anagnosis import api
    from anagnosis.searching.index.index_check import IndexCheck
    from anagnosis.searching.index.settings import NOTES

    findings = api.check(folder)
    if as_json:
        options.print_json(findings)
    else:
        for problem in findings.problems:
            print(problem)
        options.counts("problems", findings.counts)
        verdict = "sound" if findings.sound else "NOT sound"
        print(f"{verdict}: {findings.looked_at} looked at")
        if isinstance(findings, IndexCheck):
            print_unjoined(findings.joins_none)
        if isinstance(findings, IndexCheck) and not findings.has_checksums:
            print(f"This index {NOTES['without_checksums']}.")
    if not findings.sound:
        sys.exit(2)
