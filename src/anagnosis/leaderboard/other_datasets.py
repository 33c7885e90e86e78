"""Predictions that a submission holds of datasets that a board does not: left out and counted where that is asked for.

A project's board may cover public sets whose files not everybody has. A file counts as another dataset's only if its
first lines name fingerprints and the board knows none of them; any other file is examined as usual.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from anagnosis.errors import InputError
from anagnosis.leaderboard.board import OtherDatasets
from anagnosis.leaderboard.examining import demand_size, first_lines
from anagnosis.leaderboard.golds import Golds
from anagnosis.leaderboard.submission import Submission


def without_other_datasets(
    submissions: Sequence[Submission], golds: Golds
) -> tuple[list[Submission], tuple[OtherDatasets, ...]]:
    """(submissions with the files of the board's datasets, what was left out).

    A submission without faults of which no file is left is left out whole.
    """
    kept: list[Submission] = []
    left_out: list[OtherDatasets] = []
    for each in submissions:
        others = [path for path in each.files if _is_of_another_dataset(path, golds)]
        if others:
            left_out.append(OtherDatasets(each.name, tuple(path.name for path in others)))
        files = tuple(path for path in each.files if path not in others)
        if files or each.faults or not others:
            kept.append(replace(each, files=files))
    return kept, tuple(left_out)


def _is_of_another_dataset(path: Path, golds: Golds) -> bool:
    try:
        demand_size(path, path.name)
        named = {prediction.dataset for prediction in first_lines(path, path.name)}
    except InputError:  # its examination says why
        return False
    return bool(named) and None not in named and named.isdisjoint(golds.fingerprints)
