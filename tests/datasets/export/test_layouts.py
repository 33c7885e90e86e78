"""The split in a file's name is that of one whole word."""

from __future__ import annotations

import pytest
from tests.rows import each_row

from anagnosis.datasets.export.layouts import LayoutFaults, split_of
from anagnosis.errors import InputError


@each_row(
    ("name", "split"),
    [
        ("train1.0.json", "train"),
        ("dev1.0.json.gz", "dev"),
        ("folder/test1.0.json", "test"),
        ("Validation_part_0.txt", "dev"),
        ("train/interval.txt", ""),
        ("train_dev.txt", ""),
        ("contest.txt", ""),
    ],
)
def test_one_word_of_the_name_gives_the_split(name: str, split: str) -> None:
    if split:
        assert split_of(name) == split
        return
    with pytest.raises(InputError, match=r"the name of the file gives (no split|two splits)"):
        split_of(name)


def test_a_place_is_told_from_the_fault_also_where_a_name_has_a_colon() -> None:
    (faults := LayoutFaults()).note("my set: 1.json:4", "repeated_id", "7 stands twice")
    (found,) = faults.listed(refused=False)
    assert (found.where, found.why) == ("my set: 1.json:4", "repeated_id: 7 stands twice")
