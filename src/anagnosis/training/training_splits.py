"""A split of a dataset as readers that learn may see it."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator, Mapping
from itertools import islice
from operator import itemgetter
from pathlib import Path
from typing import Any

from anagnosis.datasets.folder import store
from anagnosis.datasets.kinds.decision import DecisionInstance, posed
from anagnosis.datasets.kinds.table import demand_view
from anagnosis.datasets.pubmedqa.folds import folds_of
from anagnosis.datasets.pubmedqa.subsets import LABELLED, Subsets
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
    demand_view(dataset.kind, view_name, str(dataset.folder))
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

    def instances() -> Iterator[Any]:
        left = rows
        for instance in store.instances(dataset, split):
            if not left:
                return
            if ids is None or instance.id in ids:
                left -= 1
                yield instance

    def viewed() -> Iterator[Any]:
        return map(dataset.viewer(view_name), instances())

    label = f"{dataset.folder.resolve()}" + (f", first {limit}" if limit is not None else "")
    of = digest(dataset, split, view_name, limit, ids)
    return Material(name, of, rows, viewed, kept, label, split, instances)


def fold_parts(
    dataset: store.Dataset, fold: int, view_name: str, *, limit: int | None = None, kept: Path | None = None
) -> list[Material]:
    """Training and development part of a fold of PubMedQA's split, both of the dataset's train part."""
    split = folds_of(dataset)
    if not split.folds[fold]:
        raise InputError(f"fold {fold} is empty", str(dataset.folder), "train on a dataset with more labels")
    ids = {"train": frozenset(split.train(fold)), "dev": frozenset(split.folds[fold])}
    return [
        material(dataset, "train", view_name, limit=limit, ids=own, kept=kept, name=name)
        for name, own in ids.items()
    ]


def people_parts(dataset: store.Dataset, fold: int | None) -> tuple[list[str], list[str]]:
    """Ids of what people labelled: (train, dev) of a fold, or of the dataset's own splits."""
    if fold is not None:
        split = folds_of(dataset)
        return list(split.train(fold)), list(split.folds[fold])
    train, dev = (
        [i.id for i in store.instances(dataset, name, of=DecisionInstance) if i.subset == LABELLED]
        if dataset.size(name)
        else []
        for name in ("train", "dev")
    )
    return train, dev


def of_subsets(
    there: Subsets,
    labels: Mapping[str, Mapping[str, str | None]],
    view_name: str,
    name: str,
    *,
    limit: int | None = None,
    kept: Path | None = None,
) -> Material:
    """Instances of PubMedQA's subsets, one subset after the other. labels: subset → id → label, None for its own.

    limit: only the first so many of each subset.
    """

    def instances() -> Iterator[Any]:
        for subset, own in labels.items():
            yield from islice(there.instances(subset, own), limit)

    def viewed() -> Iterator[Any]:
        return (posed(instance, view_name) for instance in instances())

    rows = sum(len(own) if limit is None else min(limit, len(own)) for own in labels.values())
    sources = there.sources(labels) or there.datasets
    folders = [str(dataset.folder.resolve()) for dataset in sources]
    called = "+".join(labels)
    if not rows:
        raise InputError(
            f"the {name} part of PQA-{called} has no instance",
            ", ".join(folders),
            "name more data with --also",
        )
    hashes = sorted(
        (number, output.name, output.sha256)
        for number, dataset in enumerate(sources)
        for output in dataset.receipt.outputs
    )
    chosen = [(subset, sorted(own.items(), key=itemgetter(0))) for subset, own in labels.items()]
    of = hashlib.sha256(repr((hashes, chosen, view_name, limit)).encode()).hexdigest()
    label = " + ".join(folders) + (f", first {limit}" if limit is not None else "")
    return Material(name, of, rows, viewed, kept, label, called, instances)


def fingerprint(ids: Collection[str]) -> str:
    """Of the ids that a part has of several datasets."""
    return hashlib.sha256("\n".join(sorted(ids)).encode()).hexdigest()


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
