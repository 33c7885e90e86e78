"""The data of a schedule that trains on a further dataset first, then on the dataset itself.

The further dataset loses the questions of the dataset's dev and test parts and their twins (question_keys.py), and
those of the same id; a message counts them. Both phases are evaluated on the dataset's dev part.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np

from anagnosis.datasets.folder import store
from anagnosis.datasets.kinds.table import demand_view
from anagnosis.datasets.question_keys import as_keys, key_of, keys_of
from anagnosis.errors import InputError
from anagnosis.io import folders
from anagnosis.progress import print_note
from anagnosis.readers.learning import EPOCHS, Settings
from anagnosis.training.training_splits import Part, recorded


def further_parts(
    datasets: Sequence[store.Dataset], config: Settings, limit: int | None, kept: Path, where: str
) -> dict[str, list[Part]]:
    """Phase → its (train, dev).

    datasets: the one that is trained on last, and gives dev and test, and the one that comes first. config: of the last
    phase. limit: only the first so many instances of each part.
    """
    if len(datasets) != 2:
        raise InputError("needs one further dataset", where, "name it with --also")
    dataset, further = datasets
    part = partial(recorded, view_name=config.view, limit=limit, kept=kept)
    demand_view(further.kind, config.view, str(further.folder))
    first = part(further, "train", ids=_allowed(further, dataset))
    judged = config.stop != EPOCHS or dataset.sizes.get("dev")
    dev = [part(dataset, "dev")] if judged else []
    return {folders.FURTHER: [first, *dev], folders.FINAL: [part(dataset, "train"), *dev]}


def _allowed(further: store.Dataset, dataset: store.Dataset) -> frozenset[str]:
    """Ids of the train part of a further dataset, without questions that the dataset holds out."""
    if not further.sizes.get("train"):
        raise InputError("has no train part", str(further.folder), "import it without --split")
    held_out = [split for split, rows in dataset.sizes.items() if split != "train" and rows]
    keys = np.concatenate([as_keys(()), *(keys_of(dataset, split) for split in held_out)])
    ids = {ident for split in held_out for ident, _ in store.ids_and_keys(dataset, split)}
    questions = [(instance.id, key_of(instance)) for instance in store.instances(further, "train")]
    twins = np.isin(as_keys(key for _, key in questions), keys).tolist()
    left = frozenset(i for (i, _), twin in zip(questions, twins, strict=True) if not twin and i not in ids)
    what = f"{len(questions) - len(left):,} of {len(questions):,} questions are held out, or twins of such"
    if not left:
        raise InputError(what, str(further.folder), "name another with --also")
    print_note(f"{further.folder}: {what}, and are dropped")
    return left
