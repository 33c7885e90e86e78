"""Is a folder of ours as it was written, and do answers to experts' questions follow the rules of BioASQ?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from anagnosis.api.datasets import load
from anagnosis.errors import InputError
from anagnosis.io.paths import PathLike

if TYPE_CHECKING:
    from anagnosis.datasets.folder.dataset_check import DatasetCheck
    from anagnosis.datasets.folder.store import Dataset
    from anagnosis.searching.index.index_check import IndexCheck
    from anagnosis.submissions.bioasq.checking import SubmissionCheck


def check(
    folder: PathLike | Dataset,
    file: PathLike | None = None,
    *,
    index: PathLike | None = None,
    split: str | None = None,
) -> DatasetCheck | IndexCheck | SubmissionCheck:
    """What is wrong with a dataset (files, receipt, instances) or an index (files, passages, vectors).

    file: predictions or a submission; then every fault of it beside the questions of `folder`, as BioASQ's task B has
    its rules. index: a collection with whose texts its snippets are compared. split: of the questions (default: that of
    the file's ids). InputError: index or split without a file.
    """
    from anagnosis.io.folders import kind_of

    if file is not None:
        from anagnosis.api.submitting import document_texts
        from anagnosis.submissions.bioasq.checking import check as check_answers

        return check_answers(load(folder), Path(file), split, document_texts(index))
    if index is not None or split is not None:
        raise InputError("--index and --split are of answers, and no file is given", "FILE", "name the file")
    if isinstance(folder, PathLike) and kind_of(Path(folder)) == "index":
        from anagnosis.searching.index.index_check import check_index

        return check_index(Path(folder))
    from anagnosis.datasets.folder.dataset_check import check_dataset
    from anagnosis.datasets.folder.store import load_unverified

    return check_dataset(load_unverified(folder) if isinstance(folder, PathLike) else folder)
