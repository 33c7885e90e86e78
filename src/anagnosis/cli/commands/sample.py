"""`anagnosis sample`: LITE and TINY from LARGE, and the training sets of a learning curve."""

from __future__ import annotations

import click

from anagnosis.cli import messages, output_options, training_options


@click.command(
    epilog="\b\nExample:\n  anagnosis sample built/mine --recipe biomrc-lite --out built/lite\n"
    "  anagnosis sample built/mine --recipe biomrc-tiny --set 'groups={tiny-a=5, tiny-b=5}' --out built/tiny\n"
    "  anagnosis sample built/mine --set train=25% --set dev=100% --set test=100% --out built/quarter"
)
@click.argument("dataset", metavar="DATASET_FOLDER")
@training_options.settings("sample")
@click.option("--out", required=True, type=click.Path(), help="The dataset folder to write.")
@output_options.REPLACE
@output_options.JSON
def sample(
    dataset: str, recipe: str | None, assigned: tuple[str, ...], out: str, replace: bool, as_json: bool
) -> None:
    """Draw a seeded random sample inside each split; numbers and order stay those of the larger set.

    A split gets a number of instances, or a share (25%). Samples by one seed are nested: the quarter is part of the
    half.
    """
    from anagnosis import api

    made = api.sample(
        dataset, out, recipe=recipe, settings=training_options.assigned(assigned), replace=replace
    )
    if as_json:
        output_options.print_json(made.receipt)
        return
    if messages.quiet():
        return
    messages.instances(made.receipt.instances.kept, made.rows)
    messages.wrote(out, f"anagnosis show {out}")
