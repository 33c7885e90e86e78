"""Splits of datasets through a view, for readers that learn."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator, Mapping
from itertools import islice
from operator import itemgetter
from pathlib import Path
from typing import Any

import msgspec

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


class TrainedSplit(msgspec.Struct, frozen=True):
    """A split that a training used. dataset: its name. digest: of its data and the view. rows: instances read.

    unanswered: instances without an answer, which the training did not use; None until they are encoded.
    """

    dataset: str
    split: str
    fingerprint: str
    digest: str
    rows: int
    unanswered: int | None = None


Part = tuple[ViewedSplit, TrainedSplit]


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

    of, view = digest(dataset, split, view_name, limit, ids), dataset.viewer(view_name)
    place = str(dataset.folder)
    return ViewedSplit(name, of, rows, lambda: map(view, instances()), kept, place, split, instances)


def recorded(dataset: store.Dataset, split: str, view_name: str, **chosen: Any) -> Part:
    """A part of a dataset with its record. chosen: as of `viewed_split`."""
    part = viewed_split(dataset, split, view_name, **chosen)
    of = store.fingerprint(dataset, split)
    return part, TrainedSplit(dataset.name, split, of, part.digest, part.rows)


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
    limit: int | None,
    kept: Path | None,
) -> Part:
    """Instances of PubMedQA's subsets, one subset after the other, and their record.

    labels: subset → id → label, None for the instance's label. limit: only the first so many of each subset.
    """

    def instances() -> Iterator[Any]:
        for subset, own in labels.items():
            yield from islice(there.instances(subset, own), limit)

    rows = sum(len(own) if limit is None else min(limit, len(own)) for own in labels.values())
    sources, subsets = there.sources(labels) or there.datasets, "+".join(labels)
    place = ", ".join(str(dataset.folder) for dataset in sources)
    if not rows:
        what = f"the {name} part of PQA-{subsets} has no instance"
        raise InputError(what, place, "name more data with --also")
    hashes = sorted(
        (number, output.name, output.sha256)
        for number, dataset in enumerate(sources)
        for output in dataset.receipt.outputs
    )
    chosen = [(subset, sorted(own.items(), key=itemgetter(0))) for subset, own in labels.items()]
    of = _sha256(repr((hashes, chosen, view_name, limit)))

    def viewed() -> Iterator[Any]:
        return (posed(each, view_name) for each in instances())

    datasets = " + ".join(dict.fromkeys(source.name for source in sources))
    fingerprint = _sha256("\n".join(sorted(ident for own in labels.values() for ident in own)))
    view = ViewedSplit(name, of, rows, viewed, kept, place, subsets, instances)
    return view, TrainedSplit(datasets, subsets, fingerprint, of, rows)


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
    return _sha256(repr((hashes, dataset.text_form, dataset.numbering, view_name, limit, *chosen)))


def _sha256(of: str) -> str:
    return hashlib.sha256(of.encode()).hexdigest()
