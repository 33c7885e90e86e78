"""Table 1 of BioRead: BioRead and BioReadLite, with which a BioRead-like dataset is compared."""

from __future__ import annotations

from collections.abc import Mapping

from anagnosis.datasets.bioread.vocabulary import WordCounts
from anagnosis.datasets.export.split_names import words_of
from anagnosis.datasets.folder.store import Dataset
from anagnosis.datasets.published_sets import PublishedSet, PublishedSets, sets_of

_LITE_WORDS = {"lite", "bioreadlite"}
WHOLE, LITE = "bioread", "bioread-lite"
LONGEST_OF_LITE = 400  # tokens of a passage


def table1() -> Mapping[str, PublishedSet]:
    """BioRead and BioReadLite, each with the columns "train", "dev", "test" and "total"."""
    return sets_of("anagnosis.datasets.bioread", "published_sizes.toml")


def usual(dataset: Dataset) -> str:
    """BioReadLite for passages no longer than Lite's, for files named after it, and for a sample of Lite's size.

    A sample does not know the limits of what it was drawn from: any other is compared with none.
    """
    lite = table1()[LITE].columns
    if "sample_of" in dataset.recipe:
        return LITE if dataset.recipe.get("train") == lite["train"].instances else ""
    longest = dataset.recipe.get("maximum_passage_tokens")
    if longest is not None:
        return LITE if longest <= LONGEST_OF_LITE else WHOLE
    return LITE if any(_is_lite(entry.name) for entry in dataset.receipt.inputs) else WHOLE


def _is_lite(name: str) -> bool:
    """Whether a word of a file's name says BioReadLite."""
    return not _LITE_WORDS.isdisjoint(words_of(name))


PUBLISHED = PublishedSets(table1, usual, WordCounts)
