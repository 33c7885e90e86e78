"""What is found wrong is counted whole, and the first hundred places are kept; of datasets and indexes alike."""

from __future__ import annotations

import pytest

from anagnosis.datasets.folder.dataset_check import DatasetCheck
from anagnosis.io.checksums import SHOWN, FolderCheck
from anagnosis.searching.index.index_check import IndexCheck


@pytest.mark.parametrize("kind", [DatasetCheck, IndexCheck])
def test_all_problems_are_counted_and_the_first_places_kept(kind: type[FolderCheck]) -> None:
    found = kind()
    assert found.sound
    for place in range(SHOWN + 20):
        found.add("odd" if place % 2 else "even", f"place {place}", "is wrong")
    assert not found.sound
    assert found.counts == {"even": SHOWN // 2 + 10, "odd": SHOWN // 2 + 10}
    assert found.problems == [f"place {place}: is wrong" for place in range(SHOWN)]
