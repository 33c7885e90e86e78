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
from anagnosis.datasets.question_keys import Keys, as_keys, key_of, keys_of
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
    view = str(config.view)
    for each in datasets:
        demand_view(each.kind, view, str(each.folder))
    part = partial(viewed_split, dataset, view_name=view, limit=limit, kept=kept)
    dev: Parts = []
    if config.stop != EPOCHS or dataset.sizes.get(DEV):
        of_dev = part(DEV)
        dev = [(of_dev, trained_split(dataset, of_dev))]
    further, final = _further_part(others, dataset, view, limit, kept), part(TRAIN)
    return {folders.FURTHER: [further, *dev], folders.FINAL: [(final, trained_split(dataset, final)), *dev]}


def _further_part(
    datasets: Sequence[store.Dataset], dataset: store.Dataset, view: str, limit: int | None, kept: Path
) -> tuple[ViewedSplit, TrainedSplit]:
    """The train parts of further datasets, one after the other, without questions that the dataset holds out."""
    keys, ids = _held_out(dataset)
    parts: list[ViewedSplit] = []
    for each in datasets:
        if not each.sizes.get(TRAIN):
            raise InputError("has no train part", str(each.folder), "import it without --split")
        questions = [(instance.id, key_of(instance)) for instance in store.instances(each, TRAIN)]
        twins = np.isin(as_keys(key for _, key in questions), keys)
        left = frozenset(
            i for (i, _), twin in zip(questions, twins.tolist(), strict=True) if not twin and i not in ids
        )
        if dropped := len(questions) - len(left):
            print_note(
                f"{each.folder}: {dropped:,} of {len(questions):,} questions are held out, or twins of such, and are "
                "dropped"
            )
        if not left:
            raise InputError(
                "all of its questions are held out", str(each.folder), "name another with --also"
            )
        parts.append(viewed_split(each, TRAIN, view, limit=limit, ids=left, kept=kept))
    joined = parts[0] if len(parts) == 1 else _joined(parts)
    names = " + ".join(dict.fromkeys(each.name for each in datasets))
    of = fingerprint([instance.id for instance in joined.viewed()])
    return joined, TrainedSplit(names, TRAIN, of, joined.digest, joined.rows)


def _held_out(dataset: store.Dataset) -> tuple[Keys, frozenset[str]]:
    """Question keys and ids of all parts that are not trained on."""
    splits = [split for split, rows in dataset.sizes.items() if split != TRAIN and rows]
    keys = [keys_of(dataset, split) for split in splits]
    ids = frozenset(ident for split in splits for ident, _ in store.ids_and_keys(dataset, split))
    return np.unique(np.concatenate([as_keys(()), *keys])), ids


def _joined(parts: Sequence[ViewedSplit]) -> ViewedSplit:
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
