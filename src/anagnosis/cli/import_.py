"""`anagnosis import`: the authors' own files into a dataset folder."""

from __future__ import annotations

import click

from anagnosis.cli import options


@click.command(
    "import",
    epilog="\b\nExample:\n  anagnosis import dataset_test_small.json --layout biomrc --out built/theirs\n"
    "  anagnosis import biomrc_lite/ --setting A --out built/lite\n"
    "  anagnosis import dataset_train.json.gz --check\n"
    "  anagnosis import ori_pqal.json --layout pubmedqa --out built/pqal\n"
    "  anagnosis import golden/ --layout bioasq --setting 9B5,10B1 --out built/bioasq",
)
@click.argument("paths", nargs=-1, required=True, metavar="FILE|FOLDER...")
@click.option("--layout", default="biomrc", show_default=True, help="Whose files these are.")
@click.option(
    "--setting",
    help="biomrc: A or B, where a folder holds both. pubmedqa: the subset, L, U or A. bioasq: batches to hold out as "
    "test (9B5,10B1); their twins elsewhere are left out.",
)
@click.option(
    "--split", type=click.Choice(["train", "dev", "test"]), help="What a file is whose name does not say."
)
@click.option("--out", type=click.Path(), help="The dataset folder to write.")
@click.option(
    "--check", "only_check", is_flag=True, help="Write nothing; say what breaks the layout's invariants."
)
@options.REPLACE
@options.JSON
def import_(
    paths: tuple[str, ...],
    layout: str,
    setting: str | None,
    split: str | None,
    out: str | None,
    only_check: bool,
    replace: bool,
    as_json: bool,
) -> None:
    """Read the authors' file, or the folder with train, val and test, into a dataset folder; of bioasq several of them.

    Every invariant of the layout is checked; what breaks one is counted and named, and a published file is recognised.
    """
    from anagnosis import api

    if only_check:
        found = api.check_layout(paths, layout=layout, setting=setting, split=split)
        if as_json:
            options.print_json(found)
            return
        print(f"{found.instances:,} instances looked at")
        options.counts("would be refused", found.refused)
        _told(found.broken, found.places, found.files)
        return
    if out is None:
        raise click.UsageError("Missing option '--out'")
    made = api.import_dataset(paths, out, layout=layout, setting=setting, split=split, replace=replace)
    if as_json:
        options.print_json(made.receipt)
        return
    receipt = made.receipt
    print(f"{receipt.instances.kept:,} instances: {', '.join(f'{s} {n:,}' for s, n in made.rows.items())}")
    options.counts("instances refused", receipt.instances.dropped)
    published = receipt.choices.get("published_files")
    places = [(refusal.where, refusal.why) for refusal in receipt.refusals]
    _told(
        receipt.repairs,
        places,
        {} if published is None else {e.name: published.get(e.name, "") for e in receipt.inputs},
    )
    options.wrote(out, f"anagnosis show {out}", f"anagnosis export {out} --layout {layout} --out out/")


def _told(broken: dict[str, int], places: list[tuple[str, str]], files: dict[str, str]) -> None:
    """Broken invariants with the first places, and which files are published ones (name → published name)."""
    options.counts("invariants broken", broken)
    for where, what in places[:10]:
        print(f"  {where}: {what}")
    for name, published in files.items():
        print(f"{name}: {f'the published {published}' if published else 'not a published file'}")
