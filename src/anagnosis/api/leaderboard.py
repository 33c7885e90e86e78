"""Verbs over leaderboards: withhold the answers of a split, check a submission, build the site of all."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from datetime import date
from typing import TYPE_CHECKING

from anagnosis.api.datasets import load
from anagnosis.errors import InputError
from anagnosis.io.paths import PathLike

if TYPE_CHECKING:
    from anagnosis.datasets.folder.store import Dataset
    from anagnosis.datasets.withholding import Withheld
    from anagnosis.leaderboard.board import Board
    from anagnosis.leaderboard.checking import EntryCheck


def withhold(
    dataset: PathLike | Dataset,
    out: PathLike,
    *,
    split: str = "test",
    hide: str | None = None,
    replace: bool = False,
) -> Withheld:
    """Write a copy of a dataset without the answers of a split, for a board whose test is hidden.

    The other splits are the same bytes, and fingerprints stay, so that predictions on the copy are scored on the
    dataset. hide: what of the gold, by its name in the kind (default: the usual one; of BioASQ's questions "answers",
    "documents" or "types"). replace: overwrite another dataset in `out`.
    """
    from anagnosis.datasets import withholding
    from anagnosis.io import outputs

    opened = load(dataset)
    outputs.output_folder(out, "dataset", inputs=(opened.folder,))
    return withholding.withhold(opened, out, split=split, what=hide, replace=replace)


def check_submission(
    path: PathLike,
    datasets: Sequence[PathLike | Dataset],
    *,
    today: date | None = None,
    recent: int | None = None,
) -> EntryCheck:
    """Every fault for which a board would not score a submission: its folder, or one predictions file.

    datasets: of the board; their answers are not read, so public copies do. today: no entry may be dated later
    (default: today). recent: nor by more than so many days earlier (default: any date).
    """
    from anagnosis.leaderboard.checking import check

    if not datasets:
        raise InputError("no dataset", "--dataset", "name the dataset folder of the board")
    return check(path, [load(each) for each in datasets], today or date.today(), recent)


def build_leaderboard(
    submissions: PathLike,
    gold: Sequence[PathLike | Dataset],
    out: PathLike | None = None,
    *,
    hidden: Sequence[str] = (),
    per_month: int = 2,
    measures: Sequence[str] = (),
    leave_out_others: bool = False,
    title: str | None = None,
    today: date | None = None,
    replace: bool = False,
) -> Board:
    """Score every submission of a folder and rank them, within each dataset, split and view.

    gold: the datasets with their answers; a string may be `TITLE=FOLDER`. out: the folder of the site (default: none is
    written); an earlier site there stays until the new one is complete. hidden: splits whose answers nobody has, as
    `SPLIT` of all datasets or `DATASET/SPLIT` of one: figures are coarse there, and a team may enter `per_month`
    systems a calendar month, by the dates that they give themselves. measures: names of `anagnosis measures` (default:
    the usual ones of what the lines hold). leave_out_others: leave out predictions of datasets that `gold` does not
    name, which `other_datasets` of the board then lists; by default they are faults. today: no entry may be dated later
    (default: today). replace: overwrite pages that somebody has changed.

    A submission with faults is not scored; `refused` of the board names them. InputError: no dataset, no submission, a
    folder that holds something else.
    """
    from anagnosis.leaderboard.building import board
    from anagnosis.leaderboard.dataset_titles import title_and_folder
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
