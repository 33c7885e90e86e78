"""Is a folder of ours as it was written?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from anagnosis.api.datasets import load
from anagnosis.paths import PathLike

if TYPE_CHECKING:
    from anagnosis.datasets.folder.checking import Findings
    from anagnosis.datasets.folder.store import Dataset
    from anagnosis.searching.index.checking import IndexFindings


def check(folder: PathLike | Dataset) -> Findings | IndexFindings:
    """What is wrong with a dataset (files, receipt, instances) or an index (files, passages, vectors)."""
    from anagnosis.folders import kind_of

    if isinstance(folder, PathLike) and kind_of(Path(folder)) == "index":
        from anagnosis.searching.index.checking import check_index

        return check_index(Path(folder))
    from anagnosis.datasets.folder import checking

    return checking.check(load(folder))
