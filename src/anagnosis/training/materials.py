"""A split of a dataset as readers that learn may see it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

from anagnosis.datasets import store
from anagnosis.datasets.kinds import CLOZE, demand
from anagnosis.datasets.views import Viewed, view
from anagnosis.errors import InputError
from anagnosis.readers.learning import Material


def material(
    dataset: store.Dataset, split: str, view_name: str, *, limit: int | None = None, kept: Path | None = None
) -> Material:
    """The split in a view; one without instances is refused. limit: only the first so many."""
    demand(dataset.kind, CLOZE, str(dataset.folder))
    there = dataset.rows.get(split, 0)
    rows = there if limit is None else min(limit, there)
    if not rows:
        remedy = {
            "train": "name a dataset that has one",
            "dev": "name another dataset's with --dev, or train a fixed number of epochs with --set stop=epochs",
        }
        raise InputError(
            f"the {split} part has no instance",
            str(dataset.folder),
            remedy.get(split, "choose another split"),
        )

    def viewed() -> Iterator[Viewed]:
        for instance in store.instances(dataset, split, limit):
            yield view(instance, view_name, dataset.text_form, numbering=dataset.numbering)

    label = f"{dataset.folder.resolve()}" + (f", first {limit}" if limit is not None else "")
    return Material(split, digest(dataset, split, view_name, limit), rows, viewed, kept, label)


def digest(dataset: store.Dataset, split: str, view_name: str, limit: int | None) -> str:
    """Of the split's data, by the hashes in the receipt, and of what is made of them."""
    parts = {f"{store.DATA}/{part.name}" for part in dataset.parts(split)}
    hashes = sorted(
        (output.name, output.sha256) for output in dataset.receipt.outputs if output.name in parts
    )
    of = (hashes, dataset.text_form, dataset.numbering, view_name, limit)
    return hashlib.sha256(repr(of).encode()).hexdigest()
