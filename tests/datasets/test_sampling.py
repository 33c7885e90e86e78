"""Seeded samples inside each split: LITE and TINY."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.builds import contents

from anagnosis import api
from anagnosis.datasets.folder import store, writing
from anagnosis.datasets.folder.store import Dataset
from anagnosis.datasets.kinds.cloze_instance import ClozeInstance
from anagnosis.datasets.published_sets import biomrc_size
from anagnosis.datasets.sampling import size
from anagnosis.errors import InputError


def sampled(built: Dataset, out: Path, **settings: Any) -> Dataset:
    wanted = {"train": 0, "dev": 0, "test": 0, **settings}
    return api.sample(built, out, recipe="biomrc-lite", settings=wanted)


def rows(dataset: Dataset, split: str) -> list[ClozeInstance]:
    return list(store.instances(dataset, split))


def test_a_sample_keeps_order_numbers_and_texts(built: Dataset, tmp_path: Path) -> None:
    lite = sampled(built, tmp_path / "lite", train=20, test=5)
    assert lite.sizes == {"train": 20, "test": 5}
    for split in lite.sizes:
        whole, drawn = rows(built, split), rows(lite, split)
        assert [i for i in whole if i in drawn] == drawn


def test_the_same_seed_draws_the_same_and_another_another(built: Dataset, tmp_path: Path) -> None:
    drawn = {
        n: sampled(built, tmp_path / n, train=20, seed=seed) for n, seed in (("a", 1), ("b", 1), ("c", 2))
    }
    assert contents(tmp_path / "a") == contents(tmp_path / "b")
    assert rows(drawn["a"], "train") != rows(drawn["c"], "train")


def test_a_draw_does_not_depend_on_the_order_of_the_rows(built: Dataset, tmp_path: Path) -> None:
    turned = writing.write(tmp_path / "turned", {"train": reversed(rows(built, "train"))}, built.recipe)
    ours, theirs = sampled(built, tmp_path / "a", train=20), sampled(turned, tmp_path / "b", train=20)
    assert rows(ours, "train") == list(reversed(rows(theirs, "train")))


def test_a_larger_sample_holds_the_smaller_one(built: Dataset, tmp_path: Path) -> None:
    few, more = sampled(built, tmp_path / "a", train=10), sampled(built, tmp_path / "b", train=20)
    assert {i.id for i in rows(few, "train")} < {i.id for i in rows(more, "train")}


@pytest.mark.parametrize(
    ("wanted", "instances", "count"),
    [("25%", 3, 1), ("0%", 3, 0), ("100%", 3, 3), ("100%", 0, 0), ("0.1%", 800_000, 800), ("29%", 100, 29)],
)
def test_a_share_is_exact_and_rounded_up(wanted: str, instances: int, count: int) -> None:
    assert size(wanted, instances) == count  # 0.29 * 100 is 28.999999999999996 in binary floating point


def test_the_groups_of_tiny_are_disjoint_labelled_and_a_file_each(built: Dataset, tmp_path: Path) -> None:
    groups = {"groups": {"tiny-a": 6, "tiny-b": 5}}
    tiny = api.sample(built, tmp_path / "tiny", recipe="biomrc-tiny", settings=groups)
    assert tiny.sizes == {"test": 11}
    labels = [i.labels for i in rows(tiny, "test")]
    assert (labels.count(("tiny-a",)), labels.count(("tiny-b",))) == (6, 5)
    assert len({i.id for i in rows(tiny, "test")}) == 11
    lite = sampled(built, tmp_path / "lite", train=20)
    assert [biomrc_size(each) for each in (built, lite, tiny)] == ["large", "lite", "tiny"]
    for setting, count in (("A", 6), ("B", 5)):
        (made,) = api.export(tiny, tmp_path / f"out{setting}", setting=setting)
        assert made.instances == count


def test_the_receipt_names_what_was_drawn_from(built: Dataset, tmp_path: Path) -> None:
    lite = sampled(built, tmp_path / "lite", train=20)
    assert lite.receipt.choices == {"sampled_from": {"train": store.fingerprint(built, "train")}}
    assert lite.receipt.instances.dropped == {"not_sampled": 60}
    assert lite.recipe["sample_of"] == "biomrc"
    assert lite.receipt.documents == built.receipt.documents
    assert api.check(lite).sound


@pytest.mark.parametrize(
    ("settings", "line"),
    [
        ({"train": 49}, "49 instances of train are asked for, there are 48; sample fewer: settings train=48"),
        (
            {"groups": {"a": 9, "b": 8}},
            "17 instances of test are asked for, there are 16; sample fewer: settings groups=",
        ),
        ({}, "the sample would be empty; ask for instances of train, dev or test"),
        ({"train": -1}, "1 problem: train: -1 does not fit; write a number of instances, or a share"),
        ({"train": "0%"}, "the sample would be empty; ask for instances of train, dev or test"),
        *(
            (
                {"train": share},
                f"1 problem: train: {share!r} does not fit; write a number of instances, or a share of the split from "
                "0% to 100%, such as 25%",
            )
            for share in ("101%", "25", "-1%", "25%%", "1e1%", "²5%", "25%\n", "1/4", "%")
        ),
        ({"groups": {"a": -1}}, '1 problem: groups: {"a": -1} does not fit; Expected `int` >= 0'),
    ],
)
def test_a_sample_that_cannot_be_is_told(
    settings: dict[str, Any], line: str, built: Dataset, tmp_path: Path
) -> None:
    with pytest.raises(InputError) as told:
        sampled(built, tmp_path / "out", **settings)
    assert line in str(told.value)
    assert not (tmp_path / "out").exists()


def test_splits_that_are_not_named_come_whole_unless_a_recipe_sizes_them(
    built: Dataset, tmp_path: Path
) -> None:
    quarter = api.sample(built, tmp_path / "quarter", settings={"train": "25%"})
    assert quarter.sizes["train"] == size("25%", built.sizes["train"])
    assert {split: quarter.sizes[split] for split in ("dev", "test")} == {
        split: built.sizes[split] for split in ("dev", "test")
    }
    with pytest.raises(InputError, match="6,250 instances of dev are asked for"):
        api.sample(built, tmp_path / "lite", recipe="biomrc-lite", settings={"train": "25%"})
    with pytest.raises(InputError, match="instances of train are asked for"):
        api.sample(built, tmp_path / "default")
