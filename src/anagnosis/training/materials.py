"""A split of a dataset as readers that learn may see it."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

from anagnosis.datasets import store
from anagnosis.datasets.decision_views import VIEWS as DECISION_VIEWS
from anagnosis.datasets.decision_views import posed
from anagnosis.datasets.kinds import CLOZE, DECISION, demand
from anagnosis.datasets.pubmedqa.folds import split_of
from anagnosis.datasets.views import view
from anagnosis.errors import InputError
from anagnosis.readers.learning import Material


def material(
    dataset: store.Dataset,
    split: str,
    view_name: str,
    *,
    limit: int | None = None,
    ids: Collection[str] | None = None,
    kept: Path | None = None,
    name: str | None = None,
) -> Material:
    """The split in a view; one without instances is refused.

    limit: only the first so many. ids: only these, all of which are there. name: the part's (default: the split's).
    """
    demand(dataset.kind, kind_seen(view_name), str(dataset.folder))
    there = dataset.size(split) if ids is None else len(ids)
    rows = there if limit is None else min(limit, there)
    name = name or split
    if not rows:
        remedy = {
            "train": "name a dataset that has one",
            "dev": "name another dataset's with --dev, or train a fixed number of epochs with --set stop=epochs",
        }
        raise InputError(
            f"the {name} part has no instance",
            str(dataset.folder),
            remedy.get(name, "choose another split"),
        )

    def viewed() -> Iterator[Any]:
        left = rows
        for instance in store.read(dataset, split):
            if not left:
                return
            if ids is None or instance.id in ids:
                left -= 1
                yield (
                    posed(instance, view_name)
                    if view_name in DECISION_VIEWS
                    else view(instance, view_name, dataset.text_form, numbering=dataset.numbering)
                )

    label = f"{dataset.folder.resolve()}" + (f", first {limit}" if limit is not None else "")
    return Material(name, digest(dataset, split, view_name, limit, ids), rows, viewed, kept, label, split)


def fold_parts(
    dataset: store.Dataset, fold: int, view_name: str, *, limit: int | None = None, kept: Path | None = None
) -> list[Material]:
    """Training and development part of a fold of PubMedQA's split, both of the dataset's train part."""
    split = split_of(dataset)
    if not split.folds[fold]:
        raise InputError(f"fold {fold} is empty", str(dataset.folder), "train on a dataset with more labels")
    ids = {"train": frozenset(split.train(fold)), "dev": frozenset(split.folds[fold])}
    return [
        material(dataset, "train", view_name, limit=limit, ids=own, kept=kept, name=name)
        for name, own in ids.items()
    ]


def kind_seen(view_name: str) -> str:
    """The kind of dataset that a view is of."""
    return DECISION if view_name in DECISION_VIEWS else CLOZE


def digest(
    dataset: store.Dataset,
    split: str,
    view_name: str,
    limit: int | None,
    ids: Collection[str] | None = None,
) -> str:
    """Of the split's data, by the hashes in the receipt, and of what is made of them."""
    parts = {f"{store.DATA}/{part.name}" for part in dataset.parts(split)}
    hashes = sorted(
        (output.name, output.sha256) for output in dataset.receipt.outputs if output.name in parts
    )
    of: tuple[Any, ...] = (hashes, dataset.text_form, dataset.numbering, view_name, limit)
    if ids is not None:
        of = (*of, sorted(ids))
    return hashlib.sha256(repr(of).encode()).hexdigest()
