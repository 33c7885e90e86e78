"""Verbs over leaderboards: withhold the answers of a split, build the board of all submissions."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from anagnosis.api import shared
from anagnosis.api.datasets import load
from anagnosis.api.options import Option
from anagnosis.errors import InputError
from anagnosis.io import folders, outputs
from anagnosis.io.paths import PathLike
from anagnosis.showing import masked_line

if TYPE_CHECKING:
    from anagnosis.datasets.folder.store import Dataset
    from anagnosis.datasets.withholding import Withheld
    from anagnosis.leaderboard.board import Board


LONGEST_TITLE = 80
_PAGE = "index.html"


def withhold(
    dataset: shared.DatasetFolder,
    out: shared.NewDataset,
    *,
    split: Annotated[str, Option("The split whose answers are left out.")] = "test",
    hide: Annotated[
        str | None,
        Option(
            "What is left out, where a kind has a choice. Questions: answers (default) or documents.",
            metavar="NAME",
        ),
    ] = None,
    replace: shared.Replace = False,
) -> Withheld:
    """Copy a dataset without the answers of a split: what a board with a hidden test gives out.

    The other splits are the same bytes, and fingerprints stay.
    """
    from anagnosis.datasets import withholding

    opened = load(dataset)
    outputs.output_folder(out, inputs=(opened.folder,))
    return withholding.withhold(opened, out, split=split, what=hide, replace=replace)


def build_leaderboard(
    submissions: Annotated[PathLike, Option(metavar="FOLDER")],
    gold: Annotated[
        Sequence[PathLike | Dataset],
        Option(
            "A dataset with its answers, and its title on the board; again for several.",
            flag="--gold",
            metavar="[TITLE=]DATASET_FOLDER",
        ),
    ],
    out: Annotated[
        PathLike | None,
        Option("Where index.html and board.json go (default: nowhere).", flag="--out", metavar="FOLDER"),
    ] = None,
    *,
    measures: shared.Measures = (),
    replace: shared.Replace = False,
) -> Board:
    """Check and score every system in FOLDER, and write the board: a ranking for each dataset, split, view and measure.

    FOLDER holds a folder for each system, with system.toml and predictions files. One with faults is not scored; the
    board names it, and so does this command. Files made for other datasets are counted.
    \f
    InputError: no dataset, no submission, a folder that holds something else.
    """
    from anagnosis.io.files import write_text
    from anagnosis.leaderboard.board import board
    from anagnosis.reports import render
    from anagnosis.reports.leaderboard import report
    from anagnosis.reports.records import as_json

    if not gold:
        raise InputError("no dataset", "--gold", "name the dataset folder with the answers")
    titled = [_title_and_folder(each) for each in gold]
    datasets = [load(each) for _, each in titled]
    inputs = (submissions, *(dataset.folder for dataset in datasets))
    target = None if out is None else outputs.output_folder(out, inputs=inputs)
    if target is not None:
        if Path(submissions).resolve() in target.resolve().parents:
            raise InputError("lies among the submissions", str(target), "choose another place for --out")
        folders.demand_new(target, "a leaderboard", (_PAGE, folders.BOARD).__contains__, replace=replace)
    found = board(submissions, datasets, [title for title, _ in titled], measures)
    if target is not None:
        with folders.new_folder(
            target, "a leaderboard", (_PAGE, folders.BOARD).__contains__, replace=replace
        ) as folder:
            write_text(folder / _PAGE, render(report(found), ".html"))
            write_text(folder / folders.BOARD, as_json(found))
    return found


def _title_and_folder(given: PathLike | Dataset) -> tuple[str, PathLike | Dataset]:
    """(title, folder) of `TITLE=FOLDER`, where the title is empty in any other argument.

    A path that exists is that path, also with `=` in it. Refused (InputError): a title that is no visible line.
    """
    if not isinstance(given, str) or "=" not in given or Path(given).exists():
        return "", given
    title, _, folder = given.partition("=")
    if "/" in title:
        return "", given
    if not title.isprintable() or not title.strip() or len(title) > LONGEST_TITLE:
        what = f"a title is one visible line of 1 to {LONGEST_TITLE} characters"
        raise InputError(what, f"--gold {masked_line(given)}", "write TITLE=FOLDER")
    return title, folder
