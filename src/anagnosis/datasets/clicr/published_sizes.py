"""Tables 2 and 3 of CliCR, with which a CliCR-like dataset is compared."""

from __future__ import annotations

from collections.abc import Mapping

from anagnosis.datasets.folder.store import Dataset
from anagnosis.datasets.published_sets import PublishedSet, PublishedSets, sets_of

CLICR = "clicr"


def tables() -> Mapping[str, PublishedSet]:
    """CliCR, with the columns "train", "dev", "test" and "total"."""
    return sets_of("anagnosis.datasets.clicr", "published_sizes.toml")


def usual(dataset: Dataset) -> str:
    """CliCR, but for a sample, which is as large as its recipe says."""
    return "" if "sample_of" in dataset.recipe else CLICR


PUBLISHED = PublishedSets(tables, usual)
