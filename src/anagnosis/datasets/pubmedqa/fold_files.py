"""The files of the authors' split of a labelled set: test_set.json, and dev_set.json and train_set.json of a fold."""

from __future__ import annotations

from collections.abc import Sequence

from anagnosis.datasets.export.authors_files import output
from anagnosis.datasets.export.layouts import Exported
from anagnosis.datasets.folder import store
from anagnosis.datasets.pubmedqa.folds import split_of
from anagnosis.datasets.pubmedqa.layout import in_order, write
from anagnosis.errors import InputError
from anagnosis.io.paths import PathLike

INSTEAD = "import ori_pqal.json, which holds all of it, or one file with --layout pubmedqa --split"


def exported(
    dataset: store.Dataset, out: PathLike, *, setting: str | None = None, compress: bool = False
) -> list[Exported]:
    """All twenty-one, from the labelled instances of all splits in the order of the file that they come from."""
    if setting is not None or compress:
        raise InputError(
            "has no settings and is not compressed", "--layout pubmedqa-folds", "leave them away"
        )
    split = split_of(dataset)
    labelled = {i.id: i for i in in_order(dataset)}
    files: dict[str, Sequence[str]] = {"test_set.json": split.test}
    for fold, own in enumerate(split.folds):
        files[f"pqal_fold{fold}/dev_set.json"] = own
        files[f"pqal_fold{fold}/train_set.json"] = split.train(fold)
    written: list[Exported] = []
    for name, ids in files.items():
        with output(out, name, compress=False) as (path, stream):
            write((labelled[ident] for ident in ids), stream)
        written.append(Exported(path, len(ids), {}))
    return written
