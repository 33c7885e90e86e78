"""Which splits of a board are hidden, from what its maintainer names: a split of all datasets, or of one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from anagnosis.datasets.folder.store import Dataset
from anagnosis.errors import InputError, unknown_name
from anagnosis.leaderboard.golds import SplitKey

OPTION = "--hidden"


def hidden_splits(
    names: Sequence[str], datasets: Sequence[Dataset], titles: Sequence[str]
) -> frozenset[SplitKey]:
    """names: `SPLIT`, of every dataset that has it, or `DATASET/SPLIT`, where DATASET is the path of a dataset, its
    title on the board, or the name of its folder.

    Refused (InputError): a dataset or a split that there is not, and a folder's name that two datasets have.
    """
    found: set[SplitKey] = set()
    for name in names:
        folder, split = Path(name).parent, Path(name).name
        of_all = folder == Path()
        places = [*range(len(datasets))] if of_all else [_place(folder, name, datasets, titles)]
        known = {each for place in places for each in datasets[place].rows}
        if split not in known:
            raise unknown_name("split", split, known, OPTION if of_all else f"{OPTION} {name}")
        found.update((place, split) for place in places if split in datasets[place].rows)
    return frozenset(found)


def _place(folder: Path, name: str, datasets: Sequence[Dataset], titles: Sequence[str]) -> int:
    paths = [dataset.folder.resolve() for dataset in datasets]
    same = [place for place, path in enumerate(paths) if path == folder.resolve()]
    same = same or [place for place, title in enumerate(titles) if title == str(folder)]
    same = same or [place for place, path in enumerate(paths) if path.name == str(folder)]
    if not same:
        raise unknown_name(
            "dataset", str(folder), {*titles, *(path.name for path in paths)}, f"{OPTION} {name}"
        )
    if len(same) > 1:
        what = f"{len(same)} datasets lie in a folder of that name"
        raise InputError(what, f"{OPTION} {name}", "give the path of the dataset, as to --gold")
    return same[0]
