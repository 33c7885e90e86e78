"""Verbs over leaderboards: withhold the answers of a split, check a submission, build the site of all."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from anagnosis.api.datasets import load
from anagnosis.errors import InputError
from anagnosis.paths import PathLike

if TYPE_CHECKING:
    from anagnosis.datasets.folder.store import Dataset
    from anagnosis.leaderboard.board import Board


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

    gold: the datasets with their answers. out: the folder of the site (default: none is written); an earlier site there
    stays until the new one is complete. hidden: splits whose answers nobody has: figures are coarse there, and a team
    may enter `per_month` systems a calendar month. measures: names of `anagnosis measures` (default: the usual ones of
    what the lines hold). leave_out_others: leave out predictions of datasets that `gold` does not name, which
    `other_datasets` of the board then lists; by default they are faults. today: no entry may be dated later (default:
    today). replace: overwrite pages that somebody has changed.

    A submission with faults is not scored; `refused` of the board names them. InputError: no dataset, no submission, a
    folder that holds something else.
    """
    from anagnosis.leaderboard.building import board
    from anagnosis.reports.leaderboard import site

    if not gold:
        raise InputError("no dataset", "--gold", "name the dataset folder with the answers")
    datasets = [load(each) for each in gold]
    inputs = [submissions, *(dataset.folder for dataset in datasets)]
    if out is None:
        return board(
            submissions,
            datasets,
            hidden=hidden,
            per_month=per_month,
            measures=measures,
            leave_out_others=leave_out_others,
            today=today or date.today(),
        )
    with site.replacing(out, inputs=inputs, replace=replace) as folder:
        made = board(
            submissions,
            datasets,
            hidden=hidden,
            per_month=per_month,
            measures=measures,
            leave_out_others=leave_out_others,
            today=today or date.today(),
        )
        site.write(made, Path(folder), title or site.TITLE)
    return made
