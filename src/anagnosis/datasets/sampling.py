"""Seeded random samples drawn inside each split of a dataset, keeping its numbers: BioMRC LITE and TINY.

An instance is drawn by a hash of the seed and its id, so a sample does not depend on the order of the rows; the
sample keeps that order. Samples by one seed are nested: the quarter is part of the half, whether a recipe gives counts
or shares, as learning curves need (BioRead, Table 4).
"""

from __future__ import annotations

import hashlib
import heapq
from collections.abc import Iterator
from fractions import Fraction
from math import ceil
from typing import Any

import msgspec

from anagnosis.datasets.folder import store, writing
from anagnosis.datasets.folder.receipt import draft
from anagnosis.datasets.kinds.table import lacking
from anagnosis.datasets.splits import SPLITS
from anagnosis.errors import InputError
from anagnosis.io.paths import PathLike
from anagnosis.recipes.load import Count, CountOrShare, Seed, spelled_out


class SampleRecipe(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How many instances of each split, or which share of it ("25%"). groups: label → instances of the test split, each
    group other instances (TINY's settings A and B); they replace `test`."""

    train: CountOrShare = 0
    dev: CountOrShare = 0
    test: CountOrShare = 0
    seed: Seed = 0
    groups: dict[str, Count] = {}


def sample(
    dataset: store.Dataset, recipe: SampleRecipe, out: PathLike, *, replace: bool = False
) -> store.Dataset:
    """Write the sample as a dataset folder of its own; its receipt names the set it was drawn from."""
    if recipe.groups and not hasattr(dataset.kind.record, "labels"):
        raise lacking(dataset.kind, "labels, by which groups are kept apart", str(dataset.folder))
    labels: dict[str, dict[str, tuple[str, ...]]] = {}
    for split in SPLITS:
        has = dataset.sizes.get(split, 0)
        is_grouped = split == "test" and recipe.groups
        groups = recipe.groups if is_grouped else {"": size(getattr(recipe, split), has)}
        wanted = sum(groups.values())
        if wanted > has:
            what = f"{wanted:,} instances of {split} are asked for, there are {has:,}"
            fewer = "groups={…}" if is_grouped else f"{split}={has}"
            raise InputError(what, str(dataset.folder), f"sample fewer: --set {fewer}")
        if wanted:
            labels[split] = _drawn(dataset, split, groups, recipe.seed)
    if not labels:
        raise InputError("the sample would be empty", "--set", "ask for instances of train, dev or test")
    kept = ("dataset", "kind", "text_form", "numbering")
    extra = {key: value for key, value in dataset.recipe.items() if key in kept}
    return writing.write(
        out,
        {split: _chosen(dataset, split, chosen) for split, chosen in labels.items()},
        {**extra, **spelled_out({"sample_of": dataset.name}, recipe)},
        lambda: draft(
            documents=dataset.receipt.documents,
            dropped={"not_sampled": dataset.size("all") - sum(map(len, labels.values()))},
            choices={"sampled_from": {split: store.fingerprint(dataset, split) for split in labels}},
        ),
        replace=replace,
    )


def _drawn(
    dataset: store.Dataset, split: str, groups: dict[str, int], seed: int
) -> dict[str, tuple[str, ...]]:
    """id → labels of the instances drawn, group after group."""
    ids = (ident for ident, _ in store.ids_and_keys(dataset, split))
    drawn = heapq.nsmallest(sum(groups.values()), ((rank(seed, ident), ident) for ident in ids))
    labels = [(label,) if label else () for label, count in groups.items() for _ in range(count)]
    return {ident: own for (_, ident), own in zip(drawn, labels, strict=True)}


def size(wanted: int | str, instances: int) -> int:
    """The number of instances that a count or a share ("25%") asks for; a share is rounded up."""
    if isinstance(wanted, int):
        return wanted
    return ceil(Fraction(wanted.removesuffix("%")) / 100 * instances)


def rank(seed: int, ident: str) -> bytes:
    """By which an instance is drawn, the smallest first."""
    return hashlib.blake2b(f"{seed} {ident}".encode(), digest_size=16).digest()


def falls_in(share: float, unit: str) -> bool:
    """Whether a unit (an id, a text) is of the part that is drawn, `share` of all; the same whatever stands beside."""
    return int.from_bytes(rank(0, unit)[:8], "big") < share * (1 << 64)


def _chosen(dataset: store.Dataset, split: str, chosen: dict[str, tuple[str, ...]]) -> Iterator[Any]:
    for instance in store.instances(dataset, split):
        if labels := chosen.get(instance.id):
            yield msgspec.structs.replace(instance, labels=(*instance.labels, *labels))
        elif instance.id in chosen:
            yield instance
