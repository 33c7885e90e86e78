"""Verbs over leaderboards: withhold the answers of a split, check a submission, build the site of all."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from datetime import date
from typing import TYPE_CHECKING, Annotated

from anagnosis.api import shared
from anagnosis.api.datasets import load
from anagnosis.api.options import MANY, Option
from anagnosis.errors import InputError
from anagnosis.io.paths import PathLike

if TYPE_CHECKING:
    from anagnosis.datasets.folder.store import Dataset
    from anagnosis.datasets.withholding import Withheld
    from anagnosis.leaderboard.board import Board
    from anagnosis.leaderboard.checking import EntryCheck


def withhold(
    dataset: shared.DatasetFolder,
    out: shared.NewDataset,
    *,
    split: Annotated[str, Option("The split whose answers are left out.")] = "test",
    hide: Annotated[
        str | None,
        Option(
            "What is left out, where a kind has a choice. Questions: answers (default), documents or types. "
            "Decisions: labels (default) or labels-alone, with the conclusions.",
            metavar="NAME",
        ),
    ] = None,
    replace: shared.Replace = False,
) -> Withheld:
    """Copy a dataset without the answers of a split: what a board with a hidden test gives out.

    The other splits are the same bytes, and fingerprints stay. Counts what the copy shows all the same.
    """
    from anagnosis.datasets import withholding
    from anagnosis.io import outputs

    opened = load(dataset)
    outputs.output_folder(out, "dataset", inputs=(opened.folder,))
    return withholding.withhold(opened, out, split=split, what=hide, replace=replace)


def check_submission(
    path: Annotated[PathLike, Option(metavar="PREDICTIONS|SUBMISSION_FOLDER")],
    datasets: Annotated[
        Sequence[PathLike | Dataset],
        Option(
            "A dataset of the board, with or without its answers; again for several.",
            flag="--dataset",
            metavar="DATASET_FOLDER",
        ),
    ],
    *,
    today: date | None = None,
    recent: Annotated[
        int | None,
        Option(
            "Refuse a submission that is dated more than so many days ago: of a new one the host checks this.",
            0,
            MANY,
            metavar="DAYS",
        ),
    ] = None,
) -> EntryCheck:
    """Report every fault of a submission before it is uploaded: of its folder with system.toml, or of one file.

    Ends with exit code 2 if there is any, with one line per fault.
    \f
    today: no entry may be dated later (default: today).
    """
    from anagnosis.leaderboard.checking import check

    if not datasets:
        raise InputError("no dataset", "--dataset", "name the dataset folder of the board")
    return check(path, [load(each) for each in datasets], today or date.today(), recent)


def build_leaderboard(
    submissions: Annotated[PathLike, Option(metavar="FOLDER")],
    gold: Annotated[
        Sequence[PathLike | Dataset],
        Option(
            "A dataset with its answers, and its title on the site; again for several.",
            flag="--gold",
            metavar="[TITLE=]DATASET_FOLDER",
        ),
    ],
    out: Annotated[
        PathLike | None,
        Option("Where the site goes (default: none is written).", flag="--out", metavar="FOLDER"),
    ] = None,
    *,
    hidden: Annotated[
        Sequence[str],
        Option(
            "A split whose answers nobody has, of every dataset or of one (DATASET/SPLIT): coarse figures, and entries "
            "are limited.",
            metavar="SPLIT",
        ),
    ] = (),
    per_month: Annotated[
        int, Option("Systems that a team may enter on a hidden split in a calendar month.", 1, MANY)
    ] = 2,
    measures: shared.Measures = (),
    leave_out_others: Annotated[
        bool,
        Option(
            "Leave out predictions of datasets that no --gold names, and count them (default: they are faults)."
        ),
    ] = False,
    title: Annotated[str | None, Option("The name of the site.", metavar="TEXT")] = None,
    today: date | None = None,
    replace: shared.Replace = False,
) -> Board:
    """Score every system in FOLDER and write the site: a board for each dataset, split and view, a page a system.

    FOLDER holds a folder for each system, with system.toml and predictions files. One with faults is not scored; the
    site names it, and so does this command.
    \f
    An earlier site in `out` stays until the new one is complete; replace: overwrite pages that somebody has changed.
    The months of `per_month` are those of the dates that systems give themselves. today: no entry may be dated later
    (default: today). InputError: no dataset, no submission, a folder that holds something else.
    """
    from anagnosis.leaderboard.building import board
    from anagnosis.leaderboard.golds import title_and_folder
    from anagnosis.reports.leaderboard import site

    if not gold:
        raise InputError("no dataset", "--gold", "name the dataset folder with the answers")
    titled = [title_and_folder(each) for each in gold]
    datasets = [load(each) for _, each in titled]

    inputs = [submissions, *(dataset.folder for dataset in datasets)]
    place = nullcontext() if out is None else site.replacing(out, inputs=inputs, replace=replace)
    with place as folder:
        found = board(
            submissions,
            datasets,
            titles=[title for title, _ in titled],
            hidden=hidden,
            per_month=per_month,
            measures=measures,
            leave_out_others=leave_out_others,
            today=today or date.today(),
        )
        if folder is not None:
            site.write(found, folder, title or site.TITLE)
    return found
