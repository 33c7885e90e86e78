"""Is a folder of ours as it was written?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from anagnosis.api.datasets import load
from anagnosis.paths import PathLike

if TYPE_CHECKING:
    from anagnosis.datasets.folder.dataset_check import DatasetCheck
    from anagnosis.datasets.folder.store import Dataset
    from anagnosis.searching.index.index_check import IndexCheck


def check(folder: PathLike | Dataset) -> DatasetCheck | IndexCheck:
    """What is wrong with a dataset (files, receipt, instances) or an index (files, passages, vectors)."""
    from anagnosis.folders import kind_of

    if isinstance(folder, PathLike) and kind_of(Path(folder)) == "index":
        from anagnosis.searching.index.index_check import check_index

        return check_index(Path(folder))
    from anagnosis.datasets.folder.dataset_check import check_dataset

    return check_dataset(load(folder))
