"""The data of a schedule that trains on further datasets first, then on the dataset itself.

The further datasets lose the questions of the dataset's dev and test parts and their twins (question_keys.py), and
those of the same id; a message counts them. Both phases are evaluated on the dataset's dev part.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import partial
from itertools import chain
from pathlib import Path

import numpy as np

from anagnosis.datasets.folder import store
from anagnosis.datasets.kinds.table import demand_view
from anagnosis.datasets.question_keys import as_keys, key_of, keys_of
from anagnosis.errors import InputError
from anagnosis.io import folders
from anagnosis.progress import print_note
from anagnosis.readers.learning import EPOCHS, Settings, ViewedSplit
from anagnosis.training.runs.run import TrainedSplit
from anagnosis.training.train import trained_split
from anagnosis.training.training_splits import fingerprint, viewed_split

TRAIN, DEV = "train", "dev"
Parts = list[tuple[ViewedSplit, TrainedSplit]]


def further_parts(
    datasets: Sequence[store.Dataset], config: Settings, limit: int | None, kept: Path, where: str
) -> dict[str, Parts]:
    """Phase → its (train, dev).

    datasets: the first is trained on last, and gives dev and test; the others come first. config: of the last phase.
    limit: only the first so many instances of each part.
    """
    dataset, *others = datasets
    if not others:
        raise InputError("no further dataset is named", where, "name one with --also, or leave phases out")
    for each in datasets:
        demand_view(each.kind, config.view, str(each.folder))
    part = partial(viewed_split, view_name=config.view, limit=limit, kept=kept)
    names = [TRAIN, *([DEV] if config.stop != EPOCHS or dataset.sizes.get(DEV) else [])]
    splits = [part(dataset, name) for name in names]
    final, *dev = [(split, trained_split(dataset, split)) for split in splits]
    allowed = [(each, _allowed(each, dataset)) for each in others]
    further = _joined([part(each, TRAIN, ids=ids) for each, ids in allowed])
    called = " + ".join(dict.fromkeys(each.name for each in others))
    of = fingerprint([instance.id for instance in further.viewed()])
    record = TrainedSplit(called, TRAIN, of, further.digest, further.rows)
    return {folders.FURTHER: [(further, record), *dev], folders.FINAL: [final, *dev]}


def _allowed(further: store.Dataset, dataset: store.Dataset) -> frozenset[str]:
    """Ids of the train part of a further dataset, without questions that the dataset holds out."""
    if not further.sizes.get(TRAIN):
        raise InputError("has no train part", str(further.folder), "import it without --split")
    held_out = [split for split, rows in dataset.sizes.items() if split != TRAIN and rows]
    keys = np.concatenate([as_keys(()), *(keys_of(dataset, split) for split in held_out)])
    ids = {ident for split in held_out for ident, _ in store.ids_and_keys(dataset, split)}
    questions = [(instance.id, key_of(instance)) for instance in store.instances(further, TRAIN)]
    twins = np.isin(as_keys(key for _, key in questions), keys).tolist()
    left = frozenset(i for (i, _), twin in zip(questions, twins, strict=True) if not twin and i not in ids)
    if dropped := len(questions) - len(left):
        print_note(
            f"{further.folder}: {dropped:,} of {len(questions):,} questions are held out, or twins of such, and are "
            "dropped"
        )
    if not left:
        what = "all of its questions are held out"
        raise InputError(what, str(further.folder), "name another with --also")
    return left


def _joined(parts: Sequence[ViewedSplit]) -> ViewedSplit:
    if len(parts) == 1:
        return parts[0]
    return ViewedSplit(
        TRAIN,
        hashlib.sha256(repr([part.digest for part in parts]).encode()).hexdigest(),
        sum(part.rows for part in parts),
        lambda: chain.from_iterable(part.viewed() for part in parts),
        parts[0].kept,
        " + ".join(part.dataset for part in parts),
        TRAIN,
        lambda: chain.from_iterable(part.instances() for part in parts if part.instances is not None),
    )
