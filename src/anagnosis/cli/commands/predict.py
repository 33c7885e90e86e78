"""`anagnosis predict`: run a reader, or what was trained, over a split."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from anagnosis.cli import messages, output_options, training_options
from anagnosis.cli.numbers import WholeNumber


@click.command(
    epilog="\b\nExample:\n  anagnosis predict neighbour-overlap built/mine --split test --out base4.jsonl\n"
    "  anagnosis predict runs/as built/mine --split test --out as.jsonl\n"
    "  anagnosis predict entity-prior built/mine --train-on built/large --out prior.jsonl"
)
@click.argument("reader", metavar="READER|RUN_FOLDER")
@click.argument("dataset", metavar="DATASET_FOLDER")
@click.option("--split", default="test", show_default=True, help="train, dev or test.")
@click.option(
    "--out",
    required=True,
    type=click.Path(),
    help="The predictions file to write (JSON lines, compressed if it ends in .gz or .zst).",
)
@click.option(
    "--seed",
    type=WholeNumber(),
    default=0,
    show_default=True,
    help="Seed of the draw between tied candidates.",
)
@click.option("--view", help="View of a reader fitted by counting: global (the default) or local.")
@click.option(
    "--train-on", metavar="DATASET_FOLDER", help="Fit a reader by counting on this dataset's train part."
)
@click.option("--limit", type=WholeNumber(1), help="At most this many instances.")
@click.option("--encoder", metavar="NAME|FOLDER", help="Where the frozen encoder of a run folder is now.")
@click.option(
    "--tokens", type=WholeNumber(1), help="Most tokens in memory at once (default: as in training)."
)
@click.option(
    "--precision",
    help="Of a run folder: float32, bfloat16, or auto for the faster one (default: as in training).",
)
@training_options.settings("reader")
@training_options.device
@output_options.REPLACE
@output_options.JSON
@click.option(
    "--by-id",
    is_flag=True,
    help="Write one JSON object from id to answer, as the programs of CliCR and PubMedQA take it.",
)
def predict(
    reader: str,
    dataset: str,
    split: str,
    out: str,
    assigned: tuple[str, ...],
    as_json: bool,
    **how: Any,
) -> None:
    """Run READER over one split of a dataset: one line per instance, with a score for every candidate.

    READER is a name or an alias of the papers, such as BASE4 (`anagnosis readers` lists them), or the folder of a
    training.
    """
    from anagnosis import api

    there = Path(out).exists()
    lines = api.predict(
        reader, dataset, out, split=split, settings=training_options.assigned(assigned), **how
    )
    if as_json:
        output_options.print_json(
            {"reader": reader, "split": split, "lines": lines, "out": out, "replaced": there}
        )
        return
    messages.wrote(f"{out} ({lines:,} lines)", f"anagnosis score {dataset} {out}")
