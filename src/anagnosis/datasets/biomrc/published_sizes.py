"""Table 2 of BIOMRC: LARGE, LITE and TINY, with which a dataset is compared."""

from __future__ import annotations

from collections.abc import Mapping

from anagnosis.datasets.biomrc.layout import published_size
from anagnosis.datasets.published_sets import PublishedSet, PublishedSets, sets_of


def table2() -> Mapping[str, PublishedSet]:
    """TINY has the columns "setting-a", "setting-b" and "total", the others "train", "dev", "test" and "total"."""
    return sets_of("anagnosis.datasets.biomrc", "published_sizes.toml")


PUBLISHED = PublishedSets(table2, published_size)
