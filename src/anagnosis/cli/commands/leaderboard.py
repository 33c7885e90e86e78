"""`anagnosis leaderboard`: withhold answers, check a submission, build the site."""

from __future__ import annotations

import dataclasses
import sys
from typing import Any

import click

from anagnosis.cli import messages, output_options
from anagnosis.cli.numbers import WholeNumber
from anagnosis.cli.scoring_options import MEASURE
from anagnosis.wording import counted


@click.group(
    epilog="\b\nExample:\n  anagnosis leaderboard withhold built/mine --out public\n"
    "  anagnosis leaderboard check submissions/mine --dataset public\n"
    "  anagnosis leaderboard build submissions --gold built/mine --out site"
)
def leaderboard() -> None:
    """Hold a leaderboard: systems ranked by their predictions, on answers that may be hidden."""


@leaderboard.command(
    epilog="\b\nExample:\n  anagnosis leaderboard withhold built/mine --out public\n"
    "  anagnosis leaderboard withhold built/mine --split dev --out public-dev"
)
@click.argument("dataset", metavar="DATASET_FOLDER")
@click.option("--out", required=True, type=click.Path(), help="The dataset folder to write.")
@click.option("--split", default="test", show_default=True, help="The split whose answers are left out.")
@click.option(
    "--hide",
    metavar="NAME",
    help="What is left out, where a kind has a choice. Questions: answers (default), documents or types. "
    "Decisions: labels (default) or labels-alone, with the conclusions.",
)
@output_options.REPLACE
@output_options.JSON
def withhold(dataset: str, out: str, as_json: bool, **how: Any) -> None:
    """Copy a dataset without the answers of a split: what a board with a hidden test gives out.

    The other splits are the same bytes, and fingerprints stay. Counts what the copy shows all the same.
    """
    from anagnosis import api

    made = api.withhold(dataset, out, **how)
    if as_json:
        output_options.print_json({**dataclasses.asdict(made), "dataset": str(made.dataset.folder)})
        return
    if messages.quiet():
        return
    print(f"{made.instances:,} instances of {made.split} without {made.what}; fingerprint {made.fingerprint}")
    messages.counts("what the copy shows all the same", made.visible)
    messages.wrote(out, f"anagnosis leaderboard check SUBMISSION --dataset {out}")


@leaderboard.command(
    epilog="\b\nExample:\n  anagnosis leaderboard check submissions/mine --dataset public\n"
    "  anagnosis leaderboard check test.jsonl --dataset public"
)
@click.argument("submission", metavar="PREDICTIONS|SUBMISSION_FOLDER")
@click.option(
    "--dataset",
    "datasets",
    multiple=True,
    required=True,
    metavar="DATASET_FOLDER",
    help="A dataset of the board, with or without its answers; again for several.",
)
@click.option(
    "--recent",
    type=WholeNumber(0),
    metavar="DAYS",
    help="Refuse a submission that is dated more than so many days ago: of a new one the host checks this.",
)
@output_options.JSON
def check(submission: str, datasets: tuple[str, ...], as_json: bool, **how: Any) -> None:
    """Report every fault of a submission before it is uploaded: of its folder with system.toml, or of one file.

    Ends with exit code 2 if there is any, with one line per fault.
    """
    from anagnosis import api

    found = api.check_submission(submission, datasets, **how)
    if as_json:
        output_options.print_json(found)
    else:
        for fault in found.faults:
            print(fault)
        for file, answered in found.files.items() if not messages.quiet() else ():
            noted = ", ".join(f"{count:,} {name}" for name, count in found.notes.get(file, {}).items())
            print(f"{file}: {answered or 'of no dataset of the board'}" + (f" ({noted})" if noted else ""))
        print(f"{'sound' if found.sound else 'NOT sound'}: {found.name}")
    if not found.sound:
        sys.exit(2)


@leaderboard.command(
    epilog="\b\nExample:\n  anagnosis leaderboard build submissions --gold built/mine --out site\n"
    "  anagnosis leaderboard build submissions --gold built/mine --hidden test --per-month 2 --out site"
)
@click.argument("submissions", metavar="FOLDER")
@click.option(
    "--gold",
    multiple=True,
    required=True,
    metavar="[TITLE=]DATASET_FOLDER",
    help="A dataset with its answers, and its title on the site; again for several.",
)
@click.option(
    "--out", type=click.Path(), metavar="FOLDER", help="Where the site goes (default: none is written)."
)
@click.option(
    "--hidden",
    multiple=True,
    metavar="SPLIT",
    help="A split whose answers nobody has, of every dataset or of one (DATASET/SPLIT): coarse figures, and entries "
    "are limited.",
)
@click.option(
    "--per-month",
    type=WholeNumber(1),
    default=2,
    show_default=True,
    help="Systems that a team may enter on a hidden split in a calendar month.",
)
@click.option(
    "--leave-out-others",
    is_flag=True,
    help="Leave out predictions of datasets that no --gold names, and count them (default: they are faults).",
)
@click.option("--title", metavar="TEXT", help="The name of the site.")
@click.option("--strict", is_flag=True, help="End with exit code 2 where a submission was not scored.")
@output_options.REPLACE
@output_options.JSON
@MEASURE
def build(submissions: str, out: str | None, as_json: bool, strict: bool, **how: Any) -> None:
    """Score every system in FOLDER and write the site: a board for each dataset, split and view, a page a system.

    FOLDER holds a folder for each system, with system.toml and predictions files. One with faults is not scored; the
    site names it, and so does this command.
    """
    from anagnosis import api

    made = api.build_leaderboard(submissions, how.pop("gold"), out, **how)
    if as_json:
        from anagnosis.reports.records import as_json as printed

        print(printed(made), end="")
    elif not messages.quiet():
        for part in made.parts:
            print(
                f"{part.dataset} {part.split} {part.view or 'view not stated'}: {counted(len(part.results), 'system')}"
            )
    if not as_json:
        for each in made.refused:
            print(f"not scored: {each.submission}: {'; '.join(each.faults)}")
        for each in made.over_limit:
            print(
                f"over the limit: {each.submission}: {each.team} on {each.dataset} {each.split}, {each.date:%Y-%m}"
            )
        if made.other_datasets and not messages.quiet():
            files = sum(len(each.files) for each in made.other_datasets)
            of = counted(len(made.other_datasets), "submission")
            print(f"left out: {counted(files, 'file')} of {of}, made for datasets that no --gold names")
        if out is not None:
            messages.wrote(f"{out}/index.html")
    if strict and (made.refused or made.over_limit):
        sys.exit(2)
