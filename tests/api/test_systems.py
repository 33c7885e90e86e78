"""The verbs over predictions, where they choose something themselves."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.builds import contents

from anagnosis import api
from anagnosis.corpus import carried
from anagnosis.datasets.store import Dataset
from anagnosis.errors import InputError


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    out = tmp_path_factory.mktemp("dataset")
    return api.build("biomrc", [carried()], out, recipe="biomrc-demo", workers=1)


@pytest.mark.parametrize(("given", "shown"), [(["dev"], "dev"), (["dev", "test"], "test"), ([], "test")])
def test_the_hard_subset_is_of_the_split_that_the_report_is_on(
    given: list[str], shown: str, dataset: Dataset, tmp_path: Path
) -> None:
    files = [tmp_path / f"{split}.jsonl" for split in given]
    for split, file in zip(given, files, strict=True):
        api.predict("BASE1", dataset, file, split=split)
    assert list(api.hard_subset(dataset, tmp_path / "hard", files=files).rows) == [shown]


def test_the_hard_subset_does_not_replace_what_it_is_drawn_from(dataset: Dataset) -> None:
    before = contents(dataset.folder)
    with pytest.raises(InputError, match="the hard subset would replace what it is drawn from"):
        api.hard_subset(dataset, dataset.folder / ".." / dataset.folder.name)
    assert contents(dataset.folder) == before
