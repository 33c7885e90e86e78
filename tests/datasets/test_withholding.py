"""A copy without the answers of a split: what stays byte for byte, what goes, and who may be overwritten.

What holds of every kind is in tests/datasets/kinds/test_contract.py.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.builds import contents

from anagnosis import api
from anagnosis.datasets.folder import store
from anagnosis.datasets.folder.store import Dataset
from anagnosis.errors import InputError


def test_the_other_splits_and_the_entities_are_the_same_bytes(built: Dataset, tmp_path: Path) -> None:
    public = api.withhold(built, tmp_path / "public").dataset
    before, after = contents(built.folder), contents(public.folder)
    assert before.keys() == after.keys()
    same = {name for name in before if before[name] == after[name]}
    assert same == {name for name in before if name.startswith(("data/train", "data/dev"))} | {
        "entities.parquet"
    }
    assert {split: store.fingerprint(public, split) for split in public.sizes} == {
        split: store.fingerprint(built, split) for split in built.sizes
    }


def test_the_order_of_the_rows_is_not_that_of_the_dataset(built: Dataset, tmp_path: Path) -> None:
    public = api.withhold(built, tmp_path / "public").dataset
    before, after = ([one.id for one in store.instances(each, "test")] for each in (built, public))
    assert before != after
    assert sorted(before) == sorted(after)
    documents = [one.document for one in store.instances(public, "test")]
    runs = [name for place, name in enumerate(documents) if not place or documents[place - 1] != name]
    assert len(runs) == len(set(runs))  # those of a document stay beside each other


def test_two_splits_can_be_withheld_one_after_the_other(built: Dataset, tmp_path: Path) -> None:
    once = api.withhold(built, tmp_path / "once").dataset
    twice = api.withhold(once, tmp_path / "twice", split="dev").dataset
    assert twice.recipe["withheld"] == {"test": "answers", "dev": "answers"}
    assert set(twice.receipt.choices["withheld"]) == {"test", "dev"}
    assert all(one.answer is None for split in ("dev", "test") for one in store.instances(twice, split))


@pytest.mark.parametrize(
    ("how", "fault"),
    [
        ({"split": "tset"}, "unknown split 'tset'"),
        ({"hide": "labels"}, "unknown part of the gold 'labels'"),
    ],
)
def test_an_unknown_split_or_part_of_the_gold_is_refused(
    built: Dataset, tmp_path: Path, how: dict[str, str], fault: str
) -> None:
    with pytest.raises(InputError, match=fault):
        api.withhold(built, tmp_path / "public", **how)
    assert not (tmp_path / "public").exists()


def test_the_dataset_itself_is_never_written(built: Dataset) -> None:
    before = contents(built.folder)
    with pytest.raises(InputError, match="is an input of this command"):
        api.withhold(built, built.folder, replace=True)
    assert contents(built.folder) == before


def test_the_receipt_of_the_copy_has_its_size_and_its_card_says_what_is_left_out(
    built: Dataset, tmp_path: Path
) -> None:
    found = api.withhold(built, tmp_path / "public")
    assert found.dataset.receipt.choices["withheld"] == {"test": {"instances": found.instances}}
    card = (tmp_path / "public" / "README.md").read_text("utf-8")
    assert "The test split is without answers: whoever holds the dataset scores it." in card
