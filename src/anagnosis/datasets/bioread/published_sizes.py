"""Table 1 of BioRead: BioRead and BioReadLite, with which a BioRead-like dataset is compared."""

from __future__ import annotations

from collections.abc import Mapping

from anagnosis.datasets.bioread.vocabulary import WordCounts
from anagnosis.datasets.folder.store import Dataset
from anagnosis.datasets.published_sets import PublishedSet, PublishedSets, sets_of

WHOLE, LITE = "bioread", "bioread-lite"


def table1() -> Mapping[str, PublishedSet]:
    """BioRead and BioReadLite, each with the columns "train", "dev", "test" and "total"."""
    return sets_of("anagnosis.datasets.bioread", "published_sizes.toml")


def usual(dataset: Dataset) -> str:
    """BioReadLite for a sample, for passages no longer than Lite's, and for files that are named after it."""
    longest = dataset.recipe.get("maximum_passage_tokens")
    if longest is not None:
        return LITE if longest <= table1()[LITE].columns["total"].passage.largest else WHOLE
    named = any("lite" in entry.name.lower() for entry in dataset.receipt.inputs)
    return LITE if named or "sample_of" in dataset.recipe else WHOLE


PUBLISHED = PublishedSets(table1, usual, WordCounts)
