"""`anagnosis submit`: a submission to BioASQ's task B."""

from __future__ import annotations

from typing import Any

import click

from anagnosis.cli import messages, output_options, search_options


@click.command(
    epilog="\b\nExample:\n  anagnosis submit built/held zero.jsonl --phase B --out submission.json\n"
    "  anagnosis submit built/held --phase A --index built/index --out submission.json"
)
@click.argument("dataset", metavar="DATASET_FOLDER")
@click.argument("file", metavar="[PREDICTIONS|RUN_FOLDER]", required=False)
@click.option(
    "--phase", required=True, metavar="A|B", help="A: documents and snippets; B: exact and ideal answers."
)
@click.option(
    "--index",
    metavar="INDEX_FOLDER",
    help="A collection: retrieve ten documents and ten snippets from it, or compare given snippets with its texts.",
)
@click.option("--split", help="train, dev or test (default: that of the predictions; else test).")
@search_options.RANKING
@search_options.ENCODER
@click.option("--out", required=True, type=click.Path(), help="The submission to write (JSON).")
@output_options.REPLACE
@output_options.JSON
def submit(dataset: str, file: str | None, out: str, as_json: bool, **how: Any) -> None:
    """Write answers as a submission to task B of BioASQ, or refuse what the task does not allow.

    PREDICTIONS are lines of `predict`, or a submission. Refused are foreign and repeated ids, answers of another type,
    more than 5 names (factoid), 100 names (list), 10 documents or snippets, or 200 words (ideal answer), addresses
    that are none, and offsets that do not give their text. `check` lists every fault. Every question is written.
    """
    from msgspec import to_builtins

    from anagnosis import api

    found = api.submit(dataset, file, out=out, **how)
    if as_json:
        output_options.print_json({"out": out, **to_builtins(found)})
        return
    print_left_out(found.left_out, found.unknown_fields)
    messages.wrote(
        f"{out} ({found.questions:,} questions of {found.split}, {found.answered:,} answered)",
        f"anagnosis score {dataset} {out}",
    )


def print_left_out(lines: int, fields: int) -> None:
    """What the file has and a submission of this phase does not."""
    if lines and not messages.quiet():
        print(f"left out: what {lines:,} lines have for the other phase")
    if fields and not messages.quiet():
        print(f"left out: keys without a meaning on {fields:,} lines")
