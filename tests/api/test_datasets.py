"""The verbs over datasets, called from Python with what `load` returned or with a path."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from anagnosis import api
from anagnosis.datasets.folder.store import Dataset
from anagnosis.errors import InputError
from anagnosis.reports.records import plain

SIZES = {"train": 20, "dev": 5, "test": 10}


def test_a_split_is_indexed_as_a_list_is(dataset: Dataset) -> None:
    split, instances = dataset["test"], [*dataset["test"]]
    assert (split[0], split[-1], split[np.int64(7)]) == (instances[0], instances[-1], instances[7])
    for part in (slice(3), slice(60, None), slice(9, 2, -3), slice(99, None)):
        assert split[part] == instances[part]
    with pytest.raises(IndexError):
        split[62]


@pytest.mark.parametrize("by", ["dataset", "path", "string"])
def test_a_dataset_is_given_as_itself_as_a_path_or_as_a_string(
    dataset: Dataset, tmp_path: Path, by: str
) -> None:
    given = {"dataset": dataset, "path": dataset.folder, "string": str(dataset.folder)}[by]
    assert api.load(given) == dataset
    assert api.show(given).statistics.beside.columns["total"].instances == 812707
    assert "valganciclovir" in str(plain(api.show_instance(given, "ana0044:20")))
    assert (api.check(given).sound, api.check(given).instances) == (True, 219)
    assert api.sample(given, tmp_path / "sample", settings=SIZES).sizes == SIZES
    assert [each.instances for each in api.export(given, tmp_path / "a")] == [121, 36, 62]
    assert api.predict("BASE1", given, tmp_path / "p.jsonl", train_on=given) == 62
    assert [score.name for score in api.score(given, [tmp_path / "p.jsonl"]).on("test")] == ["p"]


def test_answers_for_another_split_are_not_shown_beside_an_instance(dataset: Dataset, tmp_path: Path) -> None:
    api.predict("BASE1", dataset, tmp_path / "dev.jsonl", split="dev")
    with pytest.raises(InputError, match="its answers are for dev, and ana0044:20 is in test"):
        api.show_instance(dataset, "ana0044:20", [tmp_path / "dev.jsonl"])
