"""`anagnosis diff`: what tells two datasets apart."""

from __future__ import annotations

import click

from anagnosis.cli import output_options


@click.command(epilog="\b\nExample:\n  anagnosis diff built/mine built/strict")
@click.argument("a", metavar="DATASET_FOLDER")
@click.argument("b", metavar="DATASET_FOLDER")
@output_options.JSON
def diff(a: str, b: str, as_json: bool) -> None:
    """Compare two datasets by their recipes and receipts alone."""
    from anagnosis import api

    found = api.diff(a, b)
    if as_json:
        output_options.print_json([{"what": what, "a": left, "b": right} for what, left, right in found])
        return
    if not found:
        print("no difference: same recipe, input, counts and bytes")
        return
    width = max(len(difference.what) for difference in found)
    for what, left, right in found:
        print(f"{what.ljust(width)}  {'-' if left is None else left}  →  {'-' if right is None else right}")
