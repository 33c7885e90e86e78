"""`anagnosis import`: the authors' own files into a dataset folder."""

from __future__ import annotations

import click

from anagnosis.cli import options


@click.command(
    "import",
    epilog="\b\nExample:\n  anagnosis import dataset_test_small.json --layout biomrc --out built/theirs\n"
    "  anagnosis import biomrc_lite/ --setting A --out built/lite",
)
@click.argument("path", metavar="FILE|FOLDER")
@click.option("--layout", default="biomrc", show_default=True, help="Whose files these are.")
@click.option("--setting", type=click.Choice(["A", "B"]), help="Which one, where a folder holds both.")
@click.option(
    "--split", type=click.Choice(["train", "dev", "test"]), help="What a file is whose name does not say."
)
@click.option("--out", required=True, type=click.Path(), help="The dataset folder to write.")
@options.JSON
def import_(path: str, layout: str, setting: str | None, split: str | None, out: str, as_json: bool) -> None:
    """Read the authors' file, or the folder with train, val and test, into a dataset folder.

    Every invariant of the layout is checked; what breaks one is counted and named, and a published file is recognised.
    """
    from anagnosis import api

    made = api.import_dataset(path, out, layout=layout, setting=setting, split=split)
    if as_json:
        options.print_json(made.receipt)
        return
    print(
        f"{made.receipt.instances.kept:,} instances: {', '.join(f'{s} {n:,}' for s, n in made.rows.items())}"
    )
    options.counts("instances refused", made.receipt.instances.dropped)
    options.counts("invariants broken", made.receipt.repairs)
    for refusal in made.receipt.refusals[:10]:
        print(f"  {refusal.where}: {refusal.why}")
    published = made.receipt.choices.get("published_files", {})
    for entry in made.receipt.inputs:
        known = (
            f"the published {published[entry.name]}" if entry.name in published else "not a published file"
        )
        print(f"{entry.name}: {known}")
    options.wrote(out, f"anagnosis show {out}", f"anagnosis export {out} --layout biomrc --out out/")
