"""Verbs over leaderboards: withhold the answers of a split, check a submission, build the site of all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from functools import partial
from typing import TYPE_CHECKING

from anagnosis.api.datasets import load
from anagnosis.errors import InputError
from anagnosis.paths import PathLike

if TYPE_CHECKING:
    from anagnosis.datasets.folder.store import Dataset
    from anagnosis.datasets.withholding import Withheld
    from anagnosis.leaderboard.board import Board
    from anagnosis.leaderboard.checking import EntryCheck
    from anagnosis.leaderboard.ledger import Ledger
    from anagnosis.leaderboard.ledger_chain import LedgerLine


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
    from anagnosis import outputs
    from anagnosis.datasets import withholding

    opened = load(dataset)
    outputs.output_folder(out, "dataset", inputs=(opened.folder,))
    return withholding.withhold(opened, out, split=split, what=hide, replace=replace)


def check_submission(
    path: PathLike,
    datasets: Sequence[PathLike | Dataset],
    *,
    today: date | None = None,
    recent: int | None = None,
    ledger: PathLike | None = None,
    per_month: int = 2,
) -> EntryCheck:
    """Every fault for which a board would not score a submission: its folder, or one predictions file.

    datasets: of the board; their answers are not read, so public copies do. today: no entry may be dated later
    (default: today). recent: nor by more than so many days earlier (default: any date), unless the ledger has it
    already. ledger: of the board (`build_leaderboard`), which is only read: an entry that would be over the limit of
    `per_month` on a split that a dataset withholds is a fault.
    """
    from anagnosis.leaderboard.checking import check

    if not datasets:
        raise InputError("no dataset", "--dataset", "name the dataset folder of the board")
    return check(
        path,
        [load(each) for each in datasets],
        today or date.today(),
        recent,
        ledger=ledger,
        per_month=per_month,
    )


def build_leaderboard(
    submissions: PathLike,
    gold: Sequence[PathLike | Dataset],
    out: PathLike | None = None,
    *,
    hidden: Sequence[str] = (),
    per_month: int = 2,
    ledger: PathLike | None = None,
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
    systems a calendar month. ledger: a file of JSON lines, empty at first, to which entries on hidden splits are added
    that it does not have, each with the day (`today`) by which it counts; it is written with the site, and only read
    where there is no `out`. Without one entries count by the dates that they give themselves. measures: names of
    `anagnosis measures` (default: the usual ones of what the lines hold). leave_out_others: leave out predictions of
    datasets that `gold` does not name, which `other_datasets` of the board then lists; by default they are faults.
    today: no entry may be dated later (default: today). replace: overwrite pages that somebody has changed.

    A submission with faults is not scored; `refused` of the board names them. InputError: no dataset, no submission, a
    folder that holds something else, a ledger that is missing, changed, or behind the earlier site.
    """
    from anagnosis.leaderboard.building import NOTHING_KEPT, board
    from anagnosis.leaderboard.dataset_titles import title_and_folder
    from anagnosis.leaderboard.kept_parts import KeptParts
    from anagnosis.leaderboard.ledger import demand_safe_place, foreseen, recorded
    from anagnosis.reports.leaderboard import site

    if not gold:
        raise InputError("no dataset", "--gold", "name the dataset folder with the answers")
    titled = [title_and_folder(each) for each in gold]
    datasets = [load(each) for _, each in titled]
    if ledger is not None:
        demand_safe_place(ledger, submissions, out)

    def made(kept: KeptParts, add: Callable[[Sequence[LedgerLine], date], Ledger] | None) -> Board:
        return board(
            submissions,
            datasets,
            titles=[title for title, _ in titled],
            hidden=hidden,
            per_month=per_month,
            ledger=add,
            measures=measures,
            leave_out_others=leave_out_others,
            today=today or date.today(),
            kept=kept,
        )

    if out is None:
        return made(NOTHING_KEPT, None if ledger is None else partial(foreseen, ledger))
    inputs = [submissions, *(dataset.folder for dataset in datasets)]
    with site.replacing(out, inputs=inputs, replace=replace) as place:
        if hidden and ledger is None and place.ledger is not None:
            what = "the earlier site counts entries by a ledger, and none is named"
            raise InputError(what, str(out), "name it with --ledger, or choose another --out")
        add = None if ledger is None else partial(recorded, ledger, earlier=place.ledger)
        found = made(KeptParts(place.work), add)
        site.write(found, place.hidden, title or site.TITLE)
    return found
