"""`anagnosis predict`: run a reader over a split."""

from __future__ import annotations

import click

from anagnosis.cli import options


@click.command(
    epilog="\b\nExample:\n  anagnosis predict neighbour-overlap built/mine --split test --out base4.jsonl\n"
    "  anagnosis predict neighbour-overlap built/mine --tune\n"
    "  anagnosis predict entity-prior built/mine --train-on built/large --out prior.jsonl"
)
@click.argument("reader", metavar="READER")
@click.argument("dataset", metavar="DATASET_FOLDER")
@click.option("--split", default="test", show_default=True, help="train, dev or test.")
@click.option("--out", type=click.Path(), help="The predictions file to write (JSON lines).")
@click.option(
    "--seed", type=int, default=0, show_default=True, help="For the draw between candidates that tie."
)
@click.option(
    "--view", default="global", show_default=True, help="What a reader that counts may see: global or local."
)
@click.option(
    "--train-on", metavar="DATASET_FOLDER", help="Fit a reader that counts on this one's train part."
)
@click.option("--limit", type=click.IntRange(1), help="Only so many instances.")
@click.option("--tune", is_flag=True, help="Try n = 2 … 6 on dev and print the accuracies; predict nothing.")
@options.settings("reader")
@options.JSON
def predict(
    reader: str,
    dataset: str,
    split: str,
    out: str | None,
    seed: int,
    view: str,
    train_on: str | None,
    limit: int | None,
    tune: bool,
    recipe: str | None,
    assigned: tuple[str, ...],
    as_json: bool,
) -> None:
    """Run READER over one split of a dataset: a line an instance, with a score for every candidate.

    READER is a name or an alias of the papers, such as BASE4; `anagnosis readers` lists them.
    """
    from anagnosis import api

    settings = options.assigned(assigned)
    if tune:
        if out is not None:
            raise click.UsageError("--tune writes no predictions: leave --out away")
        from anagnosis.readers.tune import best

        tried = api.tune(reader, dataset, recipe=recipe, settings=settings)
        if as_json:
            options.print_json(
                [{"n": one.n, "accuracy": one.accuracy, "instances": one.instances} for one in tried]
            )
            return
        for one in tried:
            mark = "  best" if one is best(tried) else ""
            print(
                f"n = {one.n}  accuracy {100 * one.accuracy:6.2f} % of {one.instances:,} dev instances{mark}"
            )
        print(f"  next: anagnosis predict {reader} {dataset} --set n={best(tried).n} --out predictions.jsonl")
        return
    if out is None:
        raise click.UsageError("Missing option '--out'")
    lines = api.predict(
        reader,
        dataset,
        out,
        split=split,
        seed=seed,
        view=view,
        recipe=recipe,
        settings=settings,
        train_on=train_on,
        limit=limit,
    )
    if as_json:
        options.print_json({"reader": reader, "split": split, "lines": lines, "out": out})
        return
    options.wrote(f"{out} ({lines:,} lines)", f"anagnosis score {dataset} {out}")
