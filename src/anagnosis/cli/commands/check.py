"""`anagnosis check`: is a dataset or an index as it was written? Do answers follow the rules of BioASQ?"""

from __future__ import annotations

import sys
from typing import Any

import click

from anagnosis.cli import messages, output_options
from anagnosis.cli.unjoined_papers import print_unjoined


@click.command(
    epilog="\b\nExample:\n  anagnosis check built/mine\n  anagnosis check built/index\n"
    "  anagnosis check built/held submission.json"
)
@click.argument("folder", metavar="DATASET_FOLDER|INDEX_FOLDER")
@click.argument("file", metavar="[SUBMISSION]", required=False)
@click.option(
    "--index", metavar="INDEX_FOLDER", help="A collection: compare a submission's snippets with its texts."
)
@click.option("--split", help="Of a submission: train, dev or test (default: that of its ids).")
@output_options.JSON
def check(folder: str, file: str | None, as_json: bool, **how: Any) -> None:
    """Verify the hashes of all files, the sums of the receipt, and what must hold of every instance.

    Of an index: the checksums of all files, passages and vectors, and whether indexing finished. Of answers to the
    questions of a dataset, predictions or a submission to BioASQ: what its task B does not allow (`submit` refuses it).
    Ends with exit code 2 if anything is wrong, with one line per problem.
    """
    from anagnosis import api
    from anagnosis.searching.index.index_check import IndexCheck

    findings = api.check(folder, file, **how)
    if as_json:
        output_options.print_json(findings)
    else:
        for problem in findings.problems:
            print(problem)
        messages.counts("problems", findings.counts)
        verdict = "sound" if findings.sound else "NOT sound"
        print(f"{verdict}: {findings.looked_at} looked at")
        if isinstance(findings, IndexCheck):
            print_unjoined(findings.joins_none)
    if not findings.sound:
        sys.exit(2)
