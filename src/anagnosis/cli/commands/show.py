"""`anagnosis show`: what is in a dataset, one instance of it, or what is in an index."""

from __future__ import annotations

from pathlib import Path

import click

from anagnosis.cli import output_options, scoring_options
from anagnosis.cli.numbers import WholeNumber


def _is_page(out: str | None) -> bool:
    return out is not None and out.lower().endswith((".html", ".htm"))


@click.command(
    epilog="\b\nExample:\n  anagnosis show built/mine\n"
    "  anagnosis show built/mine --beside bioread-lite\n"
    "  anagnosis show built/mine --instance ana0047:24 --view names base4.jsonl\n"
    "  anagnosis show built/mine --out mine.html\n"
    "  anagnosis show built/index\n"
    "  anagnosis show built/pqal --labels table3.csv --samples 2"
)
@click.argument("dataset", metavar="DATASET_FOLDER|INDEX_FOLDER")
@click.argument("files", nargs=-1, metavar="[PREDICTIONS...]")
@click.option(
    "--instance",
    "ident",
    metavar="ID",
    help="Show this instance with its answers, or list those of a document.",
)
@click.option("--view", help="How to show it: global, local, names or another view (docs/formats.md).")
@click.option(
    "--beside",
    metavar="SET",
    help="The published set to compare with, such as large, lite or tiny of BioMRC, bioread, bioread-lite or clicr.",
)
@click.option(
    "--against",
    multiple=True,
    metavar="FILE|FOLDER",
    help="Documents with MeSH headings: list topics more frequent in the dataset than in these.",
)
@scoring_options.LABELS
@click.option(
    "--terms",
    type=click.Path(),
    metavar="FILE",
    help="Cloze questions: a stored vocabulary, whose synonyms of answers are looked up in questions.",
)
@click.option(
    "--samples",
    type=WholeNumber(0),
    help="Decisions: number of instances to show of each subset (default: 3 on a page, none elsewhere).",
)
@click.option("--seed", type=WholeNumber(), default=0, show_default=True, help="Seed of the samples.")
@click.option("--out", type=click.Path(), help="Write it as .html, .md, .tex, .csv, .json or .txt instead.")
@output_options.REPLACE
@output_options.JSON
def show(
    dataset: str,
    files: tuple[str, ...],
    ident: str | None,
    view: str | None,
    beside: str | None,
    against: tuple[str, ...],
    labels: str | None,
    terms: str | None,
    samples: int | None,
    seed: int,
    out: str | None,
    replace: bool,
    as_json: bool,
) -> None:
    """Show a dataset: its size beside the paper's, what each rule dropped, repairs; shortcuts, or topics and types of
    questions.

    With --instance: one of them, with gold, people's answers and those in the predictions files.
    Of an index: its papers that stand alone.
    """
    from anagnosis import api
    from anagnosis.io.folders import kind_of

    target = output_options.output_file(out, replace=replace)
    if kind_of(Path(dataset)) == "index":
        if any((files, ident, view, beside, against, labels, terms, samples)):
            raise click.UsageError("an index is shown whole, and takes no option but --out and --json")
        output_options.give(api.show_index(dataset), target, as_json=as_json)
        return

    if ident is not None and (labels is not None or samples is not None or terms is not None):
        raise click.UsageError(
            "--labels, --samples and --terms are of the whole dataset, not of one --instance"
        )
    if ident is not None:
        report = api.show_instance(dataset, ident, files, view=view)
    elif files:
        raise click.UsageError(
            "predictions files are shown for one --instance; `anagnosis score` scores them"
        )
    elif view is not None:
        raise click.UsageError("--view is of one --instance; `anagnosis export` writes all in a view")
    else:
        if samples is None and (as_json or not _is_page(out)):
            samples = 0
        report = api.show(
            dataset,
            beside=beside,
            against=against,
            labels=labels,
            terms=terms,
            samples=samples,
            seed=seed,
        )
    output_options.give(report, target, as_json=as_json)
