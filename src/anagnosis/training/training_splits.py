"""Splits of datasets through a view, for readers that learn."""

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
from anagnosis.readers.learning import ViewedSplit

_REMEDIES = {
    "train": "name a dataset that has one",
    "dev": "name another dataset's with --dev, or train a fixed number of epochs with --set stop=epochs",
}


def viewed_split(
    dataset: store.Dataset,
    split: str,
    view_name: str,
    *,
    limit: int | None = None,
    ids: Collection[str] | None = None,
    kept: Path | None = None,
    name: str | None = None,
) -> ViewedSplit:
    """The split in a view. InputError: it has no instance, or the kind has no such view.

    limit: only the first so many instances. ids: only these, all of which exist. name: the part's (default: the
    split's).
    """
    demand_view(dataset.kind, view_name, str(dataset.folder))
    rows = dataset.size(split) if ids is None else len(ids)
    rows = rows if limit is None else min(limit, rows)
    name = name or split
    if not rows:
        remedy = _REMEDIES.get(name, "choose another split")
        raise InputError(f"the {name} part has no instance", str(dataset.folder), remedy)

    def instances() -> Iterator[Any]:
        every = store.instances(dataset, split)
        return islice(every if ids is None else (each for each in every if each.id in ids), rows)

    of = digest(dataset, split, view_name, limit, ids)
    label = f"{dataset.folder.resolve()}" + (f", first {limit}" if limit is not None else "")
    view = dataset.viewer(view_name)
    return ViewedSplit(name, of, rows, lambda: map(view, instances()), kept, label, split, instances)


def fold_parts(
    dataset: store.Dataset, fold: int, view_name: str, *, limit: int | None = None, kept: Path | None = None
) -> list[ViewedSplit]:
    """Training and development part of a fold of PubMedQA's split, both from the dataset's train part."""
    train, dev = map(frozenset, people_parts(dataset, fold))
    if not dev:
        raise InputError(f"fold {fold} is empty", str(dataset.folder), "train on a dataset with more labels")
    return [
        viewed_split(dataset, "train", view_name, limit=limit, ids=ids, kept=kept, name=name)
        for name, ids in (("train", train), ("dev", dev))
    ]


def people_parts(dataset: store.Dataset, fold: int | None) -> tuple[list[str], list[str]]:
    """Ids of the instances that people labelled: (train, dev) of a fold, or of the dataset's splits if fold is None."""
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
) -> ViewedSplit:
    """Instances of PubMedQA's subsets, one subset after the other.

    labels: subset → id → label, None for the instance's label. limit: only the first so many of each subset.
    """

    def instances() -> Iterator[Any]:
        for subset, own in labels.items():
            yield from islice(there.instances(subset, own), limit)

    rows = sum(len(own) if limit is None else min(limit, len(own)) for own in labels.values())
    sources = there.sources(labels) or there.datasets
    folders = [str(dataset.folder.resolve()) for dataset in sources]
    names = "+".join(labels)
    if not rows:
        what = f"the {name} part of PQA-{names} has no instance"
        raise InputError(what, ", ".join(folders), "name more data with --also")
    hashes = sorted(
        (number, output.name, output.sha256)
        for number, dataset in enumerate(sources)
        for output in dataset.receipt.outputs
    )
    chosen = [(subset, sorted(own.items(), key=itemgetter(0))) for subset, own in labels.items()]
    of = _sha256((hashes, chosen, view_name, limit))
    label = " + ".join(folders) + (f", first {limit}" if limit is not None else "")

    def viewed() -> Iterator[Any]:
        return (posed(each, view_name) for each in instances())

    return ViewedSplit(name, of, rows, viewed, kept, label, names, instances)


def fingerprint(ids: Collection[str]) -> str:
    """SHA-256 of the ids of a part from several datasets."""
    return hashlib.sha256("\n".join(sorted(ids)).encode()).hexdigest()


def digest(
    dataset: store.Dataset,
    split: str,
    view_name: str,
    limit: int | None,
    ids: Collection[str] | None = None,
) -> str:
    """SHA-256 of the split's data (the receipt's hashes) and of everything that selects and shows instances."""
    hashes = sorted((output.name, output.sha256) for output in dataset.outputs(split))
    chosen = () if ids is None else (sorted(ids),)
    return _sha256((hashes, dataset.text_form, dataset.numbering, view_name, limit, *chosen))


def _sha256(of: object) -> str:
    return hashlib.sha256(repr(of).encode()).hexdigest()
